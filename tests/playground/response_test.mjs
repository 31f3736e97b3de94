// What the page at /playground/ makes of responses, in a browser, on the demo:
//   STACK_URL=… node response_test.mjs [5]      the version of Strapi that the demo has the content of
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after, afterEach, before } from 'node:test';
import { answered, launch, open, plain, site } from './browser.mjs';

const isFive = process.argv[2] === '5';
let browser;
let page;
before(async () => void (browser = await launch()));
after(() => browser.close());
afterEach(async () => {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

const tab = (name) => page.getByRole('tab', { name }).click();
// How often a text is on show.
const occurrences = async (text) => (await page.locator('body').innerText()).split(text).length - 1;

test('the root of the site leads here', async () => {
  page = await open(browser, '');
  await page.goto(`${site}/`);
  assert.equal(new URL(page.url()).pathname, '/playground/');
  await page.locator('#status').waitFor();
});

test('an error is told once, and its answer is there to be looked at', async () => {
  page = await open(browser, '');
  for (const [wrong, message] of [
    ['/api/articles?fields=titel', /Invalid \w+ titel/],
    ['/api/articles?populate[author][fields]=nmae', /Invalid \w+ nmae/],
    ['/api/articles?pagination[page]=two', /expected a \w+/],
    ['/api/nothing', /Not Found/],
  ]) {
    await page.locator('#url').fill(wrong);
    await answered(page, wrong);
    const said = await page.locator('#mistakes').innerText();
    assert.match(said, message);
    const told = message.exec(said)[0];
    assert.equal(await occurrences(told), 1, wrong);
    assert.equal(await occurrences('does not exist'), 0);
    await page.getByText('The answer as it came').click();
    assert.match(await page.locator('.json').innerText(), message);
    await page.getByText('The answer as it came').click();
  }
});

test('copying works without TLS, too', async () => {
  const asked = '/api/articles?fields=title';
  page = await open(browser, asked, { origin: plain });
  assert.equal(await page.evaluate(() => navigator.clipboard), undefined);
  await tab('Copy');
  const copy = page.locator('.snippet', { hasText: 'curl' }).getByRole('button');
  await copy.click();
  assert.equal(await copy.innerText(), 'copied');
  await page.getByText('Public', { exact: true }).click();
  await page.locator('#token').focus();
  await page.keyboard.press('Control+V');
  assert.equal(await page.locator('#token').inputValue(), `curl -g '${plain}${asked}'`);
});

test('where copying is forbidden, the text is selected for Ctrl+C', async () => {
  page = await open(browser, '/api/articles?fields=title', { origin: plain });
  await page.evaluate(() => void (document.execCommand = () => false));
  await tab('Copy');
  const copy = page.locator('.snippet').first().getByRole('button');
  await copy.click();
  assert.equal(await copy.innerText(), 'press Ctrl+C');
  assert.equal(await page.evaluate(() => getSelection().toString()), `${plain}/api/articles?fields=title`);
});

test('the headers of the answer are on show, and its bytes can be had as a file', async () => {
  const asked = '/api/articles?fields=title&pagination[pageSize]=2';
  page = await open(browser, asked, { acceptDownloads: true });
  const response = await fetch(site + asked);
  const headers = page.locator('.headers');
  assert.match(await headers.innerText(), new RegExp(`etag\\s+(W/)?${response.headers.get('etag').replace('W/', '')}`));
  assert.doesNotMatch(await headers.innerText(), /content-type/);
  await headers.getByText('Headers').click();
  assert.match(await headers.innerText(), /content-type\s+application\/json; charset=utf-8/);
  assert.equal((await headers.innerText()).match(/etag/g).length, 1);

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  assert.equal(file.suggestedFilename(), 'articles.json');
  assert.equal(readFileSync(await file.path(), 'utf8'), await response.text());
});

test('files of the answer have thumbnails, and what is no picture of this site leaves no trace', async () => {
  const asked = '/api/articles?fields=title&populate=cover&pagination[pageSize]=3';
  page = await open(browser, asked);
  const picture = page.locator('.pictures img');
  await picture.first().waitFor();
  const { data } = await (await fetch(site + asked)).json();
  const covers = data.flatMap((entry) => (isFive ? entry.cover : entry.attributes.cover.data?.attributes) ?? []);
  assert.ok(covers.length);
  const shown = await picture.evaluateAll((all) =>
    all.map((one) => [one.getAttribute('src'), one.alt, one.loading, one.clientWidth < 100, one.clientHeight < 100]),
  );
  assert.deepEqual(
    shown,
    covers.map(({ formats, alternativeText }) => [formats.thumbnail.url, alternativeText, 'lazy', true, true]),
  );

  const image = (url, name) => ({ id: 1, mime: 'image/png', url, name, alternativeText: null });
  await page.route('**/uploads/broken.png', (route) => route.fulfill({ contentType: 'image/png', body: 'none' }));
  const whole = covers[0].formats.thumbnail.url;
  for (const [url, visible] of [
    [whole, ['whole']],
    ['/uploads/broken.png', []],
    ['https://example.org/elsewhere.png', []],
    ['http://[', []],
    ['javascript:alert(1)', []],
  ]) {
    const wanted = `/api/articles?_q=${encodeURIComponent(url)}`;
    await page.route(
      (at) => at.pathname === '/api/articles' && at.searchParams.get('_q') === url,
      (route) => route.fulfill({ json: { data: [image(url, 'whole')] } }),
    );
    await page.locator('#url').fill(wanted);
    await answered(page, wanted);
    await page.waitForFunction((names) => {
      const all = [...document.querySelectorAll('.pictures img')];
      return all.every((one) => one.complete) && all.map((one) => one.alt).join() === names;
    }, visible.join());
    assert.match(await page.locator('.json').innerText(), /whole/, url);
  }
});

test('a request is known by the id that a server in front gave it', async () => {
  page = await open(browser, '');
  await page.route('**/api/articles?fields=slug', (route) =>
    route.fulfill({ json: { data: [] }, headers: { 'X-Request-Id': 'b7e1', 'Cache-Control': 'max-age=5' } }),
  );
  await page.locator('#url').fill('/api/articles?fields=slug');
  await answered(page, '/api/articles?fields=slug');
  assert.match(await page.locator('.headers').innerText(), /cache-control\s+max-age=5\s*x-request-id\s+b7e1/);
});

test('the type of the answer is there to be copied', async () => {
  page = await open(browser, '/api/articles?fields=title&populate[author][fields]=role');
  await tab('Copy');
  const type = page.locator('.snippet', { hasText: 'TypeScript' }).locator('pre');
  const roles = /role: ('\w+' \| )+null;/;
  assert.match(await type.innerText(), /^export type ArticleAnswer = \{\n {2}data: Array<\{\n {4}id: number;/);
  assert.match(await type.innerText(), roles);
  assert.doesNotMatch(await type.innerText(), /slug|cover/);
  assert.equal(/attributes/.test(await type.innerText()), !isFive);
  if (!isFive) return;
  await page.locator('#format').selectOption('v4');
  assert.match(
    await type.innerText(),
    /author: \{\n +data: \{\n +id: number;\n +documentId: [^]*attributes: \{\n +role:/,
  );
});
