'use strict';
// What code does to reads beside their routes: lifecycle hooks, document middlewares, decorators of the entity service.
const { sourcesOf } = require('./middlewares');
const { isStrapis, foreign, place } = require('./origin');
const { replaceGlobals } = require('./request');
const { guarded, watchUses, within } = require('./stand_ins');
const { wordsOf } = require('./effect');

const patience = 5; // seconds
// What the reads of an action end in: methods of the document service and events of the database.
const one = { methods: ['findOne', 'findFirst'], events: ['beforeFindOne', 'afterFindOne'] };
const count = { methods: ['count'], events: ['beforeCount', 'afterCount'] };
const many = { methods: ['findMany', ...count.methods], events: ['beforeFindMany', 'afterFindMany', ...count.events] };
const endIn = { find: many, findPage: many, findOne: one, me: one, count };
// Parameters that are there only if a request names them, and the request's name for them.
const optional = { populate: 'populate', fields: 'fields', select: 'fields', sort: 'sort', orderBy: 'sort' };
const standard = new Set([
  ...Object.keys(optional),
  ...'where filters limit offset page pageSize start pagination locale status publicationState lookup'.split(' '),
  ...'documentId hasPublishedVersion _q'.split(' '),
]);

const usual = [
  {},
  { where: { $and: [{ publishedAt: { $notNull: true } }, { id: { $eq: 1 } }] }, limit: 25, offset: 0 },
  { status: 'published', locale: 'xx', filters: { probe: { $eq: 'a' } }, pagination: { page: 2 }, documentId: 'probe' },
  { status: 'draft' },
];
const usualOf = (word) => [
  { locale: word },
  { status: word },
  { filters: { [word]: { $eq: 'probe' } } },
  { where: { [word]: 'probe' } },
];
const chosenOf = (word) => [
  ...[word, [word], { [word]: true }].map((populate) => ({ populate })),
  ...['fields', 'select'].map((name) => ({ [name]: [word] })),
  ...['sort', 'orderBy'].flatMap((name) => [{ [name]: word }, { [name]: { [word]: 'asc' } }]),
];

// An object that must stay as it is.
function untouched(object, touch) {
  const touched = (key) => typeof key === 'symbol' || key === 'then' || touch();
  return new Proxy(object, {
    get: (target, key) => touched(key) && target[key],
    set: (target, key) => touched(key) || true,
    ownKeys: (target) => touch() && Reflect.ownKeys(target),
  });
}

class Reader {
  constructor(strapi) {
    Object.assign(this, { strapi, watched: {} });
  }

  // Why a read with these parameters is not left as it is, at two times and by two chances.
  async change(call, sample, isList) {
    return (await this.changeOnce(call, sample, isList, 0)) || this.changeOnce(call, sample, isList, 1);
  }

  // `call` gets the parameters and the result.
  async changeOnce(call, sample, isList, run) {
    const used = new Set();
    const usesSince = watchUses();
    const params = JSON.parse(JSON.stringify(sample));
    const entry = { id: 1, documentId: 'probe' };
    const result = untouched(isList ? [entry] : entry, () => used.add('the result'));
    const read = (key) => {
      if (standard.has(key)) this.looked = true;
      else if (typeof key === 'string' && !(key in Object.prototype)) this.watched[key] = 'a hook looks for it';
    };
    const seen = new Proxy(params, {
      get: (target, key) => (read(key), target[key]),
      has: (target, key) => (read(key), key in target),
      ownKeys: (target) => ((this.looked = true), Reflect.ownKeys(target)),
    });
    const undo = replaceGlobals(guarded(this.strapi, used), run);
    try {
      const returned = await within(patience, call(seen, result), 'it');
      if (returned !== result) return 'it changes what is read';
    } catch (error) {
      return error.message;
    } finally {
      undo();
    }
    const all = [...used, ...usesSince()];
    if (all.length) return `it uses ${all.join(', ')}`;
    return JSON.stringify(params) === JSON.stringify(sample) ? undefined : 'it changes parameters';
  }

  // Why no read is known to stay as it is. Parameters with which one does not stay are added to `watched`.
  async changeOfAll(call, f, isList) {
    this.looked = false;
    const first = await this.change(call, usual[0], isList);
    if (first || !this.looked) return first;
    const words = wordsOf(sourcesOf(f), {});
    for (const sample of [...usual, ...words.flatMap(usualOf)]) {
      const why = await this.change(call, sample, isList);
      if (why) return why;
    }
    for (const sample of ['*', 'probe', ...words].flatMap(chosenOf)) {
      const why = await this.change(call, sample, isList);
      if (why) this.watched[optional[Object.keys(sample)[0]]] = `a hook: ${why}`;
    }
    return undefined;
  }
}

const onDocuments = (f, type, action) => (params, result) => {
  const context = { uid: type.uid, contentType: type, action, params };
  return (async () => f(context, async () => (context.params === params ? result : undefined)))();
};

const onEvent = (subscriber, event, type) => async (params, result) => {
  const model = {
    uid: type.uid,
    singularName: type.info.singularName,
    tableName: type.collectionName,
    attributes: type.attributes,
  };
  const given = { action: event, model, state: {}, params, ...(event.startsWith('after') ? { result } : {}) };
  await (typeof subscriber === 'function' ? subscriber(given) : subscriber[event](given));
  if (given.params !== params) return undefined;
  return event.startsWith('after') ? given.result : result;
};

// Each hook of an action's reads: [what it is, its function, the call of it, whether it reads a list]
function* hooksOf(type, action, hooks) {
  const { methods, events } = endIn[type.kind === 'singleType' ? 'findOne' : action];
  for (const f of hooks.documents)
    for (const method of methods) yield [`document middleware`, f, onDocuments(f, type, method), method === 'findMany'];
  for (const subscriber of [...hooks.lifecycles, type.lifecycles || {}]) {
    const every = typeof subscriber === 'function';
    if (subscriber.models && !subscriber.models.includes(type.uid)) continue;
    for (const event of events.filter((name) => every || typeof subscriber[name] === 'function'))
      yield [
        `lifecycle hook ${event}`,
        every ? subscriber : subscriber[event],
        onEvent(subscriber, event, type),
        event.endsWith('Many'),
      ];
  }
}

// { reasons, watched } of the reads of a type by an action
async function readsOf(type, action, hooks, { strapi, folder }) {
  const reader = new Reader(strapi);
  const reasons = new Set();
  for (const [what, f, call, isList] of hooksOf(type, action, hooks)) {
    const why = isStrapis(f) ? undefined : await reader.changeOfAll(call, f, isList);
    if (why) reasons.add(`${what} at ${place(f, folder)}: ${why}`);
  }
  return { reasons: [...reasons], watched: reader.watched };
}

// Of Strapi 4 all reads go through the entity service.
const decorated = (hooks, { entityService }) => [
  ...hooks.entityService.map(() => 'the entity service is decorated'),
  ...foreign(entityService).map((name) => `the entity service's ${name} is replaced`),
];

module.exports = { readsOf, decorated };
