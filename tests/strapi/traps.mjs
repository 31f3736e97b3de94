// What real projects do, each made of the example project singly: the files it writes, what its src/index.js does, and all
// that the description then has otherwise than that of the example. `five` is whether the project is of Strapi 5.
const factories = "const { factories } = require('@strapi/strapi');\n";

// src/index.js, which has the custom field of the example.
export const index = (register, bootstrap = '') => `module.exports = {
  async register({ strapi }) { strapi.customFields.register({ name: 'color', type: 'string' }); ${register} },
  async bootstrap({ strapi }) { ${bootstrap} },
};`;

export const filesOf = ({ files, register = '', bootstrap = '' }) =>
  register || bootstrap ? { ...files, 'src/index.js': index(register, bootstrap) } : files;

// All of them in one project.
export function atOnce(traps) {
  const merged = {};
  for (const { name, ...trap } of traps)
    for (const [key, value] of Object.entries(trap)) merged[key] = merge(merged[key], value);
  return merged;
}

const isObject = (value) => value && Object.getPrototypeOf(value) === Object.prototype;
function merge(left, right) {
  if (typeof left === 'string' && typeof right === 'string') return `${left}\n${right}`;
  if (Array.isArray(left)) return [...left, ...right];
  if (!isObject(left) || !isObject(right)) return right;
  const merged = { ...left };
  for (const [key, value] of Object.entries(right)) merged[key] = key in left ? merge(left[key], value) : value;
  return merged;
}

export const traps = (five) => [
  {
    name: 'a connection that is put together, in a zone of its own',
    files: {
      'config/database.js': `module.exports = ({ env }) => {
        const client = env('DATABASE_CLIENT', 'mysql');
        const all = { mysql: { connection: { host: env('DATABASE_HOST', 'db.internal'), port: env.int('DATABASE_PORT', 3307),
          database: 'site', user: 'strapi', password: env('DATABASE_PASSWORD'), timezone: '+02:00' } } };
        return { connection: { client, ...all[client] } };
      };`,
    },
    settings: {
      timeZone: '+02:00',
      database: {
        client: 'mysql',
        host: 'db.internal',
        port: 3307,
        name: 'site',
        user: 'strapi',
        ssl: false,
        timezone: '+02:00',
        password: { variable: 'DATABASE_PASSWORD' },
      },
    },
  },
  {
    name: 'limits, prefix and strict parameters, and others in production',
    files: {
      'config/api.js': `module.exports = { rest: { prefix: '/content', defaultLimit: 7, maxLimit: 33, withCount: false,
        strictParams: true }, responses: { privateAttributes: ['secretNote'] } };`,
      'config/env/production/api.js': 'module.exports = { rest: { maxLimit: 44 } };',
    },
    prefix: '/content',
    settings: {
      rest: {
        prefix: '/content',
        defaultLimit: 7,
        maxLimit: 44,
        withCount: false,
        strictParams: true,
        privateAttributes: ['secretNote'],
      },
    },
  },
  {
    name: 'files that are private, sessions that are refreshed, no i18n',
    files: {
      'src/provider.js': 'module.exports = { init: () => ({ isPrivate: () => true, upload() {}, delete() {} }) };',
      'config/plugins.js': `module.exports = ({ env }) => ({ i18n: { enabled: false },
        upload: { config: { provider: require.resolve('../src/provider.js') } },
        'users-permissions': { config: { jwtSecret: env('JWT_SECRET'), jwtManagement: 'refresh' } } });`,
    },
    settings: { jwtManagement: 'refresh', upload: { private: true } },
    // Strapi 5 cannot be without.
    absent: five ? [] : ['plugin::i18n.locale'],
  },
  {
    name: 'global middlewares: one that fills in `populate` of a path, one that sets a header',
    files: {
      'config/middlewares.js': `module.exports = ['strapi::logger', 'strapi::errors', 'strapi::security',
        { name: 'strapi::cors', config: { origin: ['https://example.org'] } }, 'strapi::poweredBy', 'strapi::session',
        { name: 'strapi::query', config: { arrayLimit: 30 } }, 'strapi::body', 'strapi::favicon', 'strapi::public',
        'global::deep', { resolve: './src/middlewares/note' }];`,
      'src/middlewares/deep.js': `module.exports = () => async (ctx, next) => {
        if (/* below any prefix */ ctx.request.url.includes('/tags') && !ctx.query.populate) ctx.query.populate = '*';
        await next(); };`,
      'src/middlewares/note.js':
        "module.exports = () => async (ctx, next) => { await next(); ctx.set('X-Note', '1'); };",
    },
    settings: { rest: { arrayLimit: 30, cors: { origin: ['https://example.org'] } } },
    headers: { 'x-note': '1' },
    effects: {
      'api::tag.tag': {
        find: { default: { populate: '*' }, emptyIsAbsent: ['populate'] },
        findOne: { default: { populate: '*' }, emptyIsAbsent: ['populate'] },
      },
    },
  },
  five
    ? {
        name: 'a document middleware in another file',
        files: {
          'src/hide.js': `exports.attach = (strapi) => strapi.documents.use(async (context, next) => {
            const result = await next();
            if (context.uid === 'api::product.product' && context.action === 'findMany') return result.filter((x) => x.id % 2);
            return result; });`,
        },
        register: "require('./hide').attach(strapi);",
        handedOver: { 'api::product.product': { find: /document middleware at src\/hide\.js:1/ } },
      }
    : {
        name: 'a decorated entity service',
        bootstrap: `strapi.entityService.decorate((service) => ({
          findPage: async (uid, options) => service.findPage.call(service, uid, options) }));`,
        all: /entity service is decorated/,
      },
  ...(five
    ? []
    : [
        {
          name: 'a plugin for which `populate=deep` means all',
          files: {
            'config/plugins.js': `module.exports = ({ env }) => ({ 'strapi-plugin-populate-deep': { enabled: true,
            resolve: './node_modules/strapi-plugin-populate-deep' },
            'users-permissions': { config: { jwtSecret: env('JWT_SECRET') } } });`,
          },
          watched: (action) => action !== 'count' && ['populate'],
        },
      ]),
  {
    name: 'an attribute made private, and a custom field',
    register: "strapi.contentType('api::author.author').attributes.name.private = true;",
    attributes: { 'api::author.author': { name: { type: 'string', required: true, private: true } } },
  },
  {
    name: 'an attribute that bootstrap() makes private',
    bootstrap: `if ((await strapi.db.query('api::tag.tag').count()) === 0) await strapi.db.query('api::tag.tag').create({ data: {} });
      strapi.contentTypes['api::author.author'].attributes.bio.private = true;`,
    attributes: { 'api::author.author': { bio: { type: 'richtext', private: true } } },
  },
  {
    name: 'bootstrap() subscribes to reads of a type',
    bootstrap: `strapi.db.lifecycles.subscribe({ models: ['api::page.page'],
      beforeFindMany(event) { event.params.where = { ...event.params.where, id: { $gt: 2 } }; } });`,
    handedOver: { 'api::page.page': { find: /lifecycle hook beforeFindMany at src\/index\.js:\d/ } },
  },
  {
    name: 'bootstrap() adds a middleware to the server',
    bootstrap: "strapi.server.use(async (ctx, next) => { await next(); ctx.set('X-Use', '1'); });",
    headers: { 'x-use': '1' },
  },
  {
    name: 'bootstrap() replaces the service of a type',
    bootstrap: "strapi.service('api::faq.faq').find = async () => ({ results: [], pagination: {} });",
    handedOver: { 'api::faq.faq': { find: /service find is at src\/index\.js:\d/ } },
  },
  {
    name: 'a hook that asks who asks',
    register: five
      ? `strapi.documents.use(async (context, next) => {
          if (context.uid !== 'api::article.article' || context.action !== 'findMany') return next();
          return strapi.requestContext.get()?.state.user ? [] : next(); });`
      : `strapi.db.lifecycles.subscribe({ models: ['api::article.article'],
          afterFindMany(event) { if (strapi.requestContext.get()?.state.user) event.result = []; } });`,
    handedOver: { 'api::article.article': { find: /src\/index\.js:\d+: it changes what is read/ } },
  },
  {
    name: 'lifecycle hooks of writes alone',
    files: {
      'src/api/category/content-types/category/lifecycles.js':
        'module.exports = { beforeCreate(event) { event.params.data.name = "x"; }, afterUpdate() {} };',
    },
  },
  {
    name: 'lifecycle hooks of reads',
    files: {
      'src/api/event/content-types/event/lifecycles.js': `module.exports = { beforeFindMany(event) {
        event.params.where = { $and: [event.params.where, { id: { $gt: 2 } }] }; } };`,
    },
    handedOver: {
      'api::event.event': { find: /lifecycle hook beforeFindMany at src\/api\/event\/.*lifecycles\.js:1/ },
    },
  },
  {
    name: 'a service with a `find` of its own',
    files: {
      'src/api/comment/services/comment.js': `${factories}module.exports = factories.createCoreService('api::comment.comment',
        () => ({ async find(...given) { return super.find(...given); } }));`,
    },
    handedOver: { 'api::comment.comment': { find: /service find is at src\/api\/comment\/services\/comment\.js:3/ } },
  },
  {
    name: 'a controller that changes what is shown',
    files: {
      'src/api/reaction/controllers/reaction.js': `${factories}module.exports = factories.createCoreController(
        'api::reaction.reaction', () => ({ async sanitizeOutput(data) { return data; } }));`,
    },
    handedOver: {
      'api::reaction.reaction': { find: /controller sanitizeOutput is at/, findOne: /controller sanitizeOutput is at/ },
    },
  },
  {
    name: 'a controller with a `create` and an action of its own',
    files: {
      'src/api/profile/controllers/profile.js': `${factories}module.exports = factories.createCoreController(
        'api::profile.profile', () => ({ async create(ctx) { return super.create(ctx); }, async extra() { return {}; } }));`,
    },
  },
  {
    name: 'a route that comes before the one of an entry',
    files: {
      'src/api/node/routes/00-slug.js': `module.exports = { routes: [{ method: 'GET', path: '/nodes/:slug',
        handler: 'node.findOne', config: { auth: false } }] };`,
    },
    handedOver: { 'api::node.node': { findOne: /its route is \/\w+\/nodes\/:slug/ } },
  },
  {
    name: 'a route left out, and one with a policy',
    files: {
      'src/api/scalar/routes/scalar.js': `${factories}module.exports = factories.createCoreRouter('api::scalar.scalar',
        { except: ['findOne'], config: { find: { policies: ['global::only'] } } });`,
      'src/policies/only.js': 'module.exports = (context) => context.state.user != null;',
    },
    handedOver: { 'api::scalar.scalar': { find: /policies/, findOne: /no route/ } },
  },
  {
    name: 'a route without permissions, and one with a middleware in it',
    files: {
      'src/api/long/routes/long.js': `${factories}module.exports = factories.createCoreRouter('api::long.long', { config: {
        find: { auth: false },
        findOne: { middlewares: [(ctx, next) => { ctx.query.populate = ['x']; return next(); }] } } });`,
    },
    open: { 'api::long.long': ['find'] },
    effects: { 'api::long.long': { findOne: { always: { populate: ['x'] } } } },
  },
  {
    name: 'an extension of the users’ plugin',
    files: {
      'src/extensions/users-permissions/strapi-server.js': five
        ? `module.exports = (plugin) => { const made = plugin.controllers.user;
            plugin.controllers.user = (given) => ({ ...(typeof made === 'function' ? made(given) : made),
              async find(ctx) { ctx.body = []; } });
            return plugin; };`
        : `module.exports = (plugin) => { const { find } = plugin.controllers.user;
            plugin.controllers.user.find = async (ctx) => { await find(ctx); };
            return plugin; };`,
    },
    handedOver: { 'plugin::users-permissions.user': { find: /controller find is at src\/extensions\// } },
  },
];
