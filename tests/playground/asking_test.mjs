// How the page at /playground/ helps to ask, in a browser, on the demo:
//   STACK_URL=… node asking_test.mjs [5]      the version of Strapi that the demo has the content of
import assert from 'node:assert/strict';
import test, { after, afterEach, before } from 'node:test';
import { answered, launch, open, site } from './browser.mjs';

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
  assert.match(await about(), /\$contains has this text in it/);
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

test('so are the parts of a zone', async () => {
  page = await open(browser, '/api/pages?populate[blocks][on][blocks.hero]=1');
  await box(/^blocks\.hero /).focus();
  assert.match(await about(), /blocks\.hero component[^]*heading/);
});
