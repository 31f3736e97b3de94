'use strict';
// A project on the disk, and its own Strapi, as far as register() and the routes.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { replaceData } = require('./stand_ins');

const oldest = [4, 15];

class Failure extends Error {}

const fail = (sentence) => {
  throw new Failure(sentence);
};

function ownerOf(file) {
  const { uid } = fs.statSync(file);
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.split(':')[2] === String(uid));
  return { uid, name: line ? line.split(':')[0] : `user ${uid}` };
}

// Root could do more than the CMS may, and who cannot read what the CMS reads sees another site.
function checkUser(folder) {
  const owner = ownerOf(folder);
  const advice = `run this as the CMS's user (${owner.name})`;
  if (process.getuid() === 0 && owner.uid !== 0) fail(`the code of ${folder} is not run as root: ${advice}`);
  for (const name of ['package.json', 'src', 'config', path.resolve(folder, process.env.ENV_PATH || '.env')]) {
    const file = path.resolve(folder, name);
    try {
      fs.accessSync(file, fs.constants.R_OK);
    } catch (error) {
      if (error.code === 'EACCES') fail(`${os.userInfo().username} cannot read ${file}: ${advice}`);
    }
  }
}

function packageFolder(name, from) {
  let at = require.resolve(name, { paths: from });
  const isPackage = (file) => fs.existsSync(file) && JSON.parse(fs.readFileSync(file)).name;
  do at = path.dirname(at);
  while (!isPackage(path.join(at, 'package.json')));
  return at;
}

function strapiOf(folder) {
  let strapi;
  try {
    strapi = packageFolder('@strapi/strapi', [folder]);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    fail(`@strapi/strapi is not installed in ${folder}: run npm install there`);
  }
  const { version } = JSON.parse(fs.readFileSync(path.join(strapi, 'package.json'), 'utf8'));
  const [major, minor] = version.split('.').map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]) || major > 5)
    fail(`${folder} has Strapi ${version}, and 4.15 to 5 can be described`);
  return { strapi, version, major };
}

// { folder, strapi: the folder of its package, version, major, require: of what Strapi itself can require }
function open(given) {
  const found = path.resolve(given);
  if (!fs.existsSync(path.join(found, 'package.json')))
    fail(`${found} has no package.json: give the folder of a Strapi project`);
  const folder = fs.realpathSync(found);
  checkUser(folder);
  const strapi = strapiOf(folder);
  return { folder, ...strapi, require: (name) => require(require.resolve(name, { paths: [strapi.strapi, folder] })) };
}

// Where the code is that runs: the folder itself, or what TypeScript was built into.
async function findBuild(project) {
  const typescript = project.require('@strapi/typescript-utils');
  project.dist = (await typescript.isUsingTypeScript(project.folder))
    ? await typescript.resolveOutDir(project.folder)
    : project.folder;
  if (!fs.existsSync(project.dist))
    fail(`${project.folder} is TypeScript, and ${project.dist} is missing: run npm run build there`);
}

// Keeps what is given to a method.
function keepGiven(object, name, keep) {
  const method = object[name].bind(object);
  object[name] = (...given) => {
    keep(...given);
    return method(...given);
  };
}

// Strapi with its routes made. `hooks` gets what register() attaches.
async function load(project, hooks) {
  await findBuild(project);
  const loaded = project.require('@strapi/strapi');
  const create = loaded.createStrapi || loaded.default || loaded;
  const strapi = create({ appDir: project.folder, distDir: project.dist, autoReload: false, serveAdminPanel: false });
  const replaced = replaceData(strapi, hooks);
  const container = strapi.container || strapi;
  const modules = new Map(); // what plugins and types export, which Strapi wraps
  keepGiven(container.get('modules'), 'add', (name, module) => modules.set(name, module));
  keepGiven(
    container.get('auth'),
    'register',
    (type, { authenticate }) => type === 'content-api' && hooks.strategies.push(authenticate),
  );
  const { app } = strapi.server;
  await strapi.register();
  const before = new Set(app.middleware);
  await strapi.server.initMiddlewares();
  const configured = new Set(app.middleware.filter((each) => !before.has(each)));
  strapi.server.initRouting();
  return { strapi, modules, replaced, configured };
}

module.exports = { open, load, Failure };
