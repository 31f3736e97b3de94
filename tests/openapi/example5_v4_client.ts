// A client of the project ks5 of tests/data, of Strapi 5, which is answered in the form of Strapi 4;
// compiled, not run.
import type { components } from './example5_v4_api.js';

type Schemas = components['schemas'];

export function describe({ documentId, attributes }: Schemas['Article']): (string | null | undefined)[] {
  const { title, cover, seo, author } = attributes;
  return [documentId, title, cover?.data?.attributes.url, seo?.metaTitle, author?.data?.documentId];
}

// What plugins answer is flat.
export const file: Schemas['UploadFileFlat'] = { id: 1, documentId: 'a', name: 'x.png' };
