#include "db/plan/bind.hpp"
#include "db/read/select.hpp"
#include "fcgi/access/route.hpp"
#include "fcgi/http/representation.hpp"
#include "parser/query_reader.hpp"
#include "parser/query_tree.hpp"
#include "tests/fuzz/expect.hpp"
#include "tests/fuzz/sql_tokens.hpp"

#include <algorithm>
#include <cstdint>

// A URL bound against the schemas of the example projects, and the SQL of its plan.

using fuzz::expect;

namespace {

struct Project {
    std::shared_ptr<db::Schema> schema;
    db::Permissions reader; // may read what the project serves, but for one type
    fuzz::SqlTokens tokens;
};

Project load(char const* folder, db::Version version) {
    auto const schema = db::load_schema(folder, {{}, version});
    expect(schema.has_value(), "the schema is read",
           schema ? std::string() : schema.error().message);
    std::set<std::string, std::less<>> scopes;
    for (auto const& action : (*schema)->actions)
        if (!action.starts_with("api::secret.")) scopes.insert(action);
    return {*schema, db::Permissions(scopes), fuzz::SqlTokens(**schema)};
}

void expect_clean(db::Node const& node, db::Permissions const& permissions) {
    for (db::Attribute const* column : node.columns)
        expect(!column->is_hidden() || column->name == "locale", "hidden columns are not read",
               column->name);
    if (node.type && node.type->uid.starts_with("api::"))
        expect(permissions.grants_find(node.type->uid) || node.source == db::RowSource::root,
               "only permitted types are read", node.type->uid);
}

// Expects that the plan names the tables of its statements, and no other.
void expect_tables(db::SelectedPlan const& plan) {
    auto tables = fuzz::tables_read(plan.statements.total.str());
    for (db::Statement const& statement : plan.statements.nodes)
        tables.merge(fuzz::tables_read(statement.sql.str()));
    expect(std::ranges::equal(plan.tables, tables), "a plan knows its tables",
           plan.statements.nodes[0].sql.str());
}

void expect_error(parser::Error const& error) {
    int const status = fcgi::error_status(error.kind).status;
    expect(status >= 400 && status < 500, "it is the client's mistake",
           error.message + error.cause);
    expect(!error.message.empty() && error.cause.empty(), "it is said to the client");
}

void bind(std::string_view url, Project const& project, db::Permissions const& permissions,
          bool strict) {
    auto const& schema = *project.schema;
    auto const route = fcgi::find_route(fuzz::path_of(url), "/api", schema);
    if (!route.target.type) return;
    auto const tree = parser::parse_query_string(
        fuzz::query_of(url), {.balances_brackets = schema.cms.reading.balances_brackets});
    if (schema.cms.rules.validates_names)
        if (auto const refusal = db::validate(tree.root, route.target, schema, permissions))
            return expect_error(*refusal);
    parser::Limits const limits;
    db::ApiOptions options;
    options.strict = strict;
    options.default_locale = "en";
    auto plan = db::bind(parser::read_query(tree, schema.cms.reading), route.target, schema,
                         permissions, options, limits);
    if (!plan) return expect_error(plan.error());
    expect(!plan->nodes.empty() && plan->nodes.size() <= limits.plan_nodes, "plans are limited");
    auto const selected = db::select(*std::move(plan));
    expect_tables(selected);
    project.tokens.expect_safe(selected.statements.total);
    for (std::size_t i = 0; i < selected.nodes.size(); ++i) {
        std::uint64_t const ids[] = {1, 2};
        auto const& sql = selected.statements.nodes[i].sql;
        project.tokens.expect_safe(i == 0 || sql.empty() ? sql : sql.with_ids(ids));
        expect(selected.nodes[i].parent < i || i == 0, "parents come before their children");
        expect_clean(selected.nodes[i], permissions);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const url(reinterpret_cast<char const*>(data), size);
    static Project const projects[] = {
        load(PROJECTS "/ks", db::Version::strapi4),
        load(PROJECTS "/ks5", db::Version::strapi5),
    };
    for (Project const& project : projects) {
        bind(url, project, project.reader, false);
        bind(url, project, project.reader, true);
        bind(url, project, db::Permissions(db::Permissions::AccessLevel::full), false);
    }
    return 0;
}
