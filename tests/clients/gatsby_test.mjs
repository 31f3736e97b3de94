// gatsby-source-strapi: its sourceNodes on tests/data/ks or ks5, with what Gatsby hands to it.
//   STACK_URL=… node gatsby_test.mjs TOKEN VERSION     of an API token with full access; of Strapi
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import plugin from 'gatsby-source-strapi/gatsby-node.js';

const [accessToken, version] = process.argv.slice(2);

// The part of Gatsby's node API that source plugins use.
function gatsby() {
  const nodes = new Map();
  const kept = new Map();
  const complaints = [];
  const complain = (...message) => complaints.push(message.join(' '));
  const cache = { get: async (key) => kept.get(key), set: async (key, value) => void kept.set(key, value) };
  const digest = (content) => createHash('md5').update(JSON.stringify(content)).digest('hex');
  return {
    nodes,
    complaints,
    actions: {
      createNode: (node) => void nodes.set(node.id, { ...node, internal: { ...node.internal, owner: 'gatsby-source-strapi' } }),
      deleteNode: ({ id }) => nodes.delete(id),
      touchNode() {},
    },
    createContentDigest: digest,
    createNodeId: digest,
    reporter: { info() {}, warn: complain, error: complain, panic: complain },
    getCache: () => cache,
    cache,
    store: {},
    getNodes: () => [...nodes.values()],
    getNode: (id) => nodes.get(id),
  };
}

const articles =
  version === '4'
    ? { publicationState: 'live', populate: { sections: '*', category: '*' } }
    : { status: 'published', populate: { sections: { populate: '*' }, category: true } };
const source = (api) =>
  plugin.sourceNodes(api, {
    apiURL: process.env.STACK_URL,
    accessToken,
    version: Number(version),
    skipFileDownloads: true,
    collectionTypes: ['tag', 'product', 'page', { singularName: 'article', queryParams: articles }],
    singleTypes: ['homepage'],
  });

test('nodes are made of what the CMS has', async () => {
  const api = gatsby();
  await source(api);
  assert.deepEqual(api.complaints, []);
  const ofType = (type) => [...api.nodes.values()].filter(({ internal }) => internal.type === type);
  // Other translations come along with those that are asked for.
  const entries = (type) => ofType(type).filter(({ locale }) => !locale || locale === 'en').length;
  // The totals that Strapi was recorded to answer for this content.
  assert.equal(entries('STRAPI_TAG'), 40);
  assert.equal(entries('STRAPI_PRODUCT'), 120);
  assert.equal(entries('STRAPI_PAGE'), 8);
  assert.equal(entries('STRAPI_ARTICLE'), version === '4' ? 66 : 62);
  assert.equal(entries('STRAPI_HOMEPAGE'), 1);
  // Which the plugin can tell from what the schema says alone.
  assert.ok(ofType('STRAPI__COMPONENT_LAYOUT_SECTION').length > 0, 'components of a list');
  assert.ok(ofType('STRAPI_ARTICLE_BODY_TEXTNODE').length > 0, 'richtext');
  const [homepage] = ofType('STRAPI_HOMEPAGE');
  assert.ok(homepage.zone___NODE.length > 0, 'parts of a zone');
});

test('what did not change since is not sourced again', async () => {
  const api = gatsby();
  await source(api);
  api.actions.createNode = (node) => assert.fail(`${node.internal.type} ${node.strapi_id} is new`);
  await source(api);
  assert.deepEqual(api.complaints, []);
  const products = api.getNodes().filter(({ internal }) => internal.type === 'STRAPI_PRODUCT');
  assert.equal(products.length, 120);
});
