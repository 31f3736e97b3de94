// strapi-sdk-js 2, the version for Strapi 4.
import assert from 'node:assert/strict';
import test from 'node:test';
import Strapi from 'strapi-sdk-js';
import { article, articles, authors, mostRead } from './demo.mjs';

const strapi = new Strapi({ url: process.env.STACK_URL });

test('lists with filters, sort, pagination and populate', async () => {
  const guides = mostRead(articles.filter(({ format }) => format === 'guide'));
  const { data, meta } = await strapi.find('articles', {
    filters: { format: { $eq: 'guide' } },
    sort: 'viewCount:desc',
    pagination: { page: 1, pageSize: 3 },
    populate: ['author'],
  });
  assert.equal(meta.pagination.total, guides.length);
  assert.deepEqual(data.map(({ attributes }) => attributes.title), guides.slice(0, 3).map(({ title }) => title));
  assert.equal(data[0].attributes.author.data.attributes.name, authors.get(guides[0].author).name);
});

test('gets one entry', async () => {
  const { data } = await strapi.findOne('articles', 21, { fields: ['title', 'slug'] });
  const { title, slug } = article(21);
  assert.deepEqual(data, { id: 21, attributes: { title, slug } });
});

test('is told why it cannot log in or write', async () => {
  const refused = (error) => {
    assert.equal(error.error.name, 'MethodNotAllowedError');
    assert.match(error.error.message, /reads only.*received POST/);
    return true;
  };
  await assert.rejects(strapi.login({ identifier: 'someone', password: 'something' }), refused);
  await assert.rejects(strapi.create('articles', { title: 'New' }), refused);
});

test('is told what is wrong with a query', async () => {
  await assert.rejects(strapi.find('articles', { fields: ['nope'] }), ({ error }) => error.name === 'ValidationError');
});
