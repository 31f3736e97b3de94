// node edit.js SEED: makes one change in the live Strapi at $REFERENCE_URL of the project $POPULATE_SCHEMA, of any kind
// that an editor or a program can make, and prints it. Which one it is depends on SEED and on the content. The change
// is one that Strapi accepts: what it refuses is tried with something else.
//
// Content is changed with $API_TOKEN; what only editors can do, by the admin whose token is in the file $ADMIN_TOKEN.
const fs = require('fs');
const path = require('path');
const { REFERENCE_URL, POPULATE_SCHEMA, STRAPI_VERSION: version, API_TOKEN, ADMIN_TOKEN } = process.env;
const locales = ['en', 'fr', 'ar'];

let state = Number(process.argv[2]) * 2654435761;
function below(end) {
  state = (state + 0x6d2b79f5) | 0; // mulberry32
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) % end;
}
const any = (list) => list[below(list.length)];
const some = (list, most) => [...new Set(Array.from({ length: below(most + 1) }, () => any(list)))].filter(Boolean);
const text = () => `${any(['edited', 'Ärger', 'plain', '😀', 'x"y'])} ${below(1000)}`;
const date = () => `20${10 + below(20)}-0${1 + below(9)}-1${below(10)}`;

const source = (...names) => path.join(POPULATE_SCHEMA, 'src', ...names);
const list = (...names) => fs.readdirSync(source(...names));
const read = (...names) => JSON.parse(fs.readFileSync(source(...names), 'utf8'));
const types = {};
for (const api of list('api')) {
  const type = read('api', api, 'content-types', api, 'schema.json');
  const name = type.kind === 'singleType' ? type.info.singularName : type.info.pluralName;
  types[`api::${api}.${api}`] = { ...type, uid: `api::${api}.${api}`, route: `/api/${name}` };
}
const components = {};
for (const category of list('components'))
  for (const file of list('components', category))
    components[`${category}.${path.parse(file).name}`] = read('components', category, file);

async function send(method, url, body, headers = {}) {
  const json = body !== undefined && !(body instanceof FormData);
  const response = await fetch(REFERENCE_URL + url, {
    method,
    headers: { Authorization: `Bearer ${API_TOKEN}`, ...(json && { 'Content-Type': 'application/json' }), ...headers },
    body: json ? JSON.stringify(body) : body,
  });
  const isJson = response.headers.get('content-type')?.includes('json');
  return { ok: response.ok, status: response.status, body: isJson ? await response.json() : await response.text() };
}

// Who edits logs in when the token is too old.
async function sendAsAdmin(method, url, body) {
  const again = async () => {
    const { body: answer } = await send('POST', '/admin/login', { email: 'ada@example.com', password: 'Password1' });
    fs.writeFileSync(ADMIN_TOKEN, answer.data.token);
  };
  if (!fs.existsSync(ADMIN_TOKEN)) await again();
  const ask = () => send(method, url, body, { Authorization: `Bearer ${fs.readFileSync(ADMIN_TOKEN, 'utf8')}` });
  const first = await ask();
  if (first.status !== 401) return first;
  await again();
  return ask();
}

// What entries of a type are known by: half of the time the first ones, which more requests ask for.
const key = version === '5' ? 'documentId' : 'id';
async function keysOf(uid) {
  const all = { 'plugin::upload.file': '/api/upload/files', 'plugin::users-permissions.user': '/api/users' }[uid];
  if (all) return (await send('GET', all)).body.map((each) => each.id);
  const drafts = version === '5' ? 'status=draft' : 'publicationState=preview';
  const asked = `fields=id&sort=id&locale=${any(locales)}&${drafts}&pagination[pageSize]=100`;
  const { body } = await send('GET', `${types[uid].route}?${asked}`);
  const keys = (body.data ?? []).map((each) => each[key]);
  return below(2) === 0 ? keys.slice(0, 12) : keys;
}

async function relation({ relation: kind, target }) {
  if (kind.startsWith('morphTo')) {
    const uid = any(['api::article.article', 'api::product.product']);
    const ends = some(await keysOf(uid), 2).map((id) => ({ __type: uid, id }));
    return kind === 'morphToOne' ? ends[0] ?? null : ends;
  }
  const keys = await keysOf(target);
  const named = (list) => list.map((each) => ({ [typeof each === 'string' ? 'documentId' : 'id']: each }));
  if (kind.endsWith('ToOne') || kind === 'morphOne')
    return any([{ set: [] }, { set: named(some(keys, 1)) }, { connect: named(some(keys, 1)) }]);
  const at = { position: any([{ start: true }, { end: true }]) };
  return any([
    { set: named(some(keys, 4)) },
    { connect: named(some(keys, 3)).map((each) => ({ ...each, ...at })), disconnect: named(some(keys, 3)) },
    { disconnect: named(keys) },
  ]);
}

async function value(attribute, known) {
  switch (attribute.type) {
    case 'relation': return relation(attribute);
    case 'media': {
      const files = some(await keysOf('plugin::upload.file'), attribute.multiple ? 4 : 1);
      return attribute.multiple ? files : files[0] ?? null;
    }
    case 'component': {
      if (!attribute.repeatable)
        return below(5) === 0 && !attribute.required ? null : component(attribute.component, known);
      const kept = (known ?? []).filter(() => below(3) > 0);
      if (below(2) === 0) kept.reverse();
      const made = await Promise.all(kept.map((each) => component(attribute.component, each)));
      return below(2) === 0 ? made : [...made, await component(attribute.component)];
    }
    case 'dynamiczone': {
      const parts = Array.from({ length: below(4) }, () => any(attribute.components));
      return Promise.all(parts.map(async (part) => ({ __component: part, ...(await component(part)) })));
    }
    case 'uid': return `edited-${below(100000)}`;
    case 'integer': return below(100);
    case 'biginteger': return String(below(100000));
    case 'decimal':
    case 'float': return below(1000) / 4;
    case 'boolean': return below(2) === 0;
    case 'enumeration': return any(attribute.enum);
    case 'json': return { edited: below(1000) };
    case 'blocks': return [{ type: 'paragraph', children: [{ type: 'text', text: text() }] }];
    case 'date': return date();
    case 'datetime':
    case 'timestamp': return `${date()}T10:00:00.000Z`;
    case 'time': return `1${below(10)}:00:00.000`;
    case 'email': return `edited${below(1000)}@example.com`;
    case 'customField': return `#00${1000 + below(9000)}`;
    default: return text();
  }
}

// All that a new one must have, and a few others; of one that is known, a few.
async function object(attributes, known) {
  const names = Object.keys(attributes);
  const chosen = new Set([any(names), ...some(names, 3)]);
  const made = {};
  for (const name of names)
    if (chosen.has(name) || (!known && attributes[name].required))
      made[name] = await value(attributes[name], known?.[name]);
  return made;
}

async function component(name, known) {
  const { attributes } = components[name];
  return { ...(known?.id && { id: known.id }), ...(await object(attributes, known)) };
}

const query = (parameters) => {
  const given = Object.entries(parameters).filter(([, each]) => each !== undefined);
  return given.length ? '?' + given.map(([name, each]) => `${name}=${each}`).join('&') : '';
};
const localeOf = (type) => (type.pluginOptions?.i18n?.localized ? any(locales) : undefined);

async function create(type) {
  const data = await object(type.attributes);
  if (version === '4' && type.options?.draftAndPublish && below(2) === 0) data.publishedAt = null;
  const status = version === '5' && below(2) === 0 ? 'draft' : undefined;
  return ['POST', type.route + query({ locale: localeOf(type), status }), { data }];
}

async function update(type) {
  const at = type.kind === 'singleType' ? type.route : `${type.route}/${any(await keysOf(type.uid))}`;
  const status = version === '5' && below(2) === 0 ? 'draft' : undefined;
  const locale = version === '5' || type.kind === 'singleType' ? localeOf(type) : undefined;
  const known = (await send('GET', at + query({ locale, status, populate: '*' }))).body.data;
  const data = await object(type.attributes, known?.attributes ?? known);
  if (version === '4' && type.options?.draftAndPublish && below(4) === 0)
    data.publishedAt = any([null, new Date().toISOString()]);
  return ['PUT', at + query({ locale, status }), { data }];
}

async function remove(type) {
  const at = type.kind === 'singleType' ? type.route : `${type.route}/${any(await keysOf(type.uid))}`;
  return ['DELETE', at + query({ locale: version === '5' ? localeOf(type) : undefined })];
}

// Strapi 5 does it with any update.
async function localize(type) {
  if (version === '5' || type.kind === 'singleType' || !localeOf(type)) return update(type);
  const data = { locale: any(locales), ...(await object(type.attributes)) };
  return ['POST', `${type.route}/${any(await keysOf(type.uid))}/localizations`, data];
}

async function publish(type) {
  if (!type.options?.draftAndPublish) return update(type);
  const single = type.kind === 'singleType';
  const at = `/content-manager/${single ? 'single-types' : 'collection-types'}/${type.uid}`;
  const keys = single ? [] : await keysOf(type.uid);
  const many = version === '5' ? { documentIds: some(keys, 3) } : { ids: some(keys, 3) };
  if (!single && below(4) === 0)
    return ['POST', `${at}/actions/${any(['bulkPublish', 'bulkUnpublish', 'bulkDelete'])}`, many, sendAsAdmin];
  const action = any(['publish', 'unpublish', ...(version === '5' ? ['discard', 'publish'] : [])]);
  const one = single ? '' : `/${any(keys)}`;
  return ['POST', `${at}${one}/actions/${action}` + query({ locale: localeOf(type) }), {}, sendAsAdmin];
}

async function file() {
  const id = any(await keysOf('plugin::upload.file'));
  if (below(4) === 0) return ['DELETE', `/api/upload/files/${id}`];
  const form = new FormData();
  if (below(2) === 0) {
    form.append('fileInfo', JSON.stringify({ name: text(), alternativeText: text(), caption: text() }));
    return ['POST', `/api/upload?id=${id}`, form];
  }
  form.append('files', new Blob([text()], { type: 'text/plain' }), `edited-${below(1000)}.txt`);
  return ['POST', '/api/upload', form];
}

async function account() {
  const id = any(await keysOf('plugin::users-permissions.user'));
  return ['PUT', `/api/users/${id}`, { username: `edited${below(1000)}` }];
}

async function change() {
  // The more there is to change in a type, the more often.
  const type = any(Object.values(types).flatMap((each) => Object.keys(each.attributes).map(() => each)));
  const kind = below(24);
  if (kind < 11) return update(type);
  if (kind < 15) return publish(type);
  if (kind < 18) return create(type);
  if (kind < 20) return localize(type);
  if (kind < 21) return remove(type);
  return kind < 23 ? file() : account();
}

(async () => {
  let refused;
  for (let attempt = 0; attempt < 50; ++attempt) {
    const [method, url, body, by = send] = await change();
    const { ok, status, body: answer } = await by(method, url, body);
    const made = `${method} ${url} ${JSON.stringify(body) ?? ''} ${status}`;
    if (ok) return console.log(made);
    refused = `${made} ${JSON.stringify(answer)}`;
  }
  console.error(`Strapi refuses all of 50 changes, and last ${refused}`);
  process.exit(1);
})();
