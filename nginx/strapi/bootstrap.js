'use strict';
// Each bootstrap() of the project and its plugins, run with a Strapi that has no data: what it attaches and replaces is
// then there to be described, and nothing else happens.
const { isStrapis, place } = require('./origin');
const { standIn, within } = require('./stand_ins');

const patience = 10; // seconds

// Strapi wraps what plugins and types export; `modules` has that itself.
function* bootstraps(strapi, modules) {
  for (const [name, module] of modules) yield [name, module.bootstrap, module];
  yield ['the project', strapi.app?.bootstrap, strapi.app];
}

async function run(bootstrap, self, strapi) {
  const saved = { strapi: globalThis.strapi, setInterval };
  globalThis.strapi = standIn(strapi);
  globalThis.setInterval = () => ({ ref() {}, unref() {} });
  try {
    await within(patience, (async () => bootstrap.call(self, { strapi: globalThis.strapi }))(), 'it');
  } finally {
    Object.assign(globalThis, saved);
  }
}

// The reasons why what they attach is not known.
async function runBootstraps({ strapi, modules }, folder) {
  const unknown = [];
  for (const [who, bootstrap, self] of bootstraps(strapi, modules)) {
    if (typeof bootstrap !== 'function' || isStrapis(bootstrap)) continue;
    try {
      await run(bootstrap, self, strapi);
    } catch (error) {
      unknown.push(`bootstrap() of ${who} at ${place(bootstrap, folder)} does not end without data: ${error.message}`);
    }
  }
  return unknown;
}

module.exports = { runBootstraps };
