#include "db/plan/bind.hpp"
#include "db/select/select.hpp"
#include "fcgi/http/error_status.hpp"
#include "fcgi/http/route.hpp"
#include "parser/query_reader.hpp"
#include "parser/query_tree.hpp"
#include "tests/fuzz/expect.hpp"
#include "tests/fuzz/sql_tokens.hpp"

#include <cstdint>

// A URL bound against the schema of the example project, and the SQL of its plan.

using fuzz::expect;

namespace {

db::Schema const& schema() {
    static auto const loaded = [] {
        auto schema = db::load_schema(TEST_DATA "/ks/project");
        expect(schema.has_value(), "the schema is read",
               schema ? std::string() : schema.error().message);
        return *std::move(schema);
    }();
    return *loaded;
}

// May read what the project serves, but for one type.
db::Permissions const& reader() {
    static db::Permissions const permissions = [] {
        std::set<std::string, std::less<>> scopes;
        for (auto const& action : schema().actions)
            if (!action.starts_with("api::secret.")) scopes.insert(action);
        return db::Permissions(scopes);
    }();
    return permissions;
}

void expect_clean(db::Node const& node, db::Permissions const& permissions) {
    for (db::Attribute const* column : node.columns)
        expect(!column->is_private && column->type != db::AttributeType::password,
               "hidden columns are not read", column->name);
    if (node.type && node.type->uid.starts_with("api::"))
        expect(permissions.grants_find(node.type->uid) || node.source == db::Node::Source::root,
               "only permitted types are read", node.type->uid);
}

void bind(std::string_view url, parser::Query const& query, db::Permissions const& permissions,
          bool strict) {
    auto const route = fcgi::find_route(fuzz::path_of(url), "/api", schema());
    if (!route.target.type) return;
    parser::Limits const limits;
    db::ApiOptions options;
    options.strict = strict;
    options.default_locale = "en";
    auto plan = db::bind(query, route.target, schema(), permissions, options, limits);
    if (!plan) {
        auto const& error = plan.error();
        int const status = fcgi::error_status(error.kind).status;
        expect(status >= 400 && status < 500, "it is the client's mistake",
               error.message + error.cause);
        expect(!error.message.empty() && error.cause.empty(), "it is said to the client");
        return;
    }
    expect(!plan->nodes.empty() && plan->nodes.size() <= limits.plan_nodes, "plans are limited");
    static fuzz::SqlTokens const tokens(schema());
    auto const selected = db::select(*std::move(plan));
    tokens.expect_safe(selected.statements.total);
    for (std::size_t i = 0; i < selected.nodes.size(); ++i) {
        std::uint64_t const ids[] = {1, 2};
        auto const& sql = selected.statements.nodes[i].sql;
        tokens.expect_safe(i == 0 || sql.empty() ? sql : sql.with_ids(ids));
        expect(selected.nodes[i].parent < i || i == 0, "parents come before their children");
        expect_clean(selected.nodes[i], permissions);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const url(reinterpret_cast<char const*>(data), size);
    auto const query = parser::read_query(parser::parse_query_string(fuzz::query_of(url)));
    bind(url, query, reader(), false);
    bind(url, query, reader(), true);
    bind(url, query, db::Permissions(db::Permissions::Kind::full), false);
    return 0;
}
