// sites_test.mjs PACKAGES FOLDER [NAME]: sites in the ways in which they are installed, the templates of create-strapi-app, the forms
// in which middlewares are written, and what is said where a project cannot be described.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, describeScript, env, makeProject, read, run, secrets, write } from './project.mjs';
import { done, verify } from './verify.mjs';
import { index } from './traps.mjs';
import { forms } from './forms.mjs';

const [packages, folder, named = ''] = process.argv.slice(2);
const release = read(path.join(packages, 'node_modules/@strapi/strapi/package.json')).version;
let made = 0;
const place = () => path.join(folder, `site-${made++}`);
const project = (files) => makeProject(place(), packages, files);

async function described(site, given, options) {
  const said = await describe(site, given, options);
  assert.equal(said.error, '');
  assert.equal(said.status, 0);
  assert.ok(said.megabytes < 350, `${said.megabytes} MB`);
  assert.ok(said.seconds < 15, `${said.seconds} seconds of a processor`);
  return JSON.parse(said.out);
}

const servedPlainly = (said) =>
  Object.entries(said.actions).flatMap(([uid, actions]) =>
    Object.entries(actions)
      .filter(([, { handedOver, effect }]) => !handedOver && !effect)
      .map(([name]) => `${uid} ${name}`),
  );

async function fails(site, sentence, { given = [], status = 1, ...options } = {}) {
  const said = await describe(site, given, options);
  assert.match(said.error, sentence);
  assert.equal(said.error.split('\n').length, 2, said.error);
  assert.equal(said.out, '');
  assert.equal(said.status, status);
  for (const value of Object.values(secrets)) assert.ok(!said.error.includes(value), said.error);
}

const rows = {
  async 'the same project gives the same bytes'() {
    const site = project();
    const [first, second] = [await describe(site), await describe(site)];
    assert.equal(first.out, second.out);
    assert.equal(first.status, 0);
  },

  async 'middlewares do what they do in the forms in which people write them'() {
    const type = (name) =>
      JSON.stringify({
        kind: 'collectionType',
        collectionName: `${name}s`,
        options: {},
        info: { singularName: name, pluralName: `${name}s`, displayName: name },
        attributes: { title: { type: 'string' } },
      });
    const files = Object.assign(
      {},
      ...forms.map(({ code }, at) => {
        const name = `form${at}x`;
        const made = (what) =>
          `module.exports = require('@strapi/strapi').factories.createCore${what}('api::${name}.${name}'`;
        return {
          [`src/api/${name}/content-types/${name}/schema.json`]: type(name),
          [`src/api/${name}/controllers/${name}.js`]: `${made('Controller')});`,
          [`src/api/${name}/services/${name}.js`]: `${made('Service')});`,
          [`src/api/${name}/routes/${name}.js`]: `${made('Router')}, { config: { find: { middlewares: ['api::${name}.fill'] } } });`,
          [`src/api/${name}/middlewares/fill.js`]: code,
        };
      }),
    );
    const { actions } = await described(project(files));
    forms.forEach(({ name, effect = {}, unknown }, at) => {
      const { find, findOne } = actions[`api::form${at}x.form${at}x`];
      if (unknown) return assert.match(String(find.handedOver), unknown, name);
      assert.equal(find.handedOver, undefined, name);
      if (find.effect?.watched) find.effect.watched = Object.keys(find.effect.watched);
      assert.deepEqual(find.effect || {}, effect, name);
      return assert.deepEqual(findOne.effect, undefined, name);
    });
  },

  async 'a secret that a middleware says, or gives the query, is not in it'() {
    const site = project({
      'config/middlewares.js':
        "module.exports = [...['logger', 'errors', 'security', 'cors', 'poweredBy', 'session', 'query', 'body', 'favicon', 'public'].map((name) => `strapi::${name}`), 'global::tell'];",
      'src/middlewares/tell.js': `module.exports = () => (ctx, next) => {
        if (ctx.path === '/api/tags') throw new Error(\`bad key \${process.env.API_TOKEN_SALT}\`);
        if (ctx.path === '/api/pages') ctx.query.filters = { key: process.env.JWT_SECRET };
        return next(); };`,
    });
    const { out, status } = await describe(site);
    assert.equal(status, 0);
    for (const value of Object.values(secrets)) assert.ok(!out.includes(value), value);
    const { actions } = JSON.parse(out);
    assert.match(actions['api::tag.tag'].find.handedOver.join(), /bad key \$API_TOKEN_SALT/);
    assert.match(actions['api::page.page'].find.handedOver.join(), /secret/);
    assert.equal(actions['api::faq.faq'].find.handedOver, undefined);
  },

  async 'a stamp has each file of code once, and changes with its content'() {
    const site = project();
    const before = (await described(site)).files;
    for (const name of [
      '.env',
      'package.json',
      'config/api.js',
      'src/index.js',
      'src/api/tag/content-types/tag/schema.json',
    ])
      assert.match(before[name], /^[0-9a-f]{16}$/, name);
    assert.ok(Object.keys(before).every((name) => !name.startsWith('..')));
    fs.utimesSync(path.join(site, 'src/index.js'), 1, 1);
    write(site, { 'config/api.js': 'module.exports = { rest: { maxLimit: 50 } };', 'src/new.js': '' });
    const { files } = await described(site);
    assert.deepEqual(
      Object.keys(files).filter((name) => files[name] !== before[name]),
      ['config/api.js', 'src/new.js'],
    );
  },

  async 'a package of a workspace, with links for packages, met through a link'() {
    const root = place();
    const site = makeProject(path.join(root, 'apps/cms'), packages);
    fs.rmSync(path.join(site, 'node_modules'));
    for (const name of Object.keys(read(path.join(site, 'package.json')).dependencies)) {
      fs.mkdirSync(path.dirname(path.join(root, 'node_modules', name)), { recursive: true });
      fs.symlinkSync(fs.realpathSync(path.join(packages, 'node_modules', name)), path.join(root, 'node_modules', name));
    }
    write(root, { 'package.json': JSON.stringify({ name: 'all', private: true, workspaces: ['apps/*'] }) });
    fs.symlinkSync(site, `${root}-link`);
    const said = await described(`${root}-link`);
    assert.equal(said.strapi, release);
    assert.equal(servedPlainly(said).length, Object.values(said.actions).flatMap(Object.keys).length);
    assert.ok(Object.keys(said.files).every((name) => !name.startsWith('..')));
  },

  async 'a project that its user may only read'() {
    if (process.getuid() !== 0) return;
    const site = project();
    fs.rmSync(path.join(site, 'node_modules'));
    fs.mkdirSync(path.join(site, 'node_modules'));
    const scripts = place();
    fs.cpSync(path.dirname(describeScript), scripts, { recursive: true });
    const mounted = `mount --bind "$2" "$2" && mount -o remount,bind,ro "$2" &&
      mount --bind -o ro "$1/node_modules" "$2/node_modules" && exec setpriv --reuid=65534 --regid=65534 --clear-groups node "$3" "$2"`;
    const before = await run(['find', site]);
    const said = await run([
      'unshare',
      '--mount',
      'sh',
      '-ec',
      mounted,
      'sh',
      packages,
      site,
      path.join(scripts, 'describe.js'),
    ]);
    assert.equal(said.error, '');
    assert.equal(JSON.parse(said.out).strapi, release);
    assert.equal((await run(['find', site])).out, before.out);
  },

  async 'hooks are unknown where bootstrap() is not run'() {
    const said = await described(project(), ['--no-bootstrap']);
    assert.deepEqual(said.handedOver, ['no bootstrap() was run']);
  },

  async 'a bootstrap() that does not end'() {
    const said = await described(project({ 'src/index.js': index('', 'await new Promise(() => {});') }));
    assert.match(said.handedOver.join(), /bootstrap\(\) of the project at src\/index\.js:3/);
  },

  'wrong usage': () =>
    fails('a', /^usage: node describe\.js PROJECT \[--no-bootstrap\]\n$/, { given: ['b'], status: 64 }),
  'a folder that is none': () =>
    fails('/nowhere', /^describe: \/nowhere has no package\.json: give the folder of a Strapi project\n$/),
  'packages that are not installed'() {
    const site = project();
    fs.rmSync(path.join(site, 'node_modules'));
    return fails(site, /^describe: @strapi\/strapi is not installed in \S+: run npm install there\n$/);
  },
  'an old Strapi'() {
    const site = project();
    fs.rmSync(path.join(site, 'node_modules'));
    write(site, {
      'node_modules/@strapi/strapi/package.json': '{"name":"@strapi/strapi","version":"4.14.6"}',
      'node_modules/@strapi/strapi/index.js': '',
    });
    return fails(site, /^describe: \S+ has Strapi 4\.14\.6, and 4\.15 to 5 can be described\n$/);
  },
  'TypeScript that is not built': () =>
    fails(
      project({ 'src/types.ts': 'export {};', 'tsconfig.json': '{"compilerOptions":{"outDir":"dist"}}' }),
      /^describe: \S+ is TypeScript, and \S+\/dist is missing: run npm run build there\n$/,
    ),
  'a plugin that is missing': () =>
    fails(
      project({ 'config/plugins.js': 'module.exports = { graphql: { enabled: true } };' }),
      /^describe: Strapi does not load: .*graphql.*\n$/,
    ),
  'another user’s project, as root'() {
    if (process.getuid() !== 0) return undefined;
    const site = project();
    fs.chownSync(site, 65534, 65534);
    return fails(site, /^describe: the code of \S+ is not run as root: run this as the CMS's user \(nobody\)\n$/);
  },
  'settings that cannot be read'() {
    if (process.getuid() !== 0) return undefined;
    const site = project();
    fs.chmodSync(path.join(site, '.env'), 0o600);
    const scripts = place();
    fs.cpSync(path.dirname(describeScript), scripts, { recursive: true });
    return run([
      'setpriv',
      '--reuid=65534',
      '--regid=65534',
      '--clear-groups',
      'node',
      path.join(scripts, 'describe.js'),
      site,
    ]).then(({ error }) =>
      assert.match(error, /^describe: nobody cannot read \S+\.env: run this as the CMS's user \(root\)\n$/),
    );
  },
  'register() that waits for a host': () =>
    fails(
      project({ 'src/index.js': index("\n    await fetch('http://flags.internal:8080/all');") }),
      /^describe: src\/index\.js:3 connects to flags\.internal:8080, .*\n$/,
    ),
  'register() that ends the process': () =>
    fails(
      project({ 'src/index.js': index('if (!process.env.WANTED) process.exit(1);') }),
      /^describe: src\/index\.js:2 ends the process, .*\n$/,
    ),
  'register() that throws a secret': () =>
    fails(
      project({ 'src/index.js': index('throw new Error(`no such key: ${process.env.JWT_SECRET}`);') }),
      /^describe: Strapi does not load: no such key: \$JWT_SECRET\n$/,
    ),
};

// A template of create-strapi-app as it is deployed: compiled where it is TypeScript.
async function template(name) {
  const from = path.join(packages, 'node_modules/create-strapi-app/templates', name);
  const site = place();
  fs.cpSync(from, site, { recursive: true });
  write(site, {
    'package.json': JSON.stringify({
      name: 'site',
      version: '1.0.0',
      dependencies: read(path.join(packages, 'package.json')).dependencies,
    }),
    '.env': env({
      HOST: '0.0.0.0',
      PORT: 1337,
      ...secrets,
      DATABASE_CLIENT: 'mysql',
      DATABASE_HOST: '127.0.0.1',
      DATABASE_NAME: 'site',
      DATABASE_USERNAME: 'strapi',
    }),
  });
  fs.mkdirSync(path.join(site, 'public/uploads'), { recursive: true });
  fs.symlinkSync(path.join(packages, 'node_modules'), path.join(site, 'node_modules'));
  if (fs.existsSync(path.join(site, 'tsconfig.json'))) {
    const { status, out } = await run([path.join(site, 'node_modules/.bin/tsc'), '--project', site]);
    assert.equal(status, 0, out);
  }
  const said = await described(site);
  assert.equal(said.handedOver, undefined);
  assert.equal(servedPlainly(said).length, Object.values(said.actions).flatMap(Object.keys).length);
  assert.deepEqual(said.settings.database.password, { variable: 'DATABASE_PASSWORD' });
  assert.deepEqual(said.settings.jwtSecret, { variable: 'JWT_SECRET' });
  assert.deepEqual(said.settings.apiTokenSalt, { variable: 'API_TOKEN_SALT' });
}
const templates = path.join(packages, 'node_modules/create-strapi-app/templates');
for (const name of fs.existsSync(templates) ? fs.readdirSync(templates) : [])
  rows[`the template ${name}`] = () => template(name);

for (const [name, check] of Object.entries(rows)) if (name.includes(named)) await verify(name, check);
done();
