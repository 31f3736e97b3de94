// A client of the project ks5 of tests/data, of Strapi 5; compiled, not run.
import type { components, operations } from './example5_api.js';

type Schemas = components['schemas'];

export const query: operations['listArticle']['parameters']['query'] = {
  fields: ['title', 'documentId'],
  populate: {
    seo: { populate: '*' },
    author: { filters: { documentId: { $in: ['a', 'b'] } } },
    tags: { count: true, sort: { name: 'desc' } },
    cover: { fields: ['url', 'focalPoint'] },
  },
  filters: { author: { name: { $eqi: 'x' } }, publishedAt: { $notNull: true } },
  sort: { author: { name: 'desc' } },
  status: 'draft',
  publicationFilter: 'modified',
  locale: ['en', 'fr'],
};

export const one: operations['getArticle']['parameters'] = {
  path: { documentId: 'wj36700r3ojamu87vu38ankk' },
  query: { status: 'draft', locale: 'fr', filters: { id: 1 } },
};
// @ts-expect-error: of Strapi 4
export const old: operations['getArticle']['parameters']['query'] = { publicationState: 'preview' };
// @ts-expect-error: one entry is of one language
export const both: operations['getArticle']['parameters']['query'] = { locale: ['en', 'fr'] };

export function describe({ documentId, title, cover, seo, tags }: Schemas['Article']) {
  const texts: (string | null | undefined)[] = [documentId, title, cover?.url, seo?.metaTitle];
  return [...texts, ...(tags ?? []).map(({ name }) => name)];
}

export const file: Schemas['UploadFile'] = { id: 1, documentId: 'a', name: 'x.png' };
// @ts-expect-error: a component is no document
export const seo = (of: Schemas['SharedSeoComponent']) => of.documentId;
