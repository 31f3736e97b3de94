#include "db/plan/bind.hpp"
#include "db/read/select.hpp"
#include "fcgi/handler/envelope.hpp"
#include "parser/query_reader.hpp"
#include "parser/query_tree.hpp"

#include <benchmark/benchmark.h>

#include <deque>
#include <functional>

// The stages of a request that need no database, one by one: parse, read, bind and select of three
// queries, and rendering of 1, 20 and 200 KB. Takes the
// options of Google Benchmark.

namespace {

struct Case {
    char const* name;
    char const* uid;
    char const* query;
};

constexpr Case cases[] = {
    {"list", "api::article.article", ""},
    {"populate-all", "api::article.article", "populate=*"},
    {"front-end", "api::article.article",
     "filters%5Bslug%5D%5B%24eq%5D=en-article-3&populate%5Bcover%5D=true&populate%5Bgallery%5D=true"
     "&populate%5Bcategory%5D=true&populate%5Bauthor%5D%5Bpopulate%5D%5B0%5D=avatar"
     "&populate%5Bauthor%5D%5Bpopulate%5D%5B1%5D=address&populate%5Btags%5D%5Bfields%5D%5B0%5D=name"
     "&populate%5Bseo%5D%5Bpopulate%5D%5B0%5D=metaImage"
     "&populate%5Bseo%5D%5Bpopulate%5D%5B1%5D=metaSocial.image"
     "&populate%5Bsections%5D%5Bpopulate%5D%5Bcolumns%5D%5Bpopulate%5D%5Bitems%5D%5Bpopulate%5D"
     "%5B0%5D=picture&populate%5BrelatedArticles%5D%5Bfields%5D%5B0%5D=title"
     "&populate%5BrelatedArticles%5D%5Bpopulate%5D%5Bcover%5D%5Bfields%5D%5B0%5D=url"
     "&sort%5B0%5D=publishedAt%3Adesc&pagination%5BpageSize%5D=9"},
};

db::Schema const& schema() {
    static auto const loaded = db::load_schema(PROJECTS);
    return **loaded;
}

db::ReadPlan make_plan(Case const& one, parser::Query const& query) {
    static db::Permissions const all(db::Permissions::AccessLevel::full);
    static parser::Limits const limits;
    return *db::bind(query, {.type = schema().find(one.uid)}, schema(), all,
                     {.default_locale = "en"}, limits);
}

db::ReadPlan make_plan(Case const& one) {
    return make_plan(
        one, parser::read_query(parser::parse_query_string(one.query), db::strapi4.reading));
}

// A cell as MySQL sends it.
std::string_view example(db::AttributeType type) {
    using enum db::AttributeType;
    switch (type) {
    case integer:
    case biginteger:
        return "4711";
    case floating:
    case decimal:
        return "47.11";
    case boolean:
        return "1";
    case date:
        return "2024-05-20";
    case time:
        return "12:30:00.000";
    case datetime:
    case timestamp:
        return "2024-05-20 02:43:53.123000";
    case text:
    case richtext:
        return "The tram climbs to the chapel, stops twice for \"photographs\" and once for bread, "
               "and is "
               "late.\nNobody minds: a view over the river is the reason to be on it, and the way "
               "down "
               "takes half as long.";
    case json:
        return R"([{"type":"paragraph","children":[{"type":"text","text":"A tram, late"},)"
               R"({"type":"text","text":"as ever","bold":true}]},{"type":"image","width":1200,)"
               R"("image":{"url":"/uploads/tram_1.jpg","alternativeText":null}}])";
    default:
        return "How to sleep on a night train";
    }
}

// As many rows of the plan's one node as make about `bytes` of JSON.
db::ResultTree make_rows(db::ReadPlan const& plan, std::size_t bytes) {
    db::ResultTree result;
    result.total = 1'000;
    result.nodes.resize(1);
    db::Rows& rows = result.nodes[0];
    rows.width = plan.nodes[0].columns.size();
    std::string body;
    while (body.size() < bytes) {
        rows.rows.push_back({.id = rows.entries + 1, .entry = rows.entries});
        ++rows.entries;
        for (db::Attribute const* column : plan.nodes[0].columns)
            rows.cells.push_back(example(column->type));
        body.clear();
        fcgi::append_envelope(body, plan, result);
    }
    return result;
}

void add(std::string const& name, std::function<std::size_t()> stage) {
    benchmark::RegisterBenchmark(name.c_str(), [stage](benchmark::State& state) {
        for (auto _ : state)
            benchmark::DoNotOptimize(stage());
    });
}

void add_stages(Case const& one) {
    auto const tree = parser::parse_query_string(one.query);
    auto const query = parser::read_query(tree, db::strapi4.reading);
    auto const plan = make_plan(one, query);
    std::string const name = one.name;
    add("parse/" + name, [&one] { return parser::parse_query_string(one.query).cut ? 1u : 0u; });
    add("read/" + name,
        [tree] { return parser::read_query(tree, db::strapi4.reading).ignored.size(); });
    add("bind/" + name, [&one, query] { return make_plan(one, query).nodes.size(); });
    add("select/" + name, [plan] { return db::select(plan).statements.nodes.size(); });
}

void add_render(std::size_t kilobytes) {
    static auto const plan = make_plan(cases[0]);
    static std::deque<db::ResultTree> results;
    auto const& result = results.emplace_back(make_rows(plan, kilobytes * 1'000));
    add("render/" + std::to_string(kilobytes) + "KB", [&result, body = std::string()]() mutable {
        body.clear();
        fcgi::append_envelope(body, plan, result);
        return body.size();
    });
}

} // namespace

int main(int argc, char** argv) {
    for (Case const& one : cases)
        add_stages(one);
    for (std::size_t const kilobytes : {1, 20, 200})
        add_render(kilobytes);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 64;
    benchmark::RunSpecifiedBenchmarks();
}
