#pragma once

#include "db/read/result_tree.hpp"
#include "fcgi/access/route.hpp"
#include "fcgi/handler/envelope.hpp"
#include "fcgi/handler/handle_request.hpp"
#include "fcgi/http/representation.hpp"
#include "parser/base/error.hpp"

#include <string>
#include <string_view>

// Makes responses, each in its form.

namespace fcgi {

// Binds and writes responses that are made of rows.
struct FormMaker {
    bool takes_query; // else a query is not even checked
    parser::Result<db::ReadPlan> (*bind)(RequestContext const& context, Options const& options,
                                         db::ReadPlan::Format document_format);
    // Writes as append_envelope (fcgi/handler/envelope.hpp) does; there is an entry.
    WritingEnd (*append)(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                         db::Site const& site, WritingLimits const& limits);
};

// `form` is one whose responses are made of rows.
FormMaker const& maker_of(ResponseForm form);

// Returns what the schema files say of content types and components, private attributes included,
// in the form of the content-type-builder plugin of Strapi 4.26 and 5.54:
//
//     {"data":[{"uid","plugin","apiID","schema":{"draftAndPublish","displayName",…,"attributes":{…}}}]}
//     {"data":[{"uid","category","apiId","schema":{"displayName",…,"attributes":{…}}}]}
//
// It has the types whose entries are served, and of each the attributes that are: neither types
// with code of their own nor those of the admin panel and of other plugins, which the CMS knows.
//
// `route` is of the form content_types or components. `query` may have a `kind` of content types:
// any other value is a 400. A type that is not shown is a 404.
parser::Result<Representation> declared_representation(Route const& route, db::Schema const& schema,
                                                       std::string_view query);

} // namespace fcgi
