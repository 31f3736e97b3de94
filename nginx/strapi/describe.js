'use strict';
// describe PROJECT [--no-bootstrap]: prints what a Strapi project is, as its own code says: README.md.
const { performance } = require('perf_hooks');
const v8 = require('v8');
const { attempts, raise } = require('./wall');
const { open, load, Failure } = require('./project');
const { runBootstraps } = require('./bootstrap');
const { router } = require('./routes');
const { Describer, codeOfAll } = require('./actions');
const { settings, learnSecrets } = require('./settings');
const { types } = require('./types');
const { stamp } = require('./stamp');
const secrets = require('./secrets');

const usage = 'usage: node describe.js PROJECT [--no-bootstrap]';
const patience = 20; // seconds

const format = 1;
const exit = process.exit.bind(process);
const out = process.stdout.write.bind(process.stdout);
const complain = process.stderr.write.bind(process.stderr);

function end(status, write, text) {
  write(text, () => exit(status));
}

// Strapi's register() with what waits for a host waits for ever. It is given up when nothing else goes on.
function orStuck(promise) {
  let timer;
  const stuck = new Promise((resolve, reject) => {
    const reached = () => attempts.find(({ what, isStrapis }) => what === 'connects' && !isStrapis);
    const giveUp = () => reject(Object.assign(new Error('it waits for ever'), { attempt: reached() }));
    process.once('beforeExit', giveUp);
    process.once('uncaughtException', reject);
    let last = performance.eventLoopUtilization();
    timer = setInterval(() => {
      const now = performance.eventLoopUtilization();
      const isIdle = performance.eventLoopUtilization(now, last).utilization < 0.1;
      if (isIdle && reached()) giveUp();
      last = now;
    }, 1000 * patience).unref();
  });
  return Promise.race([promise, stuck]).finally(() => clearInterval(timer));
}

// One sentence, without what only a programmer of Strapi can use.
function sentence(error) {
  if (error instanceof Failure) return error.message;
  const { at, what, host } = error.attempt || {};
  if (at) return `${at} ${what}${host ? ` to ${host}` : ''}, and a project is described without that`;
  return `Strapi does not load: ${String(error.message || error).split('\n')[0]}`;
}

function fail(error) {
  secrets.learn([]);
  end(1, complain, `describe: ${secrets.hide(sentence(error))}\n`);
}

async function describe(project, withBootstrap) {
  const hooks = { documents: [], lifecycles: [], entityService: [], strategies: [] };
  const loaded = await orStuck(load(project, hooks));
  const { strapi, replaced } = loaded;
  learnSecrets(strapi);
  const unknown = withBootstrap ? await runBootstraps(loaded, project.folder) : ['no bootstrap() was run'];
  const handedOver = [...unknown, ...codeOfAll({ strapi, folder: project.folder }, hooks, replaced, project.major)];
  const described = {
    format,
    strapi: project.version,
    node: process.version,
    environment: process.env.NODE_ENV ?? null,
    settings: await settings(strapi),
    handedOver: handedOver.length ? handedOver : undefined,
    actions: await new Describer(loaded, project, hooks, await router(strapi)).actions(),
  };
  const enabled = Object.values(strapi.config.get('enabledPlugins') || {}).map(({ pathToPlugin }) => pathToPlugin);
  return { ...secrets.hideIn(described), ...types(strapi), files: stamp(project, enabled.filter(Boolean)) };
}

// The heap of new objects stays small: Node 24 would take 550 MB where 280 are enough.
v8.setFlagsFromString('--semi-space-growth-factor=1');

async function main(given) {
  const folders = given.filter((each) => !each.startsWith('-'));
  const options = given.filter((each) => each.startsWith('-'));
  if (folders.length !== 1 || options.some((each) => each !== '--no-bootstrap')) return end(64, complain, `${usage}\n`);
  const project = open(folders[0]);
  process.chdir(project.folder);
  Object.assign(process.env, {
    STRAPI_TELEMETRY_DISABLED: 'true',
    STRAPI_DISABLE_UPDATE_NOTIFICATION: 'true',
    STRAPI_HIDE_STARTUP_MESSAGE: 'true',
  });
  raise(project.folder);
  process.on('uncaughtException', () => {}); // of what goes on by itself
  process.on('unhandledRejection', () => {});
  const described = await describe(project, !options.length);
  return end(0, out, `${JSON.stringify(described, null, 1)}\n`);
}

main(process.argv.slice(2)).catch(fail);
