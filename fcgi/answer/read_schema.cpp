#include "fcgi/answer/read_schema.hpp"

#include "db/cms/tables.hpp"
#include "db/schema/project_folder.hpp"
#include <algorithm>
#include <string>

namespace fcgi {

parser::Result<std::shared_ptr<db::Schema>> read_schema(Options const& options,
                                                        std::optional<db::Version> version) {
    if (options.strapi) version = options.strapi;
    if (!version) version = db::project_version(options.schema);
    auto release = options.strapi_release;
    if (!release)
        if (auto const found = db::project_release(options.schema)) release = found->release;
    auto schema = db::load_schema(options.schema, {options.private_attributes,
                                                   version.value_or(db::Version::strapi4), release,
                                                   options.default_parameters});
    if (!schema) return schema;
    for (auto const& [uid, type] : (*schema)->types)
        if (std::ranges::find(options.serve_types, uid) != options.serve_types.end()) {
            type->not_served.clear();
            for (auto& [action, middleware] : type->middlewares)
                middleware.not_served.clear();
        }
    return schema;
}

parser::Result<std::optional<db::Version>> read_version(Options const& options,
                                                        db::Connection& connection) {
    auto const version = db::read_version(connection);
    if (!version || !*version || !options.strapi || **version == *options.strapi) return version;
    return parser::Error{parser::ErrorKind::configuration,
                         "strapi: the database has the tables of Strapi " +
                             std::to_string(static_cast<int>(**version)) +
                             "; remove the setting `strapi`, or name another database"};
}

parser::Result<std::shared_ptr<db::Schema>> read_schema(Options const& options,
                                                        db::Connection& connection) {
    auto const version = read_version(options, connection);
    if (!version) return version.error();
    auto schema = read_schema(options, *version);
    if (!schema) return schema;
    if (auto known = db::read_has_cms(connection, **schema); !known) return known.error();
    if (auto known = db::read_custom_fields(connection, **schema); !known) return known.error();
    return schema;
}

} // namespace fcgi
