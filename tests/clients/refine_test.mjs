// @refinedev/strapi-v4, the data provider of Refine.
import assert from 'node:assert/strict';
import test from 'node:test';
import { DataProvider } from '@refinedev/strapi-v4';
import { api, article, articles, authors, categories, mostRead, tags } from './demo.mjs';

const provider = DataProvider(api);

test('a list with filters, sorters and a page', async () => {
  const guides = mostRead(articles.filter(({ format }) => format === 'guide'));
  const { data, total } = await provider.getList({
    resource: 'articles',
    pagination: { currentPage: 2, pageSize: 2, mode: 'server' },
    filters: [{ field: 'format', operator: 'eq', value: 'guide' }],
    sorters: [{ field: 'viewCount', order: 'desc' }],
    meta: { fields: ['title'], populate: { category: { fields: ['name'] } } },
  });
  assert.equal(total, guides.length);
  assert.deepEqual(
    data.map(({ title, category }) => [title, category.name]),
    guides.slice(2, 4).map(({ title, category }) => [title, categories.get(category).name]),
  );
});

test('one entry with what is related', async () => {
  const { data } = await provider.getOne({ resource: 'articles', id: 21, meta: { populate: ['author', 'tags'] } });
  const { title, author, tags: ids } = article(21);
  assert.equal(data.title, title);
  assert.equal(data.author.name, authors.get(author).name);
  assert.deepEqual(data.tags.map(({ name }) => name).sort(), ids.map((id) => tags.get(id).name).sort());
});

test('several entries by their ids', async () => {
  const { data } = await provider.getMany({ resource: 'tags', ids: [1, 2, 3] });
  assert.deepEqual(data.map(({ name }) => name).sort(), [1, 2, 3].map((id) => tags.get(id).name).sort());
});
