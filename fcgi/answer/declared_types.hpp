#pragma once

#include "db/schema/schema.hpp"
#include "fcgi/access/route.hpp"
#include "fcgi/http/answer.hpp"
#include "parser/base/error.hpp"

// Returns what the schema files say of content types and components, private attributes included,
// in the form of the content-type-builder plugin of Strapi 4.26 and 5.54:
//
//     {"data":[{"uid","plugin","apiID","schema":{"draftAndPublish","displayName",…,"attributes":{…}}}]}
//     {"data":[{"uid","category","apiId","schema":{"displayName",…,"attributes":{…}}}]}
//
// It has the types whose entries are served, and of each the attributes that are: neither types
// with code of their own nor those of the admin panel and of other plugins, which the CMS knows.

namespace fcgi {

// Returns the response of a route of the form content_types or components. `query` may have a
// `kind` of content types: any other value is a 400. A type that is not shown is a 404.
parser::Result<Answer> declared_answer(Route const& route, db::Schema const& schema,
                                       std::string_view query);

} // namespace fcgi
