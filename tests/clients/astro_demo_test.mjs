// strapi-community-astro-loader on the demo of Strapi 5, whose tables are of create-tables and import.
// Expected is what its content files say.
//   STACK_URL=… DEMO_CONTENT=… node astro_demo_test.mjs
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from './astro.mjs';
import { articles, authors, categories, tags } from './demo.mjs';

const bySlug = (store) => new Map([...store.values()].map(({ data }) => [data.slug, data]));

test('the published articles are loaded, with author, category and tags', async () => {
  const params = { populate: { author: true, category: true, tags: true } };
  const { store } = await load({ contentType: 'article', params, pageSize: 7 });
  const loaded = bySlug(store);
  assert.deepEqual([...loaded.keys()].sort(), articles.map(({ slug }) => slug).sort());
  for (const article of articles) {
    const { documentId, title, viewCount, author, category, tags: tagged } = loaded.get(article.slug);
    assert.match(documentId, /^[a-z][a-z0-9]{23}$/);
    // Strapi 5.54: a biginteger is text.
    assert.deepEqual([title, viewCount], [article.title, String(article.viewCount)]);
    assert.equal(author?.name, authors.get(article.author)?.name);
    assert.equal(category?.name, categories.get(article.category)?.name);
    assert.deepEqual(tagged.map(({ name }) => name), (article.tags ?? []).map((id) => tags.get(id).name));
  }
});

test('drafts are loaded where they are asked for', async () => {
  const published = (await load({ contentType: 'article' })).store;
  const drafts = (await load({ contentType: 'article', params: { status: 'draft' } })).store;
  for (const documentId of published.keys()) assert.equal(drafts.get(documentId).data.publishedAt, null);
  assert.ok(drafts.size > published.size);
});
