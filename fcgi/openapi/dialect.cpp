#include "fcgi/openapi/dialect.hpp"

#include <cstdlib>

namespace fcgi {

namespace {

constexpr Dialect dialect4{
    .about = "The read part of Strapi 4's REST API. Objects in a query are written in bracket "
             "notation at any depth, as the npm package qs does: `populate[author][fields]=name`.",
    .parameters = R"json({
"publicationState": {
  "name": "publicationState", "in": "query",
  "schema": {"$ref": "#/components/schemas/PublicationState"}
},
"locale": {
  "name": "locale", "in": "query", "style": "deepObject", "explode": true,
  "description": "entries in this language, by its code, instead of the default one; `all`: in any language (the response for a single type is then a list)",
  "schema": {"$ref": "#/components/schemas/TextFilter"}
}
})json",
    .schemas = R"json({
"PublicationState": {
  "description": "live: published entries only, here and below; preview: drafts as well",
  "enum": ["live", "preview"]
}
})json",
    .error = R"json({
"message": {"type": "string", "examples": ["Invalid parameter title"]},
"details": {"type": "object"}
})json",
    .one_locale = "locale",
    .options = R"json({
"ordering": {"$ref": "#/components/schemas/Direction", "description": "desc: reverses the stored order"},
"publicationState": {"$ref": "#/components/schemas/PublicationState"}
})json",
    .polymorphic_options = R"json({
"fields": {"type": "array", "items": {"type": "string", "examples": ["id"]}},
"populate": {
  "anyOf": [{"$ref": "#/components/schemas/PopulatePath"}, {"type": "object"}],
  "description": "each type uses the names that it has"
}
})json",
    .polymorphic_windows = true,
    .zone_options = "{}",
    .populated_sort_leads_on = true};

// Strapi 5.54
constexpr Dialect dialect5{
    .about = "The read part of Strapi 5's REST API. Objects in a query are written in bracket "
             "notation at any depth, as the npm package qs does: `populate[author][fields]=name`.",
    .parameters = R"json({
"documentId": {
  "name": "documentId", "in": "path", "required": true, "schema": {"type": "string"},
  "description": "id of the document; its entries in all languages, drafts and published, have the same"
},
"status": {
  "name": "status", "in": "query",
  "schema": {"$ref": "#/components/schemas/Status"}
},
"publicationFilter": {
  "name": "publicationFilter", "in": "query",
  "schema": {"$ref": "#/components/schemas/PublicationFilter"}
},
"hasPublishedVersion": {
  "name": "hasPublishedVersion", "in": "query", "deprecated": true,
  "description": "true: publicationFilter=has-published-version-document; false: never-published-document",
  "schema": {"type": "boolean"}
},
"locale": {
  "name": "locale", "in": "query", "style": "deepObject", "explode": true,
  "description": "entries in this language, by its code, instead of the default one; `*`: in any language",
  "schema": {"$ref": "#/components/schemas/TextFilter"}
},
"localeOfOne": {
  "name": "locale", "in": "query", "schema": {"type": "string"},
  "description": "the entry in this language, by its code, instead of the default one"
}
})json",
    .schemas = R"json({
"Status": {
  "description": "published: published entries only, here and below; draft: drafts only",
  "enum": ["published", "draft"]
},
"PublicationFilter": {
  "description": "only entries of the requested status whose document also has such entries of the other status, here and below; in the same language, or with `-document` in any",
  "enum": [
    "never-published", "has-published-version", "modified", "unmodified",
    "never-published-document", "has-published-version-document",
    "published-without-draft", "published-with-draft"
  ]
}
})json",
    .error = R"json({
"message": {"type": "string", "examples": ["Invalid key title"]},
"details": {
  "type": "object",
  "properties": {
    "key": {"type": "string", "description": "the name that is not allowed"},
    "path": {"type": ["string", "null"], "description": "path to it, with dots between attributes"},
    "source": {"type": "string", "examples": ["query"]},
    "param": {"type": "string", "examples": ["filters"], "description": "the parameter that contains it"}
  }
}
})json",
    .one_locale = "localeOfOne",
    .options = "{}",
    .polymorphic_options = "{}",
    .polymorphic_windows = false,
    .zone_options = R"json({
"populate": {"const": "*", "description": "everything in its parts, one level down"}
})json",
    .populated_sort_leads_on = false};

} // namespace

Dialect const& dialect_of(db::Version version) {
    switch (version) {
    case db::Version::strapi4:
        return dialect4;
    case db::Version::strapi5:
        return dialect5;
    }
    std::abort();
}

} // namespace fcgi
