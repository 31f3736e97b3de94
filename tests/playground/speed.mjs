// How soon the page of a model with cycles is there, how large it is and how long a tick takes, printed:
//   STACK_URL=… node speed.mjs
import assert from 'node:assert/strict';
import { launch, open } from './browser.mjs';

const browser = await launch();
const page = await open(browser, '');
// Chromium reports a paint some time after it.
await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length);
const paint = await page.evaluate(() => ({
  first: performance.getEntriesByName('first-contentful-paint')[0].startTime,
  tree: performance.getEntriesByName('tree')[0].startTime,
}));
console.log(`first paint ${Math.round(paint.first)} ms, tree ${Math.round(paint.tree)} ms`);

const weight = await page.evaluate(() =>
  performance
    .getEntries()
    .filter(({ name }) => name.includes('/playground/'))
    .reduce((sum, { encodedBodySize = 0 }) => sum + encodedBodySize, 0),
);
console.log(`${(weight / 1024).toFixed(1)} KiB compressed`);
assert.ok(weight > 10_000 && weight <= 40 * 1024);

// Levels are opened, as deep as relations go in circles; then boxes of all levels are ticked. Each time
// is that of the page's work, layout included.
const times = await page.evaluate(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const measure = async (element) => {
    const begin = performance.now();
    element.click();
    document.body.getBoundingClientRect();
    const time = performance.now() - begin;
    await frame();
    return time;
  };
  document.querySelector('.live input').click(); // no questions meanwhile
  const folds = [];
  for (let i = 0; i < 40; i++) {
    const closed = document.querySelectorAll('.tree .fold[aria-expanded=false]');
    folds.push(await measure(closed[Math.floor(closed.length / 2)]));
  }
  const boxes = document.querySelectorAll('.tree input[data-row]').length;
  const ticks = [];
  for (let i = 0; i < 100; i++) {
    const all = document.querySelectorAll('.tree input[data-row]');
    const box = all[Math.floor((i * all.length) / 100)];
    ticks.push(await measure(box));
    if (i % 10) box.click(); // a few stay
  }
  const field = document.querySelector('#search');
  const letters = [];
  for (const typed of ['a', 'ar', 'art', 't', 'ti', 'tit']) {
    const begin = performance.now();
    field.value = typed;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await frame();
    document.body.getBoundingClientRect();
    letters.push(performance.now() - begin);
  }
  return { boxes, folds, ticks, letters, found: document.querySelectorAll('#candidates li').length };
});
const statistics = (all) => {
  const sorted = [...all].sort((a, b) => a - b);
  const at = (share) => sorted[Math.ceil(share * sorted.length) - 1].toFixed(1);
  return `median ${at(0.5)} ms, 95 of 100 within ${at(0.95)} ms, longest ${at(1)} ms`;
};
console.log(`${times.boxes} boxes; to open a row: ${statistics(times.folds)}; a tick: ${statistics(times.ticks)}`);
console.log(`a letter of the search: ${statistics(times.letters)}`);
assert.ok(times.boxes > 500);
assert.ok(times.found > 0 && times.found <= 30); // however large the model is
assert.deepEqual(page.complaints, []);
await browser.close();
