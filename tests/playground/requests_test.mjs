// How the page at /playground/ helps to ask, in a browser, on the demo:
//   STACK_URL=… node requests_test.mjs [5]      the version of Strapi that the demo has the content of
import assert from 'node:assert/strict';
import test, { after, afterEach, before } from 'node:test';
import { answered, launch, open, site } from './browser.mjs';

const isFive = process.argv[2] === '5';
let browser;
let page;
before(async () => void (browser = await launch()));
after(() => browser.close());
afterEach(async () => {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

const about = () => page.locator('.about').innerText();
const box = (name) => page.locator('.tree').getByRole('checkbox', { name }).first();

test('the row that has the focus is described, and so is the one below the pointer', async () => {
  page = await open(browser, '/api/articles');
  await box(/^title /).focus();
  assert.match(await about(), /Article\.title string, or null/);
  assert.match(await about(), /\$contains contains this text/);
  assert.equal(
    await box(/^title /).evaluate((one) => document.getElementById(one.getAttribute('aria-describedby')).innerText),
    'Article.title string, or null',
  );
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowDown');
  assert.match(await about(), /Article\.format one of 6 values[^]*feature guide essay/);
  await box(/^author /).hover();
  assert.match(await about(), /Article\.author manyToOne: one or none[^]*Author collection[^]*name slug role/);
  await box(/^gallery /).hover();
  assert.match(await about(), /Article\.gallery media: any number[^]*UploadFile/);
});

test('what is scrolled below a pointer at rest is not described', async () => {
  page = await open(browser, '/api/articles', { viewport: { width: 1280, height: 500 } });
  await box(/^cover /).hover();
  await box(/^locale /).focus();
  for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowDown');
  const name = await page.evaluate(() => document.activeElement.parentElement.innerText.split(/\s/)[0]);
  await page.waitForFunction(
    () => document.querySelector('.query').scrollTop > 300 && new Promise((drawn) => setTimeout(drawn, 300, true)),
  );
  assert.match(await about(), new RegExp(`^Article\\.${name} `));
});

test('so are the parts of a zone', async () => {
  page = await open(browser, '/api/pages?populate[blocks][on][blocks.hero]=1');
  await box(/^blocks\.hero /).focus();
  assert.match(await about(), /blocks\.hero component[^]*heading/);
});

const refuseLogins = (status, json) => (route) => route.fulfill({ status, json });

test('a login gets a token where the CMS takes logins', async () => {
  page = await open(browser, '/api/articles?fields=title');
  const sent = [];
  await page.route('**/api/auth/local', async (route) => {
    const { identifier, password } = route.request().postDataJSON();
    sent.push(identifier ?? '');
    if (password === 'right') return route.fulfill({ json: { jwt: 'of-ada', user: { id: 1 } } });
    return refuseLogins(400, { data: null, error: { message: 'Invalid identifier or password' } })(route);
  });
  assert.deepEqual(sent, []);
  await page.getByText('Public', { exact: true }).click();
  await page.getByLabel('name or email').fill('ada');
  await page.getByLabel('password').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByText('Invalid identifier or password').waitFor();
  await page.getByLabel('password').fill('right');
  const [asked] = await Promise.all([
    page.waitForRequest((request) => request.url().includes('/api/articles')),
    page.keyboard.press('Enter'),
  ]);
  assert.equal(asked.headers().authorization, 'Bearer of-ada');
  assert.deepEqual(sent, ['', 'ada', 'ada']);
  assert.equal(await page.locator('.caller summary').innerText(), 'By token');
  assert.equal(await page.getByLabel('password').inputValue(), '');
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie);
  assert.doesNotMatch(kept, /of-ada|right/);
});

test('where nobody takes logins there is no form for one', async () => {
  page = await open(browser, '');
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/api/auth/local') && response.status() === 405),
    page.getByText('Public', { exact: true }).click(),
  ]);
  await page.locator('#token').waitFor();
  assert.equal(await page.getByText('Log in').count(), 0);
  await page.locator('#token').press('Escape');
  assert.equal(await page.locator('#token').isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement.innerText), 'Public');
});

test('fifty questions are remembered, and whatever else was stored does no harm', async () => {
  page = await open(browser, '/api/tags');
  const past = Array.from({ length: 60 }, (_, i) => ({ url: `/api/tags/${i}`, status: 200, milliseconds: 1 }));
  for (const [stored, count] of [
    [JSON.stringify(past), 50],
    ['{"not":"ours"}', 1],
    ['[null]', 1],
  ]) {
    await page.evaluate((text) => localStorage.setItem('populate-fcgi.history', text), stored);
    await page.reload();
    await answered(page, '/api/tags');
    assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem('populate-fcgi.history')).length), count);
  }
  await page.getByText('History').click();
  assert.equal(await page.locator('.past li').count(), 1);
});

test('what fits at the caret is offered, and taken by keyboard', async () => {
  page = await open(browser, '/api/articles');
  const field = page.locator('#url');
  const list = page.getByRole('listbox', { name: 'what may stand here' });
  const options = () => list.locator('code').allInnerTexts();
  await field.press('End');
  await field.pressSequentially('?pop');
  assert.deepEqual(await options(), ['populate']);
  await field.press('Tab');
  await field.pressSequentially('=aut');
  assert.deepEqual(await options(), ['author']);
  await field.press('Tab');
  await field.pressSequentially('&filters[');
  await field.press('ArrowDown');
  await field.press('ArrowDown');
  const marked = list.getByRole('option', { selected: true });
  assert.equal(await field.getAttribute('aria-activedescendant'), await marked.getAttribute('id'));
  const name = await marked.locator('code').innerText();
  await field.press('Enter');
  assert.equal(await field.inputValue(), `/api/articles?populate=author&filters[${name}]`);
  assert.match(await list.getByRole('option').first().innerText(), /^\$eq is$/);
  await field.pressSequentially('[$nul');
  await field.press('Tab');
  await field.pressSequentially('1');
  const asked = `/api/articles?populate=author&filters[${name}][$null]=1`;
  assert.equal(await field.inputValue(), asked);
  await field.press('Enter'); // nothing is chosen: this asks
  await answered(page, asked);
});

test('the list goes away by Escape, comes by Ctrl+Space, and is not in the way of what is pasted', async () => {
  page = await open(browser, '/api/articles?fields=title', { viewport: { width: 360, height: 740 } });
  const list = page.getByRole('listbox', { name: 'what may stand here' });
  const field = page.locator('#url');
  await field.press('End');
  await field.press('Backspace');
  assert.equal(await list.isVisible(), true);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  await field.press('Escape');
  assert.equal(await list.count(), 0);
  await field.press('Control+Space');
  assert.equal(await list.isVisible(), true);
  await list.getByRole('option', { name: 'title' }).click();
  assert.equal(await field.inputValue(), '/api/articles?fields=title');
  assert.equal(await field.evaluate((one) => one === document.activeElement), true);
  await field.fill('/api/articles?fields=ti');
  assert.equal(await list.count(), 0);
  await field.press('Control+Space');
  await field.press('Escape');
  await field.press('Tab'); // leads on
  assert.equal(await field.evaluate((one) => one === document.activeElement), false);
});

test('what was asked on the way to a question is not remembered, the question is', async () => {
  page = await open(browser, '/api/tags');
  await page.evaluate(() => ((now) => (performance.now = () => now))(performance.now())); // what follows is soon
  for (const wanted of ['/api/tags?fields=na', '/api/tags?fields=name', '/api/tags?fields=name&sort=name']) {
    await page.locator('#url').fill(wanted);
    await answered(page, wanted);
    if (wanted !== '/api/tags?fields=name') continue;
    await page.locator('#url').press('Enter'); // it is meant
    await answered(page, wanted);
  }
  await page.getByText('History').click();
  assert.deepEqual(await page.locator('.past li code').allInnerTexts(), [
    '/api/tags?fields=name&sort=name',
    '/api/tags?fields=name',
    '/api/tags',
  ]);
});

const examples = (parameter) => page.getByRole('toolbar', { name: 'examples' }).getByRole('group', { name: parameter });

test('the forms of the query reference are examples, of the type that is chosen, and all are answered', async () => {
  page = await open(browser, '/api/articles');
  const groups = ['fields', 'populate', 'filters', 'sort', 'pagination', 'locale'];
  const version = isFive ? 'status' : 'publicationState';
  await examples('fields').waitFor();
  assert.deepEqual(await page.locator('.examples b').allInnerTexts(), [...groups, version]);
  for (const [parameter, name, query] of [
    ['fields', 'title,slug', 'fields=title&fields=slug'],
    ['populate', '*', 'populate=*'],
    ['populate', 'category.cover', 'populate[category][populate]=cover'],
    ['filters', '$eq', 'filters[format][$eq]=feature'],
    ['filters', '$startsWith', 'filters[title][$startsWith]=The'],
    ['filters', 'category.name', 'filters[category][name][$contains]=a'],
    ['sort', 'readingMinutes:desc', 'sort=readingMinutes:desc'],
    ['pagination', 'page,pageSize', 'pagination[page]=2&pagination[pageSize]=3'],
    ['locale', isFive ? '*' : 'all', `locale=${isFive ? '*' : 'all'}`],
    isFive ? ['status', 'draft', 'status=draft'] : ['publicationState', 'preview', 'publicationState=preview'],
  ]) {
    await examples(parameter).getByRole('button', { name, exact: true }).click();
    await answered(page, `/api/articles?${query}`);
    assert.equal(await page.locator('#status').innerText(), '200', query);
    assert.equal(await page.locator('#mistakes li').count(), 0, query);
  }
  const operators = await examples('filters').getByRole('button').allInnerTexts();
  for (const operator of ['$ne', '$in', '$null', '$lt', '$between', '$containsi', '$endsWith', '$or', '$not'])
    assert.ok(operators.includes(operator), operator);

  // A relation that the caller may not find is in none; of one entry, there is nothing to filter.
  for (const [path, count] of [
    ['/api/articles', 40],
    ['/api/pages', 40],
    ['/api/homepage', 6],
  ]) {
    await page.locator('#url').fill(path);
    await answered(page, path);
    await page.locator('.examples[aria-busy=false]').waitFor();
    const queries = await page
      .locator('.examples button')
      .evaluateAll((buttons) => buttons.map((button) => button.title));
    assert.ok(queries.length >= count, `${path}: ${queries.length}`);
    assert.doesNotMatch(queries.join(' '), /commission/);
    if (path === '/api/homepage') assert.doesNotMatch(queries.join(' '), /(^| )(filters|sort|pagination)/);
    for (const query of queries) assert.equal((await fetch(`${site}${path}?${query}`)).status, 200, query);
  }
});

test('examples are one stop of the keyboard, and on a phone they lead to the response', async () => {
  page = await open(browser, '/api/tags', { viewport: { width: 390, height: 844 } });
  await page.getByRole('tab', { name: 'Query' }).click();
  await page.getByRole('button', { name: 'name', exact: true }).first().focus();
  await page.keyboard.press('ArrowLeft'); // from the first to the last
  await page.keyboard.press('Enter');
  const query = await page.evaluate(() => document.activeElement.title);
  assert.match(query, isFive ? /^status=|^pagination/ : /^publicationState=|^pagination/);
  await answered(page, `/api/tags?${query}`);
  assert.ok(await page.locator('.json').isVisible());
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'url');
});

test('no examples are made of entries that the caller may not read', async () => {
  page = await open(browser, '/api/commissions');
  await answered(page, '/api/commissions');
  await page.locator('#mistakes li').waitFor();
  await page.waitForFunction(() => !document.querySelector('.examples'));
});

test('types and attributes are found by name, with the keyboard alone', async () => {
  page = await open(browser, '/api/tags');
  const field = page.getByRole('combobox', { name: 'search types and attributes' });
  const list = page.getByRole('listbox', { name: 'types and attributes' });
  const chosen = () => list.getByRole('option', { selected: true }).locator('code').innerText();
  await page.keyboard.press('Tab');
  assert.ok(await field.evaluate((one) => one === document.activeElement));
  await page.keyboard.type('artic');
  assert.equal(await chosen(), 'Article');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.match(await chosen(), /^Article\./);
  assert.equal(
    await field.getAttribute('aria-activedescendant'),
    await list.getByRole('option', { selected: true }).getAttribute('id'),
  );
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await answered(page, '/api/articles');
  assert.equal(await list.count(), 0);

  for (const [typed, asked] of [
    ['author.rol', '/api/authors?fields=role'],
    ['homeTown', '/api/authors?populate=homeTown'],
  ]) {
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await answered(page, asked);
    assert.equal(await page.locator('#status').innerText(), '200');
  }
  await page.keyboard.type('tag');
  await page.keyboard.press('Escape');
  assert.equal(await list.count(), 0);
  assert.equal(await field.inputValue(), '');
  await page.keyboard.type('nowhere');
  await page.getByText('nothing has nowhere in its name').waitFor();
  await page.keyboard.press('Tab'); // leads on
  assert.equal(await page.evaluate(() => document.activeElement.innerText), 'History');
});
