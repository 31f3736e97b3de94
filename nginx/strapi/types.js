'use strict';
// Content types and components as Strapi has resolved them, each in the form of its schema.json: custom fields are of the
// type they are stored as, and what code has added, changed or made private in register() or bootstrap() is there.

// What Strapi and its plugins give a type that its file does not have. It is apart, in `added`.
const additions = new Set(
  (
    'createdAt updatedAt publishedAt firstPublishedAt createdBy updatedBy locale localizations ' +
    'strapi_stage strapi_assignee documentId'
  ).split(' '),
);

function type({ kind, collectionName, info, options, pluginOptions, attributes, __schema__: file }) {
  const isAdded = ([name]) => additions.has(name) && !(name in (file?.attributes || {}));
  const entries = Object.entries(attributes);
  return {
    kind,
    collectionName,
    info,
    options,
    pluginOptions,
    attributes: Object.fromEntries(entries.filter((entry) => !isAdded(entry))),
    added: Object.fromEntries(entries.filter(isAdded)),
  };
}

const all = (types) => Object.fromEntries(Object.values(types).map((each) => [each.uid, type(each)]));

module.exports = {
  types: (strapi) => ({ contentTypes: all(strapi.contentTypes), components: all(strapi.components) }),
};
