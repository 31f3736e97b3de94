// Forms in which middlewares of routes are written, and what each does to the query: read off its code.
// A query that is set as a whole is written as text and read again; a member of it stays as it is.
const populate = { seo: { populate: { image: 'true' } } };
const member = { seo: { populate: { image: true } } };
const outer = 'const populate = { seo: { populate: { image: true } } };\n';
const middleware = (body, before = '', inside = '') =>
  `${before}module.exports = (config, { strapi }) => { ${inside} return async (ctx, next) => { ${body}\n await next(); }; };`;

export const forms = [
  {
    name: 'sets it',
    code: middleware('ctx.query.populate = { seo: { populate: { image: true } } };'),
    effect: { always: { populate: member } },
  },
  {
    name: 'of a constant, with a log',
    code: middleware("console.dir(ctx.query); ctx.query.populate = populate; strapi.log.info('x');", outer),
    effect: { always: { populate: member } },
  },
  {
    name: 'of a constant inside',
    code: middleware('ctx.query = { ...ctx.query, populate };', '', outer),
    effect: { always: { populate } },
  },
  {
    name: 'as a default',
    code: middleware('ctx.query = { populate, ...ctx.query };', outer),
    effect: { default: { populate } },
  },
  {
    name: 'if there is none',
    code: middleware("if (!ctx.query.populate) ctx.query.populate = ['seo'];"),
    effect: { default: { populate: ['seo'] }, emptyIsAbsent: ['populate'] },
  },
  {
    name: 'spread over all',
    code: middleware('ctx.query = { ...ctx.query, ...fixed };', "const fixed = { populate: ['header.logo'] };\n"),
    effect: { always: { populate: ['header.logo'] } },
  },
  {
    name: 'all else is dropped',
    code: middleware(
      'ctx.query = { populate, filters: { slug: ctx.query.filters?.slug }, locale: ctx.query.locale };',
      outer,
    ),
    effect: { always: { populate }, pick: { filters: ['slug'] }, keep: ['populate', 'filters', 'locale'] },
  },
  { name: 'drops all', code: middleware('ctx.query = {};'), effect: { keep: [] } },
  { name: 'drops one', code: middleware('delete ctx.query.status;'), effect: { dropped: ['status'] } },
  {
    name: 'a parameter of its own',
    code: middleware("if (ctx.query.preview === 'yes') ctx.query.status = 'draft';"),
    effect: { watched: ['preview'] },
  },
  {
    name: 'a value that means another',
    code: middleware("if (ctx.query.populate === 'deep') ctx.query.populate = '*';"),
    effect: { watched: ['populate'] },
  },
  {
    name: 'a text of the address',
    code: middleware("if (ctx.url.includes('preview=1')) ctx.query.status = 'draft';"),
    effect: { watched: ['preview'] },
  },
  {
    name: 'two that depend on each other',
    code: middleware('if (ctx.query.sort && ctx.query.locale) delete ctx.query.fields;'),
    unknown: /depend on each other/,
  },
  {
    name: 'the user',
    code: middleware("if (!ctx.state.user) ctx.query.populate = '*';"),
    unknown: /uses ctx\.state\.user/,
  },
  { name: 'a header', code: middleware("if (ctx.get('x-all')) ctx.query.populate = '*';"), unknown: /uses ctx\.get/ },
  {
    name: 'the hour',
    code: middleware('ctx.query.filters = { hour: new Date().toISOString() };'),
    unknown: /not do the same twice/,
  },
  {
    name: 'a pattern',
    code: middleware("if (/^x.*y$/.test(ctx.query.sort)) ctx.query.populate = '*';"),
    unknown: /a pattern/,
  },
  {
    name: 'the database',
    code: middleware("await strapi.db.query('api::tag.tag').count();"),
    unknown: /uses strapi\.db/,
  },
  {
    name: 'the response',
    code: middleware('await next(); ctx.body.data = null; return;'),
    unknown: /uses ctx\.body|changes the response/,
  },
  { name: 'answers itself', code: 'module.exports = () => async (ctx) => { ctx.body = {}; };', unknown: /answered/ },
  {
    name: 'the network',
    code: middleware("await fetch('http://flags.internal/');"),
    unknown: /network|more than 5 seconds/,
  },
  {
    name: 'what is read of the header',
    code: middleware("ctx.set('X-Kind', 'seo');"),
    effect: { headers: { 'x-kind': 'seo' } },
  },
];
