// The page at /playground/ of the demo, in a browser:
//   STACK_URL=… node page_test.mjs [5]      the version of Strapi that the demo has the content of
import assert from 'node:assert/strict';
import test, { after, afterEach, before } from 'node:test';
import { answered, launch, open, site } from './browser.mjs';

const isFive = process.argv[2] === '5';
const attributes = (entry) => (isFive ? entry : entry.attributes);
const related = (value) => (isFive ? value : value.data);
const invalid = isFive ? 'Invalid key' : 'Invalid parameter';
// The entry's key in a path.
const keyOf = async (collection, id) => {
  if (!isFive) return id;
  const response = await fetch(`${site}${collection}?filters[id][$eq]=${id}&fields=id`);
  return (await response.json()).data[0].documentId;
};

let browser;
let page;
before(async () => void (browser = await launch()));
after(() => browser.close());
afterEach(async () => {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

const url = () => page.locator('#url').inputValue();
const tick = (name) => page.locator('.tree').getByRole('checkbox', { name, exact: false }).first().click();
const unfold = (name) => page.getByRole('button', { name: `open ${name}`, exact: true }).click();
const within = (place) => page.locator(`[data-place="${place}"]`);

test('a query of three levels is built by ticking, run, and explained', async () => {
  page = await open(browser, '/api/pages');
  await page.getByLabel('as I go').click(); // what is asked twice is answered by what was kept
  await tick(/^title /);
  await unfold('blocks');
  await tick(/^blocks\.related-articles /);
  await unfold('blocks.related-articles');
  await tick(/^articles /);
  await unfold('articles');
  const articles = within('populate[blocks][on][blocks.related-articles][populate][articles]');
  await articles.getByRole('checkbox', { name: /^author / }).click();
  await articles.getByRole('checkbox', { name: /^title / }).click();

  await page.getByRole('button', { name: 'filters', exact: true }).click();
  await page.getByRole('button', { name: 'add a filter' }).first().click();
  await page.getByLabel('attribute', { exact: true }).selectOption('title');
  await page.getByLabel('operator').selectOption('$contains');
  await page.getByLabel('value').fill('train');
  await page.getByRole('button', { name: 'sort', exact: true }).click();
  await page.getByRole('button', { name: 'add a sort key' }).click();
  await page.locator('.entries', { hasText: 'sort' }).getByLabel('attribute', { exact: true }).selectOption('slug');
  await page.getByLabel('direction').selectOption('desc');

  const expected =
    '/api/pages?fields=title&populate[blocks][on][blocks.related-articles][populate][articles][fields]=title' +
    '&populate[blocks][on][blocks.related-articles][populate][articles][populate]=author' +
    '&filters[title][$contains]=train&sort=slug:desc';
  assert.equal(await url(), expected);
  await page.getByRole('button', { name: 'Run' }).click();
  await answered(page, expected);

  const direct = await (await fetch(site + expected)).json();
  assert.equal(direct.data.length, 1);
  const [article] = related(attributes(direct.data[0]).blocks[0].articles);
  assert.ok(attributes(related(attributes(article).author)).name);
  assert.equal(await page.locator('#status').innerText(), '200');
  assert.match(await page.locator('.json').innerText(), new RegExp(attributes(direct.data[0]).title.slice(0, 12)));

  await page.getByRole('tab', { name: 'Plan' }).click();
  const boxes = await page.locator('.box header b').allInnerTexts();
  assert.deepEqual(boxes.slice(0, 5), ['api::page.page', 'blocks', 'blocks.related-articles', 'articles', 'author']);
  const first = page.locator('.box').first();
  assert.match(await first.innerText(), /1 row\b[^]*\d ms/);
  await first.getByText('statement', { exact: true }).click();
  assert.match(await first.locator('.sql').innerText(), /SELECT[^]*FROM `pages`/);
  assert.match(await page.locator('.stages').innerText(), /in the server[^]*execute \d/);
});

test('it begins with the first list that has entries for the caller', async () => {
  const prepare = async (page) => {
    await page.route('**/_openapi', async (route) => {
      const document = await (await route.fetch()).json();
      const paths = { '/api/about': document.paths['/api/global'], ...document.paths };
      await route.fulfill({ json: { ...document, paths } });
    });
    await page.route('**/api/articles?*', (route) => route.fulfill({ status: 403 }));
    await page.route('**/api/authors?*', (route) => route.fulfill({ json: { data: [], meta: {} } }));
  };
  for (const width of [1280, 390]) {
    page = await open(browser, '', { prepare, viewport: { width, height: 844 } });
    assert.equal((await fetch(`${site}/api/about`)).status, 404);
    assert.equal(await url(), '/api/categories');
    assert.equal(await page.locator('#status').innerText(), '200');
    const [first] = (await (await fetch(`${site}/api/categories`)).json()).data;
    assert.ok(await page.locator('.json', { hasText: attributes(first).name }).isVisible());
    if (width > 390) await page.context().close();
  }
});

test('a URL that is pasted fills the tree', async () => {
  page = await open(browser, '/api/articles');
  const pasted =
    'https://example.org/api/pages?populate%5Bblocks%5D%5Bon%5D%5Bblocks.hero%5D%5Bfields%5D%5B0%5D=heading&populate[parent]=true&filters[$or][0][title][$eq]=a&filters[$or][1][parent][slug][$in][0]=b&pagination[pageSize]=3';
  await page.locator('#url').fill(pasted);
  const ticked = await page
    .locator('.tree input:checked')
    .evaluateAll((boxes) => boxes.map((box) => box.parentElement.innerText.split(/\s/)[0]));
  assert.deepEqual(ticked, ['blocks', 'blocks.hero', 'heading', 'parent']);
  assert.equal(await page.locator('#route').inputValue(), '/api/pages');
  assert.deepEqual(
    await page.getByLabel('attribute', { exact: true }).evaluateAll((all) => all.map(({ value }) => value)),
    ['title', 'parent'],
  );
  assert.equal(await page.getByLabel('attribute of parent').inputValue(), 'slug');
  assert.equal(await page.getByLabel('pageSize', { exact: true }).inputValue(), '3');

  await page.getByRole('button', { name: 'Shorten' }).click();
  assert.equal(
    await url(),
    '/api/pages?populate[blocks][on][blocks.hero][fields]=heading&populate[parent]=1&filters[$or][0][title]=a&filters[$or][1][parent][slug]=b&pagination[pageSize]=3',
  );
});

test('a wrong name is marked where it stands, with the nearest right one', async () => {
  for (const [wrong, name, fixed] of [
    ['/api/articles?populate[author][fields]=nmae', 'nmae', '/api/articles?populate[author][fields]=name'],
    ['/api/articles?filters[author][nmae][$eq]=x', 'nmae', '/api/articles?filters[author][name][$eq]=x'],
    ['/api/articles?sort=titel:desc', 'titel', '/api/articles?sort=title:desc'],
    ['/api/articles?populate=autor,cover', 'autor', '/api/articles?populate=author,cover'],
  ]) {
    page = page?.isClosed() === false ? page : await open(browser, '/api/articles');
    await page.locator('#url').fill(wrong);
    await answered(page, wrong);
    assert.deepEqual(await page.locator('.written mark').allInnerTexts(), [name], wrong);
    const message = page.locator('#mistakes li');
    if (!wrong.includes('autor')) assert.match(await message.innerText(), new RegExp(`^${invalid} ${name}`)); // the server's words
    assert.equal(await page.locator('#url').getAttribute('aria-invalid'), 'true');
    await message.getByRole('button').click();
    assert.equal(await url(), fixed);
    await answered(page, fixed);
    assert.equal(await page.locator('#status').innerText(), '200');
  }
  await page.locator('#url').fill('/api/articles?populate[author][fields]=nmae');
  assert.equal(await within('populate[author]').locator('.unknown mark').innerText(), 'nmae');
});

test('so is a wrong value', async () => {
  page = await open(browser, '/api/articles');
  // Strapi 5 has words of its own for some, which do not say where the value stands: nothing is marked.
  const elsewhere = isFive
    ? [
        ['/api/articles?sort=title,id:dwon', null, 'Invalid order. order can only be one of asc|desc|ASC|DESC'],
        ['/api/articles?status=darft', 'darft', 'status: expected draft or published'],
      ]
    : [
        ['/api/articles?sort=title,id:dwon', 'dwon', 'sort: expected asc or desc'],
        ['/api/articles?fields=title&pagination[page]=two', 'two', 'pagination[page]: expected a whole number'],
      ];
  for (const [wrong, value, message] of [
    ...elsewhere,
    ['/api/articles?filters[readingMinutes]=long', 'long', 'filters[readingMinutes][$eq]: expected a number'],
  ]) {
    await page.locator('#url').fill(wrong);
    await answered(page, wrong);
    assert.deepEqual(await page.locator('.written mark').allInnerTexts(), value ? [value] : [], wrong);
    assert.ok((await page.locator('#mistakes').innerText()).includes(message), wrong);
  }
});

test('the keyboard does it all', async () => {
  page = await open(browser, '/api/tags');
  const focused = () => page.evaluate(() => document.activeElement.parentElement.innerText.split(/\s/)[0]);
  await page.keyboard.press('Tab');
  for (let i = 0; i < 20 && (await page.evaluate(() => document.activeElement.dataset.row)) === undefined; i++)
    await page.keyboard.press('Tab');
  const walkTo = async (name) => {
    for (let i = 0; i < 20 && (await focused()) !== name; i++) await page.keyboard.press('ArrowDown');
  };
  await walkTo('name');
  await page.keyboard.press('Space');
  await walkTo('articles');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  const built = `/api/tags?fields=name&populate[articles][fields]=${await focused()}`;
  assert.equal(await url(), built);
  await page.keyboard.press('Control+Enter');
  await answered(page, built);
  await page.locator('#tab-answer').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.getByRole('tab', { selected: true }).innerText(), 'Plan');
  assert.equal((await page.locator('.box').count()) > 1, true);
});

test('it fits 360 pixels', async () => {
  page = await open(
    browser,
    '/api/pages?populate[blocks][on][blocks.hero][populate]=image&filters[parent][title][$containsi]=a&sort=parent.title:desc&fields=titel',
    { viewport: { width: 360, height: 740 } },
  );
  for (const view of ['Query', 'Answer', 'Plan', 'Copy']) {
    await page.getByRole('tab', { name: view }).click();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, view);
    assert.equal(await page.locator('#view-query').isVisible(), view === 'Query');
  }
});

// Texts in fields that are narrower than these, and in boxes that hide what does not fit.
const cutOff = () =>
  page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d');
    const room = (field) => {
      const style = getComputedStyle(field);
      pen.font = style.font;
      return field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    };
    const arrow = 16;
    const cut = [];
    for (const field of document.querySelectorAll('select, input[placeholder]')) {
      if (!field.checkVisibility()) continue;
      const text = field.matches('select') ? field.selectedOptions[0].text : field.placeholder;
      const width = room(field) - (field.matches('select') ? arrow : 0);
      if (pen.measureText(text).width > width) cut.push(text);
    }
    for (const box of document.querySelectorAll('#page *:not(.unseen)'))
      if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX === 'hidden' && box.innerText)
        cut.push(box.innerText);
    return cut;
  });

test('no label is cut off', async () => {
  const asked =
    '/api/articles?filters[title][$notContainsi]=a&filters[photographer][name][$startsWithi]=b&sort=readingMinutes&' +
    'pagination[withCount]=false&locale=de&populate[author][filters][slug][$endsWithi]=c&populate[author][sort]=joinedOn';
  for (const width of [360, 800, 1280, 1920]) {
    page = await open(browser, asked, { viewport: { width, height: 900 } });
    if (width < 960) await page.getByRole('tab', { name: 'Query' }).click();
    assert.deepEqual(await cutOff(), [], String(width));
    assert.deepEqual(page.complaints, []);
    if (width < 1920) await page.context().close();
  }
});

test('what was asked is remembered and shared by link, a token is not', async () => {
  const asked = `/api/articles/${await keyOf('/api/articles', 21)}?fields=title&populate=cover`;
  page = await open(browser, asked, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByText('Public', { exact: true }).click();
  await page.locator('#token').fill('secret');
  await page.locator('#token').press('Enter');
  await page.waitForFunction(() => document.querySelector('#status').innerText === '401');
  await page.getByRole('tab', { name: 'Copy' }).click();
  const code = await page.locator('.snippet pre').allInnerTexts();
  assert.equal(code[0], site + asked);
  assert.equal(code[1], `curl -g -H "Authorization: Bearer $TOKEN" '${site}${asked}'`);
  assert.match(code[3], /qs\.stringify\(\{ fields: 'title', populate: 'cover' \}/);
  assert.equal(code.at(-1), `${site}/playground/#${asked}`);
  await page.locator('.snippet button').first().click();
  await page.getByText('copied').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), site + asked);

  const kept = await page.evaluate(
    () => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie + location.href,
  );
  assert.ok(kept.includes(asked) && !kept.includes('secret'), kept);
  await page.reload();
  assert.equal(await url(), asked);
  assert.equal(await page.locator('.caller summary').innerText(), 'Public');
  assert.equal(await page.locator('#token').inputValue(), '');
  await page.locator('.pictures img').waitFor();
  await page.getByText('History').click();
  assert.equal(await page.locator('.past li code').first().innerText(), asked);
});

test('drafts, documents and both formats of Strapi 5 are chosen', { skip: !isFive }, async () => {
  page = await open(browser, '/api/articles?fields=title');
  const json = () => page.locator('.json').innerText();
  assert.equal(await page.getByLabel('publicationState').count(), 0); // what Strapi 4 has in their place
  await page.getByRole('button', { name: 'locale, status, publicationFilter, _q' }).click();
  await page.locator('select[name=status]').selectOption('draft');
  await page.locator('select[name=publicationFilter]').selectOption('never-published');
  const drafts = '/api/articles?fields=title&status=draft&publicationFilter=never-published';
  assert.equal(await url(), drafts);
  await answered(page, drafts);
  const { data } = await (await fetch(site + drafts)).json();
  assert.equal(data.length, 2);
  assert.match(await json(), new RegExp(data[0].title));

  await page.getByRole('textbox', { name: 'documentId' }).fill(data[0].documentId);
  const one = `/api/articles/${data[0].documentId}?fields=title&status=draft&publicationFilter=never-published`;
  assert.equal(await url(), one);
  await answered(page, one);
  assert.doesNotMatch(await json(), /attributes/);
  await page.locator('#format').selectOption('v4');
  await page.locator('.json', { hasText: 'attributes' }).waitFor();
  await page.getByRole('tab', { name: 'Copy' }).click();
  const code = await page.locator('.snippet pre').allInnerTexts();
  assert.equal(code[1], `curl -g -H "Strapi-Response-Format: v4" '${site}${one}'`);
  assert.match(code[2], /headers: \{ 'Strapi-Response-Format': `v4` \}/);
});
