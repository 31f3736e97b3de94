'use strict';
// The routes of the API in the order in which Strapi tries them.
const { origin, packageOf } = require('./origin');

// The route that a layer of the router leads to: its first function says so to the context.
async function routeOf(layer) {
  let route;
  const state = {
    set route(value) {
      route = value;
      throw new Error('found');
    },
  };
  for (const f of layer.stack) {
    await (async () => f({ state }, async () => undefined))().catch(() => undefined);
    if (route) return route;
  }
  return undefined;
}

// Above the API's own are those that the project's code has added to the server.
const isOwn = (layer) => layer.stack.some((f) => origin(f).file && !packageOf(origin(f).file));

// A function: the first route that a path meets, with the pattern of its path; `route` is missing where it is not Strapi's.
async function router(strapi) {
  const layers = [...strapi.server.router.stack.filter(isOwn), ...strapi.server.api('content-api').listRoutes()];
  const routes = [];
  for (const layer of layers)
    if (layer.methods.includes('GET'))
      routes.push({ pattern: layer.path, regexp: layer.regexp, route: await routeOf(layer) });
  return (path) => routes.find(({ regexp }) => regexp.test(path));
}

module.exports = { router };
