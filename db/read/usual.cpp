#include "db/read/usual.hpp"

#include "db/plan/bind.hpp"
#include "db/read/suggestions.hpp"
#include "parser/query_reader.hpp"
#include "parser/query_tree.hpp"

#include <string>

namespace db {

namespace {

std::vector<std::string> usual_queries(ContentType const& type) {
    std::vector<std::string> queries{""};
    for (Attribute const& attribute : type.attributes) {
        if (attribute.is_relation()) queries.push_back("populate[" + attribute.name + "][limit]=1");
        if (attribute.type == AttributeType::uid)
            queries.push_back("filters[" + attribute.name + "]=x");
    }
    return queries;
}

} // namespace

std::vector<Index> usual_indexes(Schema const& schema, std::vector<ExistingIndex> const& existing) {
    Permissions const all(Permissions::AccessLevel::full);
    ApiOptions const options{.default_locale = "en"}; // the value makes no difference
    Suggestions suggestions;
    for (auto const& [uid, type] : schema.types) {
        if (type->kind != ContentType::Kind::collection || !uid.starts_with("api::")) continue;
        for (std::string const& query : usual_queries(*type)) {
            auto const typed =
                parser::read_query(parser::parse_query_string(query), schema.cms.reading);
            if (auto const plan = bind(typed, {.type = type.get()}, schema, all, options, {}))
                suggestions.add(*plan, 0, query);
        }
    }
    std::vector<Index> indexes;
    for (Suggestion& one : suggestions.least(existing))
        indexes.push_back(std::move(one.index));
    return indexes;
}

} // namespace db
