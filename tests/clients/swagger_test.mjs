// Swagger UI in Debian's chromium, with the flat document of the demo: it opens the list of articles in
// the time that a person waits, and asks for it.
//   STACK_URL=… node swagger_test.mjs
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { articles } from './demo.mjs';

// Seconds from the page's address to the open operation. Those that its thread runs are counted: other
// tests may have the processors for as long again.
const limit = 5;
const files = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const page = `<!doctype html><meta charset="utf-8"><title>Content API</title><link rel="stylesheet" href="/ui/swagger-ui.css">
<div id="ui"></div><script src="/ui/swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ url: '/_openapi/flat', dom_id: '#ui', docExpansion: 'none' })</script>`;
const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

// Swagger UI and the stack at one origin.
const server = createServer(async (request, response) => {
  if (request.url === '/') return response.setHeader('Content-Type', types.html).end(page);
  if (request.url.startsWith('/ui/')) {
    const file = request.url.slice(4);
    return response.setHeader('Content-Type', types[file.split('.').at(-1)]).end(await readFile(join(files, file)));
  }
  const received = await fetch(process.env.STACK_URL + request.url);
  response.writeHead(received.status, { 'Content-Type': received.headers.get('Content-Type') });
  return response.end(Buffer.from(await received.arrayBuffer()));
});

let browser;
let site;
before(async () => {
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  site = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
});
after(async () => {
  await browser.close();
  server.close();
});

test('Swagger UI opens a list and asks for it', async () => {
  const tab = await browser.newPage();
  const complaints = [];
  tab.on('pageerror', (error) => complaints.push(error.stack));
  tab.setDefaultTimeout(60_000); // how late it is, is to be said
  const inspector = await tab.context().newCDPSession(tab);
  await inspector.send('Performance.enable', { timeDomain: 'threadTicks' });
  const begun = performance.now();
  await tab.goto(site);
  await tab.locator('#operations-tag-Article').click();
  const list = tab.locator('#operations-Article-listArticle');
  await list.locator('.opblock-summary-control').click();
  await list.getByRole('button', { name: 'Try it out' }).waitFor();
  await list.locator('.model-example').first().waitFor();
  const passed = (performance.now() - begun) / 1_000;
  const { metrics } = await inspector.send('Performance.getMetrics');
  const { value: took } = metrics.find(({ name }) => name === 'ThreadTime');
  console.log(`open after ${took.toFixed(2)} s of its thread, ${passed.toFixed(2)} s on the clock`);
  assert.ok(took > 0.1 && took < limit, `open after ${took} s`);

  await list.getByRole('button', { name: 'Try it out' }).click();
  const received = tab.waitForResponse((response) => new URL(response.url()).pathname === '/api/articles');
  await list.getByRole('button', { name: 'Execute' }).click();
  const { data, meta } = await (await received).json();
  assert.equal(meta.pagination.total, articles.length);
  assert.ok(articles.some(({ title }) => title === data[0].attributes.title));
  assert.deepEqual(complaints, []);
});
