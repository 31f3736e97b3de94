// A client of the project ks of tests/data, which has more of everything; compiled, not run.
import type { components, operations } from './example_api.js';

type Schemas = components['schemas'];

export const query: operations['listArticle']['parameters']['query'] = {
  fields: ['title', 'view_count'],
  populate: {
    seo: { populate: '*' },
    author: { filters: { id: { $in: [1, 2] } } },
    comments: { count: true },
    cover: { fields: ['url', 'formats'] },
    localizations: { publicationState: 'preview' },
  },
  filters: {
    $and: [{ workflow: 'two' as never }, { $not: { rating2: { $between: [1, 2.5] } } }],
    metaJson: { $notNull: true },
    publishDate: { $lt: '2024-01-01' },
    author: { name: { $eqi: 'x' } },
  },
  sort: { author: { name: 'desc' } },
  publicationState: 'preview',
  locale: ['en', 'fr'],
  _q: 'word',
};

export function describe({ id, attributes }: Schemas['Article']): [number, (string | null | undefined)[]] {
  return [id, [attributes.title, attributes.cover?.data?.attributes.url, attributes.seo?.metaTitle]];
}

export const deepest: Schemas['PagePopulate'] = {
  parentPage: { populate: { parentPage: { populate: { childPages: { limit: 1, ordering: 'desc' } } } } },
};

export const user: Schemas['UsersPermissionsUserFlat'] = { id: 1, username: 'x', role: { id: 1, name: 'y' } };
// @ts-expect-error: never answered
export const secret = user.password;
