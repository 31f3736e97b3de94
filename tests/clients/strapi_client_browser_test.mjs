// @strapi/client in Debian's chromium, on a page of another origin: it sends Content-Type with every
// question, so the browser asks first whether it may.
//   STACK_URL=… RECORDED=… node strapi_client_browser_test.mjs
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { recordedBody, apiTokens } from './recorded.mjs';

const bundle = join(dirname(createRequire(import.meta.url).resolve('@strapi/client')), 'bundle.browser.iife.min.js');
const page = '<!doctype html><meta charset="utf-8"><title>Site</title><script src="/client.js"></script>';

const server = createServer(async (request, response) => {
  const script = request.url === '/client.js';
  response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html').end(script ? await readFile(bundle) : page);
});

let browser;
let tab;
before(async () => {
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
  tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
});
after(async () => {
  await browser.close();
  server.close();
});

// What the page gets: the response, or the client's error.
const ask = (auth, type, headers) =>
  tab.evaluate(async ([url, token, single, more]) => {
    const client = window.strapi.strapi({ baseURL: `${url}/api`, auth: token, headers: more });
    return client.single(single).find({ fields: 'title' }).catch(({ name, message }) => ({ name, message }));
  }, [process.env.STACK_URL, auth, type, headers]);

test('without a token', async () => {
  assert.deepEqual(await ask(undefined, 'homepage'), recordedBody('auth-0014'));
});

test('with a token', async () => {
  assert.deepEqual(await ask(apiTokens.readonly, 'homepage'), recordedBody('auth-0014'));
});

// The middleware strapi::cors names four headers by default, and this is none of them.
test('but not with a header that pages of other origins may not send', async () => {
  const { name } = await ask(undefined, 'homepage', { 'Strapi-Response-Format': 'v4' });
  assert.equal(name, 'TypeError');
});

test('errors reach the page', async () => {
  const { name } = await ask(apiTokens.expired, 'homepage');
  assert.equal(name, 'HTTPAuthorizationError');
});
