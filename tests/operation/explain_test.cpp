#include "application.hpp"

// /_explain, /_ready and Server-Timing.

using namespace operation;
namespace json = boost::json;

namespace {

struct ExplainFixture {
    json::object explain(std::string const& path, fastcgi::Parameters const& more = {}) {
        auto const response = application.get("/_explain" + path, more);
        BOOST_TEST_REQUIRE(response.status == 200, response.body);
        BOOST_TEST(response.header("Cache-Control") == "no-store");
        return json::parse(response.body).as_object();
    }

    faults::ApplicationProcess application{with({"--explain-route=true", "--server-timing=true"})};
};

constexpr auto request = "/api/articles?fields=title&populate[author][fields]=name"
                         "&filters[title][$ne]=confidential&pagination[pageSize]=2";

} // namespace

BOOST_FIXTURE_TEST_SUITE(explain, ExplainFixture)

BOOST_AUTO_TEST_CASE(each_node_of_the_plan_reports_its_statement_rows_and_time) {
    // Also of a request that came before, whose plan is known.
    BOOST_TEST(application.get(request).status == 200);
    auto const told = explain(request);
    BOOST_TEST(told.at("status") == 200);
    BOOST_TEST(told.at("error").is_null());
    BOOST_TEST(told.at("path") == "/api/articles");
    BOOST_TEST(told.at("tree").at("filters").at("title").at("$ne") == "confidential");
    BOOST_TEST(told.at("query").as_string().find("author") != std::string::npos);
    auto const& nodes = told.at("nodes").as_array();
    BOOST_TEST_REQUIRE(nodes.size() == 2U);
    BOOST_TEST(nodes[0].at("parent").is_null());
    BOOST_TEST(nodes[0].at("source") == "root");
    BOOST_TEST(nodes[0].at("type") == "api::article.article");
    BOOST_TEST(nodes[0].at("rows") == 2);
    BOOST_TEST(nodes[1].at("parent") == 0);
    BOOST_TEST(nodes[1].at("path") == "author");
    BOOST_TEST(json::serialize(nodes[1].at("attributes")) == R"(["author"])");
    BOOST_TEST(json::serialize(nodes[1].at("fields")) == R"(["name"])");
    BOOST_TEST(told.at("total").at("rows") == 1);
    for (auto const stage : {"authorize", "parse", "read", "bind", "acquire", "execute", "render"})
        BOOST_TEST(told.at("stages").as_object().contains(stage), stage);
}

BOOST_AUTO_TEST_CASE(statements_are_shown_without_values) {
    auto const nodes = explain(request).at("nodes");
    std::string const sql(nodes.at(0).at("sql").as_string());
    BOOST_TEST(sql.find(" <> ?") != std::string::npos, sql);
    BOOST_TEST(sql.find("x'") == std::string::npos, sql);
    std::string const below(nodes.at(1).at("sql").as_string());
    BOOST_TEST(below.find(" IN (?)") != std::string::npos, below);
}

BOOST_AUTO_TEST_CASE(an_error_is_reported_with_its_place) {
    struct {
        std::string_view query, place, received;
    } const cases[] = {
        {"fields=nope", "fields", "nope"},
        {"populate[author][fields][0]=nope", "populate[author][fields]", "nope"},
        {"populate[author][populate]=nope", "populate[author][populate]", "nope"},
        {"filters[author][nope][$eq]=1", "filters[author][nope]", "nope"},
        {"sort=author.nope", "sort", "nope"},
        {"pagination[page]=x", "pagination[page]", "x"},
    };
    for (auto const& [query, place, received] : cases) {
        auto const told = explain("/api/articles?" + std::string(query));
        BOOST_TEST_CONTEXT(query << " " << json::serialize(told)) {
            if (told.at("error").is_null()) continue; // Strapi ignores it, and so do we
            BOOST_TEST(told.at("status") == 400);
            BOOST_TEST(told.at("error").at("place").as_string() == place);
            BOOST_TEST(told.at("error").at("received").as_string() == received);
        }
    }
}

BOOST_AUTO_TEST_CASE(nobody_is_told_more_than_he_may_ask) {
    auto const told = explain("/api/secrets");
    BOOST_TEST(told.at("status") == 403);
    BOOST_TEST(told.at("nodes").as_array().empty());
    BOOST_TEST(explain("/api/articles", {{"HTTP_AUTHORIZATION", "Bearer x"}}).at("status") == 401);
}

// The pairs of a polymorphic relation are read whatever they lead to, drafts among it.
BOOST_AUTO_TEST_CASE(pairs_that_lead_to_nothing_the_caller_may_see_are_not_counted) {
    std::string const path = "/api/comments?populate=related&pagination[pageSize]=100";
    std::size_t answered = 0;
    auto const body = json::parse(application.get(path).body);
    for (auto const& comment : body.at("data").as_array())
        if (auto const* related = comment.at("attributes").as_object().if_contains("related"))
            answered += related->as_array().size();
    BOOST_TEST(answered > 0U);
    auto const owner = server::open_owner();
    auto const stored = server::ask(*owner, db::SqlPiece("SELECT COUNT(*) FROM"
                                                         " comments_related_morphs"));
    BOOST_TEST(std::to_string(answered) != stored, "the example hides some");

    std::size_t pairs = 0;
    auto const told = explain(path);
    for (auto const& node : told.at("nodes").as_array()) {
        if (node.at("source") != "pairs") continue;
        ++pairs;
        BOOST_TEST(node.at("rows").as_int64() == static_cast<std::int64_t>(answered));
    }
    BOOST_TEST(pairs == 1U);
}

BOOST_AUTO_TEST_CASE(any_bytes_of_a_client_are_reported_as_json) {
    for (auto const path : {"/api/articles/%FF?a=%FF", "/nope", "/", "/api/articles?a[b]=%00\"\\",
                            "/_explain/api/articles"})
        BOOST_TEST(explain(path).contains("tree"), path);
}

BOOST_AUTO_TEST_CASE(the_route_is_off_unless_it_is_turned_on) {
    faults::ApplicationProcess const other(with({}));
    BOOST_TEST(other.get("/_explain/api/articles").status == 404);
    BOOST_TEST(application.get("/_explain").status == 404);
    BOOST_TEST(application.get("/_explained/api/articles").status == 404);
}

BOOST_AUTO_TEST_CASE(server_timing_names_the_stages_when_it_is_turned_on) {
    auto const first = application.get(request).header("Server-Timing");
    for (auto const stage :
         {"wait", "authorize", "parse", "read", "bind", "acquire", "execute", "render", "total"})
        BOOST_TEST(first.find(std::string(stage) + ";dur=") != std::string::npos, first);
    auto const again = application.get(request).header("Server-Timing");
    BOOST_TEST(again.find("parse") == std::string::npos, "the plan was known: " << again);
    BOOST_TEST(application.get("/api/nope").header("Server-Timing").find("total;dur=") !=
               std::string::npos);
    faults::ApplicationProcess const other(with({}));
    BOOST_TEST(other.get(request).header("Server-Timing") == "");
}

BOOST_AUTO_TEST_CASE(ready_is_who_could_answer_now) {
    BOOST_TEST(application.get("/_ready").status == 204);
    faults::ApplicationProcess const waiting(without_database({}));
    BOOST_TEST(waiting.get("/_ready").status == 503);
    BOOST_TEST(waiting.get("/_health").status == 204);
}

BOOST_AUTO_TEST_SUITE_END()
