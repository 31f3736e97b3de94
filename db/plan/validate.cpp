#include "db/plan/validate.hpp"

#include "db/plan/deep_populate.hpp"
#include "db/plan/populate_names.hpp"
#include "db/plan/populate_values.hpp"
#include "parser/query_reader.hpp"

namespace db {

using parser::Object;
using parser::Tree;

namespace {

// Returns whether a text, or the first in a list, begins with `deep` or `deep,N`.
bool is_deep(Tree const& populate) {
    Tree const* first = &populate;
    if (auto const* list = populate.list(); list && !list->empty()) first = &list->front();
    return first->text() && (*first->text() == "deep" || first->text()->starts_with("deep,"));
}

Refusal check_names(Names const& names, Object const& query, Tree const* populate,
                    ContentType const& type) {
    Refusal refusal;
    auto const check = [&](std::string_view key, auto const& find) {
        if (Tree const* tree = query.find(key); tree && !refusal) refusal = find(*tree);
    };
    check("filters", [&](Tree const& t) { return check_filters(names, t, type, "filters"); });
    check("sort", [&](Tree const& t) { return check_sort(names, t, type, "sort"); });
    check("fields", [&](Tree const& t) { return check_fields(names, t, type, "fields"); });
    if (populate && !refusal) refusal = check_populate(names, *populate, type);
    return refusal;
}

} // namespace

Refusal validate(Object const& query, Target const& target, Schema const& schema,
                 Permissions const& permissions) {
    Names const names{schema, permissions};
    ContentType const& type = *target.type;
    Tree const* populate = query.find("populate");
    if (populate && is_deep(*populate) && knows_deep(schema)) populate = nullptr;
    if (auto refusal = check_names(names, query, populate, type)) return refusal;
    // Plugins read without Strapi's layer of documents, which looks at the query once more.
    if (!target.plain) {
        if (populate)
            if (auto refusal = check_wildcards(names, *populate, type)) return refusal;
        if (Tree const* lookup = query.find("lookup"); lookup && !parser::is_blank(*lookup))
            return invalid("Invalid params: 'lookup'");
    }
    return check_values(names, query, type);
}

} // namespace db
