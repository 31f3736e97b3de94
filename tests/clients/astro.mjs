import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { strapiLoader } from 'strapi-community-astro-loader';

// The part of Astro's content layer that loaders use.
export async function load(options) {
  const loader = strapiLoader({ clientConfig: { baseURL: `${process.env.STACK_URL}/api` }, ...options });
  const store = new Map();
  const said = [];
  const say = (message) => said.push(message);
  await loader.load({
    store: { set: ({ id, data, digest }) => store.set(id, { data, digest }) },
    meta: new Map(),
    logger: { info: say, debug() {}, warn: assert.fail, error: assert.fail },
    generateDigest: (data) => createHash('md5').update(JSON.stringify(data)).digest('hex'),
    parseData: async ({ data }) => data,
  });
  return { store, said };
}
