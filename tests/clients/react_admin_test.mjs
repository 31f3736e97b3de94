// ra-strapi-v4-rest, a data provider of react-admin.
import assert from 'node:assert/strict';
import test from 'node:test';
import provider from 'ra-strapi-v4-rest';
import { api, article, articles, mostRead, tags } from './demo.mjs';

const { getList, getMany, getManyReference, getOne } = provider.strapiRestProvider(api);
const page = (perPage) => ({
  pagination: { page: 1, perPage },
  sort: { field: 'viewCount', order: 'DESC' },
});
const titles = (some) => some.map(({ title }) => title);

test('a list, its filter and its order', async () => {
  const guides = mostRead(articles.filter(({ format }) => format === 'guide'));
  const { data, total } = await getList('articles', { ...page(5), filter: { format: 'guide' } });
  assert.equal(total, guides.length);
  assert.deepEqual(titles(data), titles(guides.slice(0, 5)));
  assert.deepEqual(data.map(({ category }) => category), guides.slice(0, 5).map(({ category }) => category));
});

test('an entry, with the ids of what is related', async () => {
  const { data } = await getOne('articles', { id: 21 });
  const { title, author, tags: ids } = article(21);
  assert.equal(data.title, title);
  assert.equal(data.author, author);
  assert.deepEqual(data.tags.sort(), [...ids].sort());
});

test('entries by their ids', async () => {
  const { data } = await getMany('tags', { ids: [2, 3] });
  assert.deepEqual(data.map(({ name }) => name).sort(), [tags.get(2).name, tags.get(3).name].sort());
});

test('the entries that refer to another', async () => {
  const ofCategory = mostRead(articles.filter(({ category }) => category === 8));
  const { data, total } = await getManyReference('articles', { ...page(10), filter: {}, target: 'category.id', id: 8 });
  assert.equal(total, ofCategory.length);
  assert.deepEqual(titles(data), titles(ofCategory.slice(0, 10)));
});
