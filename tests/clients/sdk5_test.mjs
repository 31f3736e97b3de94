// strapi-sdk-js 3, the version for Strapi 5. Expected is what Strapi was recorded to answer to the same
// question.
//   STACK_URL=… RECORDED=… node sdk5_test.mjs
import assert from 'node:assert/strict';
import test from 'node:test';
import Strapi from 'strapi-sdk-js-3';
import { recordedBody, apiTokens, jwt, status } from './recorded.mjs';

const as = (token) =>
  new Strapi({ url: process.env.STACK_URL, axiosOptions: { headers: token ? { Authorization: `Bearer ${token}` } : {} } });
const anyone = as();

const asked = [
  ['a list with filters, sort, fields and a page', 'frontend-0014', () => anyone.find('products', {
    filters: { $or: [{ name: { $containsi: 'maple' } }, { sku: { $startsWith: 'SKU-01' } }] },
    pagination: { page: 1, pageSize: 5, withCount: false },
    fields: ['name', 'sku'],
  })],
  ['what is related', 'frontend-0104', () => as(apiTokens.readonly).find('articles', {
    populate: ['category', 'author.avatar', 'tags'],
    sort: ['title'],
    fields: ['title'],
    pagination: { pageSize: 4 },
  })],
  ['drafts of a language', 'locale-0125', () => anyone.find('articles', { locale: 'fr', status: 'draft', fields: 'slug', populate: { localizations: { fields: 'locale' } }, pagination: { limit: 100 } })],
  ['a document', 'basic-0002', () => anyone.findOne('articles', 'wj36700r3ojamu87vu38ankk')],
  ['the draft of a document', 'v5-0036', () => anyone.findOne('articles', 'vaahlj6fxmp0bfwjup4ggcih', { populate: '*', status: 'draft' })],
  ['a single type', 'locale-0121', () => anyone.find('homepage', { locale: 'fr', populate: '*' })],
  ['files', 'plugins-0084', () => as(apiTokens.full).find('upload/files', { filters: { ext: '.pdf' }, sort: 'name' })],
  ['whose token it is', 'plugins-0049', () => as(jwt.bob).fetchUser({ populate: 'role' })],
];
for (const [name, id, ask] of asked) {
  test(`gets ${name}`, async () => {
    assert.equal(status(id), 200);
    assert.deepEqual(await ask(), recordedBody(id));
  });
}

const refused = [
  ['fields-0126', () => anyone.find('homepage', { fields: ['zone'] })],
  ['auth-0062', () => as(apiTokens.expired).find('homepage', { fields: 'title' })],
  ['auth-0004', () => anyone.find('users/me')],
  ['basic-0191', () => anyone.findOne('articles', 'null')],
];
for (const [id, ask] of refused) {
  test(`is refused ${id}`, () => assert.rejects(ask(), (error) => {
    assert.deepEqual(error, recordedBody(id));
    return true;
  }));
}

test('is told why it cannot log in or write', async () => {
  const only = ({ error }) => /reads only.*received POST/.test(error.message);
  await assert.rejects(anyone.login({ identifier: 'alice', password: 'something' }), only);
  await assert.rejects(as(apiTokens.full).create('articles', { title: 'New' }), only);
});
