// strapi-community-astro-loader: what an Astro site has of Strapi 5, with what Astro hands to it. Expected
// is what Strapi was recorded to answer.
//   STACK_URL=… RECORDED=… node astro_test.mjs
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from './astro.mjs';
import { recordedBody } from './recorded.mjs';

test('a collection is loaded page by page', async () => {
  const { store, said } = await load({ contentType: 'article' });
  const second = recordedBody('basic-0009');
  assert.equal(store.size, second.meta.pagination.total);
  assert.equal(said.length, second.meta.pagination.pageCount);
  for (const document of second.data) assert.deepEqual(store.get(document.documentId).data, document);
});

test('with what is related, in another language', async () => {
  const params = { locale: 'fr', fields: ['title'], populate: { category: { fields: ['name'] } }, sort: 'slug' };
  const { store } = await load({ contentType: 'article', params, pageSize: 5 });
  assert.ok(store.size > 5);
  for (const { data } of store.values()) {
    assert.deepEqual(Object.keys(data), ['id', 'documentId', 'title', 'category']);
    assert.ok(data.category === null || data.category.name);
  }
});

test('what is refused is told', async () => {
  await assert.rejects(load({ contentType: 'article', params: { fields: ['nope'] } }), /400|Bad Request/);
});
