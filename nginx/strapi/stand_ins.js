'use strict';
// What code gets in the place of what it may not have: of the database, of `strapi` in bootstrap(), and of `strapi` in a
// middleware that is asked what it does.
const { attempts } = require('./wall');

// Data that is not there. It can be called, read, gone through and compared, and is never anything.
const uses = { count: 0 };
const most = 100000; // what goes on until it finds something would go on for ever
function use() {
  if (++uses.count > most) throw new Error('asks for data without end');
  return data;
}
const data = new Proxy(() => {}, {
  get(target, key) {
    if (key === Symbol.iterator) return function* () {};
    if (key === Symbol.toPrimitive) return () => 0;
    if (key === 'length') return 0 * use();
    return key === 'then' || typeof key === 'symbol' ? undefined : use();
  },
  apply: use,
  construct: use,
  set: () => true,
  has: () => true,
});

const withData = (members) => new Proxy(members, { get: (target, key) => (key in target ? target[key] : data[key]) });

// A function that gives what has been used, since this, of what is not there.
function watchUses() {
  const before = [uses.count, attempts.length];
  return () => [
    ...(uses.count > before[0] ? ['data or the request'] : []),
    ...(attempts.length > before[1] ? ['the network, programs or files'] : []),
  ];
}

// Strapi's ways to its database, which keep the hooks that they are given, and to the request.
function replaceData(strapi, hooks) {
  const keep = (list) => (hook) => {
    list.push(hook);
    return () => list.splice(list.indexOf(hook), 1);
  };
  const lifecycles = { subscribe: keep(hooks.lifecycles), clear() {}, disable() {}, enable() {} };
  const replaced = {
    db: withData({ lifecycles }),
    entityService: withData(Object.create({ decorate: keep(hooks.entityService) })), // its own members are replaced ones
  };
  strapi.requestContext.get = use;
  if (strapi.serviceMap) {
    replaced.documents = Object.assign(use, { use: keep(hooks.documents), utils: data });
    for (const [name, value] of Object.entries(replaced)) strapi.serviceMap.set(name, value);
  } else Object.assign(strapi, replaced, { store: data, webhookStore: data, entityValidator: data }); // made after register()
  return replaced;
}

// What bootstrap() gets for Strapi's parts: they can be read and replaced, and nothing of them is run but what leads to
// others of them, changes no data, or lists what a request meets.
const leading = new Set(['service', 'controller', 'plugin', 'api', 'policy', 'middleware', 'hook', 'get']);
const reading = new Set(['contentType', 'getModel', 'config']);
const whole = new Set(
  'config contentTypes components server sanitizers validators auth features db documents entityService'.split(' '),
);
const isObject = (value) => value !== null && ['object', 'function'].includes(typeof value);
const part = (object, kept = new Set()) =>
  new Proxy(object, {
    get(target, key) {
      const value = target[key];
      if (typeof key === 'symbol' || !isObject(value) || kept.has(key)) return value;
      if (typeof value !== 'function') return part(value);
      if (reading.has(key)) return value.bind(target);
      return leading.has(key) ? (...given) => led(value.apply(target, given)) : use();
    },
    set(target, key, value) {
      target[key] = value;
      return true;
    },
  });
const led = (value) => (isObject(value) ? part(value) : value);
const standIn = (strapi) => part(strapi, whole);

class Unknown extends Error {}

// What a middleware may use of `strapi` without a request's answer depending on more than the query.
const silent = new Proxy(() => {}, {
  get: (target, key) => (key === 'then' ? undefined : silent),
  apply: () => silent,
});
const known = new Set(['config', 'contentTypes', 'components', 'getModel', 'contentType', 'dirs', 'EE']);
const guarded = (strapi, used) =>
  new Proxy(
    {},
    {
      has: () => true,
      get(target, key) {
        if (typeof key === 'symbol' || key === 'then') return undefined;
        if (key === 'log') return silent;
        if (known.has(key)) return typeof strapi[key] === 'function' ? strapi[key].bind(strapi) : strapi[key];
        used.add(`strapi.${key}`);
        throw new Unknown(`uses strapi.${key}`);
      },
    },
  );

const within = (seconds, promise, what) => {
  let timer;
  const late = new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Unknown(`${what} takes more than ${seconds} seconds`)), 1000 * seconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

module.exports = { watchUses, replaceData, standIn, guarded, within, Unknown };
