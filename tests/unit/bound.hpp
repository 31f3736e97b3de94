#pragma once

#include "db/plan/bind.hpp"
#include "parser/query_reader.hpp"

#include <string_view>

inline db::Permissions const everything(db::Permissions::AccessLevel::full);

// The plan of a query string, or why there is none.
inline parser::Result<db::ReadPlan> bound(db::Schema const& schema, db::ReadTarget const& target,
                                          std::string_view query,
                                          db::Permissions const& permissions = everything,
                                          db::ApiOptions const& options = {},
                                          parser::Limits const& limits = {}) {
    auto const typed = parser::read_query(parser::parse_query_string(query), schema.cms.reading);
    return db::bind(typed, target, schema, permissions, options, limits);
}
