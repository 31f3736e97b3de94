// @strapi/client, Strapi 5's own. Expected is what Strapi was recorded to answer to the same question.
//   STACK_URL=… RECORDED=… node strapi_client_test.mjs
import assert from 'node:assert/strict';
import test from 'node:test';
import { strapi } from '@strapi/client';
import { recordedBody, apiTokens, jwt, status } from './recorded.mjs';

const as = (auth) => strapi({ baseURL: `${process.env.STACK_URL}/api`, auth });
const anyone = as();
const full = as(apiTokens.full);

const asked = [
  ['filters, sort, fields and a range', 'frontend-0007', () => anyone.collection('articles').find({
    filters: { $and: [{ category: { slug: { $eq: 'category-1' } } }, { $or: [{ title: { $containsi: 'e' } }, { excerpt: { $containsi: 'stone' } }] }, { isFeatured: { $ne: false } }] },
    sort: ['view_count:desc', 'id:asc'],
    fields: ['title', 'view_count'],
    pagination: { start: 0, limit: 10 },
  })],
  ['a page without a count', 'frontend-0014', () => anyone.collection('products').find({
    filters: { $or: [{ name: { $containsi: 'maple' } }, { sku: { $startsWith: 'SKU-01' } }] },
    pagination: { page: 1, pageSize: 5, withCount: false },
    fields: ['name', 'sku'],
  })],
  ['dates', 'frontend-0099', () => anyone.collection('articles').find({
    filters: { publishDate: { $between: ['2012-01-01', '2020-12-31'] } },
    fields: ['title', 'publishDate'],
    sort: 'publishDate',
  })],
  ['what is related, and what is related to that', 'frontend-0017', () => anyone.collection('events').find({
    filters: { startsAt: { $gte: new Date('2011-01-01T00:00:00.000Z') }, organiser: { name: { $notNull: true } } },
    sort: 'startsAt:asc',
    populate: {
      organiser: { fields: ['name'] },
      speakers: { fields: ['name'], populate: { avatar: { fields: ['url'] } } },
      slots: { populate: { speaker: { fields: ['name'] } } },
    },
  })],
  ['names of relations, with a token', 'frontend-0104', () => as(apiTokens.readonly).collection('articles').find({
    populate: ['category', 'author.avatar', 'tags'],
    sort: ['title'],
    fields: ['title'],
    pagination: { pageSize: 4 },
  })],
  ['drafts', 'publication-0131', () => anyone.collection('categories').find({ status: 'draft', populate: { articles: { fields: ['slug', 'publishedAt'] } } })],
  ['drafts of a language', 'locale-0125', () => anyone.collection('articles').find({ locale: 'fr', status: 'draft', fields: 'slug', populate: { localizations: { fields: 'locale' } }, pagination: { limit: 100 } })],
  ['a document', 'basic-0002', () => anyone.collection('articles').findOne('wj36700r3ojamu87vu38ankk')],
  ['the draft of a document', 'v5-0036', () => anyone.collection('articles').findOne('vaahlj6fxmp0bfwjup4ggcih', { populate: '*', status: 'draft' })],
  ['a single type', 'locale-0121', () => anyone.single('homepage').find({ locale: 'fr', populate: '*' })],
  ['a single type with a zone', 'frontend-0092', () => anyone.single('homepage').find({
    locale: 'fr',
    populate: { zone: { on: { 'blocks.hero': { populate: '*' }, 'blocks.quote': { populate: { author: true } } } }, localizations: true },
  })],
  ['files', 'plugins-0084', () => full.files.find({ filters: { ext: '.pdf' }, sort: 'name' })],
  ['a file', 'plugins-0082', () => full.files.findOne(1)],
  ['users', 'plugins-0030', () => as(jwt.alice).collection('users').find({ filters: { username: 'alice' } })],
  ['a user', 'plugins-0071', () => full.collection('users').findOne(1)],
  ['a path of its own', 'plugins-0070', async () => (await full.fetch('/i18n/locales')).json()],
];
for (const [name, id, ask] of asked) {
  test(`gets ${name}`, async () => {
    assert.equal(status(id), 200);
    assert.deepEqual(await ask(), recordedBody(id));
  });
}

const complaint = (asking) => asking.then(() => assert.fail('it is answered'), (error) => error);

// The client has an error of its own for each of these.
const refused = [
  ['HTTPBadRequestError', 'fields-0126', () => anyone.single('homepage').find({ fields: ['zone'] })],
  ['HTTPAuthorizationError', 'auth-0062', () => as(apiTokens.expired).single('homepage').find({ fields: 'title' })],
  ['HTTPAuthorizationError', 'auth-0172', () => as(jwt.badsig).collection('users').findOne('me')],
  ['FileForbiddenError', 'plugins-0013', () => anyone.files.findOne(1)],
  ['HTTPForbiddenError', 'auth-0004', () => anyone.collection('users').findOne('me')],
  ['HTTPNotFoundError', 'basic-0191', () => anyone.collection('articles').findOne('null')],
  ['FileNotFoundError', 'plugins-0083', () => full.files.findOne(999)],
];
for (const [error, id, ask] of refused) {
  test(`${error} of ${id}`, async () => {
    const { name, response } = await complaint(ask());
    assert.equal(name, error);
    assert.equal(response.status, status(id));
    assert.deepEqual(await response.json(), recordedBody(id));
  });
}

test('is told that nothing is written', async () => {
  const { name, response } = await complaint(full.collection('articles').create({ title: 'New' }));
  assert.equal(name, 'HTTPError');
  assert.equal(response.status, 405);
  assert.match((await response.json()).error.message, /reads only.*received POST/);
});
