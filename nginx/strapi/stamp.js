'use strict';
// The files that a description holds for, by content. A file of the project that is changed, missing or new makes it stale.
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const { packageOf } = require('./origin');

const code = /\.(json|[cm]?js|[cm]?ts)$/;
const elsewhere = new Set(['node_modules', 'admin', 'documentation']); // src/admin is the panel's

function* filesBelow(folder, isWanted) {
  if (!fs.existsSync(folder)) return;
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory() && !elsewhere.has(entry.name)) yield* filesBelow(at, isWanted);
    else if (isWanted.test(entry.name)) yield at;
  }
}

function* described({ folder, dist, strapi }, plugins) {
  for (const root of new Set([folder, dist]))
    for (const name of ['src', 'config']) yield* filesBelow(path.join(root, name), code);
  yield* filesBelow(path.join(folder, 'patches'), /./);
  for (const name of ['package.json', 'package-lock.json', 'yarn.lock', 'pnpm-lock.yaml'])
    yield path.join(folder, name);
  yield path.resolve(folder, process.env.ENV_PATH || '.env');
  for (const name of [strapi, ...plugins]) yield path.join(name, 'package.json');
  yield* Object.keys(require.cache).filter((file) => !packageOf(file));
}

// { path from the project: the first 16 hexadecimal digits of the content's SHA-256 }, of files in the project alone: no
// name leads out of it, nor does a link.
function stamp(project, plugins) {
  const files = {};
  for (const file of described(project, plugins)) {
    if (!fs.existsSync(file) || !fs.statSync(file).isFile()) continue;
    const name = path.relative(project.folder, fs.realpathSync(file));
    if (name.startsWith('..') || path.isAbsolute(name)) continue;
    files[name] = crypto.createHash('sha256').update(fs.readFileSync(file)).digest('hex').slice(0, 16);
  }
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
}

module.exports = { stamp };
