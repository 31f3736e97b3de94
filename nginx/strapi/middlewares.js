'use strict';
// The middlewares that a request goes through and that are not Strapi's: those of config/middlewares, those that code has
// added to the server, and those of its route.
const fs = require('fs');
const path = require('path');
const { isStrapis, origin, packageOf, place } = require('./origin');
const { Unknown } = require('./stand_ins');

const passing = (ctx, next) => next();

function required(file, { folder, dist }) {
  let found;
  try {
    found = require.resolve(file, { paths: [folder] });
  } catch {
    found = path.resolve(dist, file);
  }
  const loaded = require(found);
  return loaded?.__esModule ? loaded.default : loaded;
}

// One as it is configured: { name, f: what makes it, or it itself, make: one more of it, with that `strapi` }.
function middlewareOf(item, strapi, project) {
  if (typeof item === 'function') return { name: place(item, project.folder), f: item, make: () => item };
  const { name, resolve, config = {} } = typeof item === 'string' ? { name: item } : item;
  const f = name ? strapi.middleware(name) : required(resolve, project);
  const make = (given) => {
    try {
      return f(config, { strapi: given }) || passing;
    } catch (error) {
      throw new Unknown(`${name || resolve} cannot be made: ${error.message}`);
    }
  };
  return { name: name || resolve, f, make };
}

const isForeign = ({ name, f }) => !/^strapi::/.test(name) && !isStrapis(f);

function globalMiddlewares({ strapi, configured }, project) {
  const listed = (strapi.config.get('middlewares') || []).map((item) => middlewareOf(item, strapi, project));
  const added = strapi.server.app.middleware.filter((f) => !configured.has(f));
  return [...listed, ...added.map((f) => middlewareOf(f, strapi, project))].filter(isForeign);
}

const routeMiddlewares = (route, strapi, project) =>
  (route.config?.middlewares || []).map((item) => middlewareOf(item, strapi, project)).filter(isForeign);

// The text of a function's file and of the project's files that it requires.
function sourcesOf(f) {
  const seen = new Set();
  const read = (file) => {
    if (!file || seen.has(file) || packageOf(file) || !fs.existsSync(file)) return;
    seen.add(file);
    for (const child of require.cache[file]?.children || []) read(child.filename);
  };
  read(origin(f).file);
  return [...seen].map((file) => fs.readFileSync(file, 'utf8')).join('\n') || String(f);
}

module.exports = { globalMiddlewares, routeMiddlewares, sourcesOf };
