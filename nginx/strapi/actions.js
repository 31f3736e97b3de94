'use strict';
// Each read action of the API: the reasons for which the CMS has to answer it, or what the middlewares in its way do.
const { effectOf } = require('./effect');
const { decorated, readsOf } = require('./hooks');
const { globalMiddlewares, routeMiddlewares } = require('./middlewares');
const { foreign, origin, place } = require('./origin');
const secrets = require('./secrets');

const id = 'probeid';
const userType = 'plugin::users-permissions.user';
const fileType = 'plugin::upload.file';
// What a read calls besides its own action.
const ofControllers = ['sanitizeQuery', 'validateQuery', 'sanitizeOutput', 'transformResponse'];
const ofServices = ['getFetchParams'];
const services = { [userType]: ['user', ['fetch', 'fetchAll', 'count']], [fileType]: ['file', ['signFileUrls']] };
const known = new Set(['auth', 'policies', 'middlewares', 'prefix', 'description', 'tag', 'tags', 'roles']); // members of a route's config

// [uid, action, path below the prefix]
function* actionsOf(strapi) {
  for (const { uid, kind, info } of Object.values(strapi.contentTypes)) {
    if (!uid.startsWith('api::')) continue;
    yield [uid, 'find', kind === 'singleType' ? `/${info.singularName}` : `/${info.pluralName}`];
    if (kind !== 'singleType') yield [uid, 'findOne', `/${info.pluralName}/${id}`];
  }
  if (strapi.plugins.upload) {
    yield [fileType, 'find', '/upload/files'];
    yield [fileType, 'findOne', `/upload/files/${id}`];
    if (strapi.plugin('upload').controller('content-api').findPage) yield [fileType, 'findPage', '/upload/files/page'];
  }
  if (strapi.plugins['users-permissions'])
    yield* [
      [userType, 'find', '/users'],
      [userType, 'findOne', `/users/${id}`],
      [userType, 'count', '/users/count'],
      [userType, 'me', '/users/me'],
    ];
  if (strapi.plugins.i18n) yield ['plugin::i18n.locale', 'find', '/i18n/locales'];
}

const foreignIn = (object, names, what, folder) =>
  foreign(object, names).map((name) => `${what} ${name} is at ${place(object[name], folder)}`);

// [controller, action] of a route whose handler is a name
function handlerOf({ handler, info }, strapi) {
  const at = handler.lastIndexOf('.');
  const name = handler.slice(0, at);
  const controller = info?.pluginName
    ? strapi.plugin(info.pluginName).controller(name)
    : strapi.controller(info?.apiName ? `api::${info.apiName}.${name}` : name) || strapi.controller(name);
  return [controller, handler.slice(at + 1)];
}

// Why it is not Strapi's own code that answers.
function codeOf(uid, action, route, { strapi, folder }) {
  if (typeof route.handler !== 'string') return ['its route has a function of its own'];
  const [controller, name] = handlerOf(route, strapi);
  if (uid.startsWith('api::')) {
    if (controller !== strapi.controller(uid) || name !== action) return [`its route goes to ${route.handler}`];
    return [
      ...foreignIn(controller, [action, ...ofControllers], 'controller', folder),
      ...foreignIn(strapi.service(uid), [action, ...ofServices], 'service', folder),
    ];
  }
  const [service, names] = services[uid] || [];
  return [
    ...foreignIn(controller, [name], 'controller', folder),
    ...(service ? foreignIn(strapi.plugin(uid.split(/::|\./)[1]).service(service), names, 'service', folder) : []),
  ];
}

// What every read goes through, and is not Strapi's.
function codeOfAll({ strapi, folder }, hooks, replaced, major) {
  const permissions = strapi.plugins['users-permissions'];
  const service = (name) => permissions && strapi.plugin('users-permissions').service(name);
  const registered = ['content-api.input', 'content-api.output', 'content-api.query'];
  return [
    ...foreignIn(replaced.db, undefined, 'of the database,', folder),
    ...foreignIn(service('jwt'), ['getToken', 'verify'], 'service jwt', folder),
    ...foreignIn(service('permission'), undefined, 'service permission', folder),
    ...foreignIn(service('user'), ['fetchAuthenticatedUser'], 'service user', folder),
    ...['sanitizers', 'validators'].flatMap((list) =>
      registered.flatMap((name) => foreignIn([...strapi[list].get(name)], undefined, `${list} of ${name}`, folder)),
    ),
    ...foreignIn(hooks.strategies, undefined, 'a strategy of authentication', folder),
    ...(major === 4 ? decorated(hooks, replaced) : []),
  ];
}

class Describer {
  constructor(loaded, project, hooks, route) {
    const { strapi } = loaded;
    Object.assign(this, { strapi, folder: project.folder, project, hooks, route, effects: new Map() });
    this.stringify = project.require('qs').stringify;
    this.prefix = strapi.config.get('api.rest.prefix') || '/api';
    this.globals = globalMiddlewares(loaded, project);
  }

  // The same chain does the same at each path if it does not look at the path.
  async effect(route, path) {
    const own = routeMiddlewares(route, this.strapi, this.project);
    if (!own.length && !this.globals.length) return { effect: {} };
    const params = path.endsWith(`/${id}`) ? { id } : {};
    const key = JSON.stringify([own.map(({ name, f }) => [name, origin(f)]), Object.keys(params)]);
    if (this.effects.has(key)) return this.effects.get(key);
    const chain = { strapi: this.strapi, folder: this.folder, globals: this.globals, own };
    const result = await effectOf(chain, { route, path, params }, this.stringify);
    if (!result.address) this.effects.set(key, result);
    return result;
  }

  // Why the CMS has to answer, as far as the route says.
  reasons(uid, action, { route, pattern }, path) {
    if (!route) return ['its route is not one of Strapi'];
    const { config = {} } = route;
    const { auth, policies = [] } = config;
    const scopes = auth?.scope?.length === 1 && Object.keys(auth).length === 1;
    const unknown = Object.keys(config).filter((name) => !known.has(name));
    return [
      ...(pattern === path.replace(id, ':id') || path.endsWith('/me') ? [] : [`its route is ${pattern}`]),
      ...codeOf(uid, action, route, this),
      ...(policies.length ? ['its route has policies'] : []),
      ...(auth === undefined || auth === false || scopes ? [] : ['its route asks for other permissions']),
      ...(unknown.length ? [`its route is configured with ${unknown.join(', ')}`] : []),
    ];
  }

  async action(uid, action, below) {
    const path = this.prefix.replace(/\/$/, '') + below;
    const described = { path: path.replace(id, ':id') };
    const found = this.route(path);
    if (!found) return { ...described, handedOver: ['it has no route'] };
    const { route } = found;
    const handedOver = this.reasons(uid, action, found, path);
    const reads = await readsOf(this.strapi.contentTypes[uid], action, this.hooks, this);
    handedOver.push(...reads.reasons);
    const { effect, unknown } = handedOver.length ? {} : await this.effect(route, path);
    if (unknown) handedOver.push(`a middleware in its way: ${unknown}`);
    if (effect && secrets.isIn(effect)) handedOver.push('a middleware gives the query a secret');
    if (handedOver.length) return { ...described, handedOver: handedOver.map(secrets.hide) };
    const watched = { ...reads.watched, ...effect.watched };
    if (route.config?.auth === false) described.auth = false;
    if (route.request?.query) described.parameters = Object.keys(route.request.query);
    const changed = { ...effect, ...(Object.keys(watched).length ? { watched } : {}) };
    return Object.keys(changed).length ? { ...described, effect: changed } : described;
  }

  async actions() {
    const actions = {};
    for (const [uid, action, path] of actionsOf(this.strapi))
      (actions[uid] ??= {})[action] = await this.action(uid, action, path);
    return actions;
  }
}

module.exports = { Describer, codeOfAll };
