// Debian's chromium, asking nobody but the stack. Whatever a page complains of is collected.
import { chromium } from 'playwright-core';

export const site = process.env.STACK_URL;

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-sandbox', // root has none
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// The same site under a name that is not this machine's: to a browser, plain HTTP from elsewhere.
export const plain = site?.replace('127.0.0.1', 'plain.test');
const names = '--host-resolver-rules=MAP plain.test 127.0.0.1';

export const launch = () => chromium.launch({ executablePath: '/usr/bin/chromium', args: [...quiet, names] });

// A page of its own with the playground in it, once the first response is there. `complaints`: errors and
// warnings of the console, but for answers of 4xx to what is asked wrong on purpose, and for pictures of which the
// example has no file. `origin`: of the page; `prepare`: what is done with it before it is there.
export async function open(browser, url, { origin = site, prepare = async () => {}, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(90_000); // the machine runs other tests
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => {
    const refused = message.text().includes('status of 4') && /\/api\/|\.png$/.test(message.location().url);
    if (['error', 'warning'].includes(message.type()) && !refused) page.complaints.push(message.text());
  });
  page.on('pageerror', (error) => page.complaints.push(error.stack));
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    ),
  );
  await prepare(page);
  await page.goto(`${origin}/playground/${url ? `#${url}` : ''}`);
  await page.locator('#status').waitFor();
  return page;
}

// Waits until the response to this URL is on show.
export async function answered(page, url) {
  await page.waitForFunction(
    (expected) => document.querySelector('.status[aria-busy=false]')?.dataset.url === expected,
    url,
  );
}
