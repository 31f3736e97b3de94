'use strict';
// One request that goes through a chain of middlewares, and what becomes of its query. There is no socket, and what the
// chain looks at is noted.
const { IncomingMessage, ServerResponse } = require('http');
const { Socket } = require('net');
const path = require('path');
const { guarded, watchUses, within } = require('./stand_ins');

const patience = 5; // seconds
const body = { data: { id: 1, documentId: 'probe', title: 'probe', attributes: { title: 'probe' } }, meta: {} };

// Of ctx, ctx.request and ctx.response: what follows from the query and the path, or changes the response's head alone.
const address = new Set(['path', 'url', 'originalUrl', 'querystring', 'search', 'href']);
const allowed = new Set([
  ...address,
  ...'query method request response state set append remove vary inspect toJSON status throw assert'.split(' '),
  ...'badRequest unauthorized forbidden notFound send'.split(' '),
]);
const settable = new Set(['query', 'url', 'querystring', 'search', 'status', 'body']);
const depth = 4; // of members that are noted

// The query; each member that is read is noted as its path.
const watchedQuery = (query, seen, at = []) =>
  new Proxy(query, {
    get(target, key) {
      const value = target[key];
      if (typeof key !== 'string' || typeof value === 'function') return value;
      seen.keys.add([...at, key].join('\0'));
      return value && typeof value === 'object' && at.length < depth ? watchedQuery(value, seen, [...at, key]) : value;
    },
  });

const watchedState = (state, seen) =>
  new Proxy(state, {
    get(target, key) {
      if (key === 'route') seen.address = true;
      else if (typeof key === 'string') seen.uses.add(`ctx.state.${key}`);
      return target[key];
    },
    set: (target, key) => seen.uses.add(`ctx.state.${String(key)}`),
  });

function watchedContext(ctx, seen) {
  return new Proxy(ctx, {
    get(target, key) {
      const value = target[key];
      if (typeof key === 'symbol' || key === 'then') return value;
      if (!allowed.has(key)) seen.uses.add(`ctx.${key}`);
      if (address.has(key)) seen.address = true;
      if (key === 'query') return watchedQuery(value, seen);
      if (key === 'state') return watchedState(value, seen);
      if (key === 'request' || key === 'response') return watchedContext(value, seen);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set(target, key, value) {
      if (!settable.has(key)) seen.uses.add(`ctx.${String(key)}`);
      target[key] = value;
      return true;
    },
  });
}

// Calls of a pattern on a text, by the project's own code: no text that could be tried shows what else it matches.
function watchPatterns(folder, seen) {
  const spied = [
    ...['test', 'exec'].map((name) => [RegExp.prototype, name]),
    ...['match', 'matchAll', 'search', 'replace', 'split'].map((name) => [String.prototype, name]),
  ];
  const undo = spied.map(([prototype, name]) => {
    const original = prototype[name];
    prototype[name] = function (...given) {
      const byPattern = prototype === RegExp.prototype || given[0] instanceof RegExp;
      const by = byPattern && new Error().stack.split('\n', 3)[2];
      if (by && by.includes(folder + path.sep) && !by.includes('node_modules')) seen.uses.add('a pattern');
      return original.apply(this, given);
    };
    return () => (prototype[name] = original);
  });
  return () => undo.forEach((each) => each());
}

// Date and chance are others in each of the two runs of a request.
function replaceGlobals(strapi, run) {
  const saved = { Date, strapi: globalThis.strapi };
  const { random } = Math;
  const now = saved.Date.now() + run * 5.4e10;
  globalThis.strapi = strapi;
  Math.random = () => (run ? 0.93 : 0.07);
  globalThis.Date = class extends saved.Date {
    constructor(...given) {
      super(...(given.length ? given : [now]));
    }
    static now() {
      return now;
    }
  };
  return () => {
    Object.assign(globalThis, saved);
    Math.random = random;
  };
}

const isPlain = (value) => [Object.prototype, Array.prototype, null].includes(Object.getPrototypeOf(value));
const isData = (value) =>
  value !== null && typeof value === 'object'
    ? isPlain(value) && Object.values(value).every(isData)
    : typeof value !== 'function';
const copy = (value) => JSON.parse(JSON.stringify(value));

function contextOf(strapi, url) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: 'GET', url, headers: { host: 'localhost' } });
  return strapi.server.app.createContext(request, new ServerResponse(request));
}

// chain: { strapi, folder, globals, own, hasPatterns }; action: { route, path, params }. To `keys` and `address` of `seen` is
// added. `run`, 0 or 1, is a time and a chance.
// { given, after: the query before and after; refused: why it did not pass as data; headers: those set }
async function send(chain, action, queryString, run, seen) {
  seen.uses = new Set();
  const strapi = guarded(chain.strapi, seen.uses);
  const ctx = contextOf(chain.strapi, action.path + (queryString && `?${queryString}`));
  const given = copy(ctx.query);
  const usesSince = watchUses();
  const undo = [replaceGlobals(strapi, run)];
  if (chain.hasPatterns) undo.push(watchPatterns(chain.folder, seen));
  let after;
  let passed = 0;
  let refused;
  const pass = (made, watched, i) => {
    if (i === chain.globals.length) {
      ctx.params = { ...action.params }; // known from here on
      ctx.state.route = action.route;
    }
    if (i < made.length) return made[i](watched, async () => pass(made, watched, i + 1));
    passed += 1;
    after = copy(ctx.query);
    if (!isData(ctx.query)) refused = 'it gives the query something that is not data';
    ctx.status = 200;
    ctx.body = copy(body);
    return undefined;
  };
  try {
    const made = [...chain.globals, ...chain.own].map((middleware) => middleware.make(strapi));
    await within(patience, (async () => pass(made, watchedContext(ctx, seen), 0))(), 'a request');
    if (passed !== 1) refused = `a request is answered with ${ctx.status} there`;
    else if (ctx.status !== 200 || JSON.stringify(ctx.body) !== JSON.stringify(body))
      refused = 'it changes the response';
  } catch (error) {
    refused = error.message;
  } finally {
    undo.forEach((each) => each());
  }
  const all = [...seen.uses, ...usesSince()];
  if (all.length) refused = `it uses ${all.join(', ')}`;
  const headers = copy(ctx.res.getHeaders());
  for (const name of ['content-type', 'content-length']) delete headers[name];
  return { given, after, refused, headers };
}

module.exports = { replaceGlobals, send };
