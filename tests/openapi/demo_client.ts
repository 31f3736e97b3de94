// demo_client.ts URL: a client of the demo. That it compiles shows what the types of the document
// know; that it runs, that parameters are written as the document says.
import createClient from 'openapi-fetch';
import qs from 'qs';
import type { paths } from './demo_api.js';

declare const process: { argv: string[] };

const api = createClient<paths>({
  baseUrl: process.argv[2],
  querySerializer: (query) => qs.stringify(query, { encodeValuesOnly: true }),
});

function expect(what: string, found: unknown, expected: unknown) {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
}

const articles = await api.GET('/api/articles', {
  params: {
    query: {
      fields: ['title', 'slug'],
      populate: {
        author: { fields: ['name'], populate: { homeTown: { fields: ['name'] } } },
        tags: { sort: { name: 'asc' }, limit: 2 },
        cover: true,
      },
      filters: { $or: [{ id: 21 }, { places: { country: { isoCode: 'NO' } } }], viewCount: { $gte: 0 } },
      sort: ['author.name', 'title:desc'],
      pagination: { page: 1, pageSize: 3 },
    },
  },
});
expect('articles', articles.data?.data.length, 3);
expect('pageSize', articles.data?.meta.pagination.pageSize, 3);
for (const { attributes } of articles.data?.data ?? []) {
  const title: string | null | undefined = attributes.title;
  const town: string | null | undefined = attributes.author?.data?.attributes.homeTown?.data?.attributes.name;
  const tags = attributes.tags?.data.map((tag) => tag.attributes.name) ?? [];
  const width: number | null | undefined = attributes.cover?.data?.attributes.width;
  expect('types', [typeof title, typeof town, tags.length <= 2], ['string', 'string', true]);
  expect('cover', width === undefined || Number(width) > 0, true);
}

// The parts of a zone are told apart by their component.
const page = await api.GET('/api/pages/{id}', {
  params: {
    path: { id: 5 },
    query: { populate: { blocks: { on: { 'blocks.related-articles': { populate: { articles: true } }, 'blocks.hero': true } } } },
  },
});
const shown = page.data?.data.attributes.blocks?.map((block) => {
  switch (block.__component) {
    case 'blocks.hero':
      return block.heading;
    case 'blocks.related-articles':
      return block.articles?.data[0]?.attributes.title;
  }
});
expect('blocks', shown?.at(-1), 'How to sleep on a night train');

// Polymorphic relations are flat.
const comment = await api.GET('/api/comments/{id}', {
  params: { path: { id: 2 }, query: { populate: { related: { on: { 'api::place.place': { fields: ['name'] } } } } } },
});
const place = comment.data?.data.attributes.related?.find((entry) => entry.__type === 'api::place.place');
expect('place', place?.__type === 'api::place.place' && place.name, 'Lisbon');

const homepage = await api.GET('/api/homepage', { params: { query: { fields: ['claim'] } } });
expect('claim', typeof homepage.data?.data.attributes.claim, 'string');

const failed = await api.GET('/api/commissions');
expect('failure', failed.error?.error.name, 'ForbiddenError');

// What the types refuse; never called.
export const refused = [
  // @ts-expect-error: no such route
  () => api.GET('/api/nope'),
  // @ts-expect-error: no such field
  () => api.GET('/api/articles', { params: { query: { fields: ['nope'] } } }),
  // @ts-expect-error: private
  () => api.GET('/api/articles', { params: { query: { fields: ['editorNote'] } } }),
  // @ts-expect-error: no such attribute of the author
  () => api.GET('/api/articles', { params: { query: { populate: { author: { fields: ['nope'] } } } } }),
  // @ts-expect-error: no such operator
  () => api.GET('/api/articles', { params: { query: { filters: { title: { $like: 'x' } } } } }),
  // @ts-expect-error: an operator that does not fit
  () => api.GET('/api/articles', { params: { query: { filters: { isFeatured: { $startsWith: 't' } } } } }),
  // @ts-expect-error: no such component in this zone
  () => api.GET('/api/pages/{id}', { params: { path: { id: 5 }, query: { populate: { blocks: { on: { 'shared.seo': true } } } } } }),
  // @ts-expect-error: not localized
  () => api.GET('/api/authors', { params: { query: { locale: 'de' } } }),
];
