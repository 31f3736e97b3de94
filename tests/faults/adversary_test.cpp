#include "fixture.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <iostream>

// The most expensive URLs of at most 16 KiB that we could think of are answered within the request
// limit of a server with default settings, and hold up nobody else.

using namespace faults;

BOOST_AUTO_TEST_SUITE(adversary)

namespace {

constexpr std::size_t longest = 16 * 1024;

// As many pieces as fit; each is made from its number.
std::string filled(std::string const& start, std::function<std::string(std::size_t)> const& piece,
                   std::size_t most = longest) {
    auto const question_mark = start.find('?') + 1;
    std::string uri = start;
    for (std::size_t i = 0; i < most; ++i) {
        auto const next = piece(i);
        if (uri.size() - question_mark + next.size() > longest) break;
        uri += next;
    }
    return uri;
}

std::string alternating(std::size_t count, std::string const& a, std::string const& b) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i)
        out += i % 2 == 0 ? a : b;
    return out;
}

std::string number(std::size_t i) {
    return std::to_string(i);
}

// A populate in a populate, each with a filter that looks through others.
std::string filters_below(std::string const& place, std::size_t levels) {
    if (levels == 0) return {};
    bool const tags = place.ends_with("tags]");
    std::string const filter =
        tags ? "[articles][tags][articles][title]" : "[tags][articles][tags][name]";
    return "&" + place + "[filters]" + filter + "[$containsi]=a&" + place + "[sort]=id" +
           filters_below(place + (tags ? "[populate][articles]" : "[populate][tags]"), levels - 1);
}

std::vector<std::pair<std::string, std::string>> adversaries() {
    std::string const components[] = {
        "shared.seo",      "blocks.hero",        "blocks.rich-text",
        "blocks.gallery",  "blocks.quote",       "blocks.related-articles",
        "blocks.cta-list", "blocks.price-table", "layout.section"};
    return {
        {"the deepest populate", filled(
                                     "/api/nodes?pagination[limit]=100&populate=parent",
                                     [](std::size_t) { return ".parent"; }, 498)},
        {"one deeper than any plan",
         filled("/api/nodes?populate=parent", [](std::size_t) { return ".friends"; })},
        {"everything, as deep as it goes", "/api/articles?pagination[limit]=100&populate=deep,5"},
        {"everything, three levels", "/api/articles?pagination[limit]=100&populate=deep,4"},
        {"everything, without end", "/api/pages?pagination[limit]=100&populate=deep,1e300"},
        {"from many to many and back", "/api/articles?pagination[limit]=100&populate=" +
                                           alternating(60, "tags.", "articles.") + "category"},
        {"the widest on", filled("/api/pages?pagination[limit]=100",
                                 [&](std::size_t i) {
                                     return "&populate[zone][on][" +
                                            components[i % std::size(components)] + "][populate][" +
                                            number(i) + "]=" +
                                            (i % 2 == 0 ? "articles.tags" : "author.articles");
                                 })},
        {"joins in a filter",
         "/api/articles?filters" + alternating(19, "[tags]", "[articles]") + "[name][$ne]=x"},
        {"many joins in many filters", filled("/api/articles?pagination[limit]=100",
                                              [](std::size_t i) {
                                                  return "&filters[$or][" + number(i) + "]" +
                                                         alternating(11, "[tags]", "[articles]") +
                                                         "[name][$containsi]=q" + number(i);
                                              })},
        {"none of many", filled(
                             "/api/articles?pagination[limit]=100",
                             [](std::size_t i) {
                                 return "&filters[$not][$or][" + number(i) +
                                        "][$not][tags][articles][tags]" + "[name][$null]=true";
                             },
                             60)},
        {"texts in texts", filled(
                               "/api/articles?pagination[limit]=100",
                               [](std::size_t i) {
                                   return "&filters[$or][" + number(i) + "][body][$containsi]=a" +
                                          number(i);
                               },
                               200)},
        {"one long text in all texts",
         filled("/api/articles?filters[body][$notContainsi]=", [](std::size_t) { return "a"; })},
        {"a page far away", "/api/articles?sort=body,title&pagination[start]=9007199254740990"
                            "&pagination[limit]=100"},
        {"a list of values",
         filled(
             "/api/articles?pagination[limit]=100",
             [](std::size_t i) { return "&filters[tags][id][$in][]=" + number(i); }, 500)},
        {"values of another type",
         filled(
             "/api/articles?pagination[limit]=100",
             [](std::size_t i) { return "&filters[id][$notIn][]=%2B" + number(i); }, 500)},
        {"a sort through many",
         "/api/articles?sort=" + alternating(12, "tags.", "articles.") + "title"},
        {"many sorts through many",
         filled("/api/articles?sort=id",
                [](std::size_t i) {
                    return "," + alternating(1 + i % 12, "tags.", "articles.") +
                           (i % 2 == 0 ? "name" : "title");
                })},
        {"filters in every populate",
         "/api/articles?pagination[limit]=100" + filters_below("populate[tags]", 5)},
        {"a search", filled("/api/articles?_q=", [](std::size_t) { return "e"; })},
        {"a thousand parameters",
         filled(
             "/api/articles?populate=*", [](std::size_t i) { return "&a" + number(i); }, 998)},
    };
}

// The example's project, with the plugin that knows `populate=deep`.
std::string deep_project() {
    auto const folder = database_folder() + "/deep";
    std::filesystem::copy(PROJECTS "/ks", folder,
                          std::filesystem::copy_options::recursive |
                              std::filesystem::copy_options::overwrite_existing);
    std::ofstream(folder + "/package.json")
        << R"({"dependencies": {"strapi-plugin-populate-deep": "3.0.1"}})";
    return folder;
}

} // namespace

BOOST_AUTO_TEST_CASE(any_url_is_answered_within_the_request_limit_and_health_meanwhile) {
    ApplicationProcess const application(
        {.database = server::setting("POPULATE_TEST_DATABASE"), .schema = deep_project()});
    BOOST_TEST(application.responds(cheap_request, 200));
    for (auto const& [what, uri] : adversaries())
        BOOST_TEST_CONTEXT(what) {
            BOOST_TEST(uri.size() - uri.find('?') - 1 <= longest);
            auto const start = Clock::now();
            auto client = application.connect();
            client.send(fastcgi::request(fastcgi::get(uri)));
            while (!client.has_arrivals_within(100ms) && Clock::now() - start < 12s)
                check_health(application);
            auto const response = client.read_response();
            auto const took =
                std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
            std::cout << what << ": " << response.status << " after " << took.count() << " ms "
                      << (response.status == 200 ? "" : response.body.substr(0, 150)) << '\n';
            BOOST_TEST(took.count() < 11'000);
            BOOST_TEST((response.status == 200 || response.status == 400 ||
                        response.status == 503 || response.status == 504),
                       response.status << response.body);
        }
    // Nor does the database work on for those who have their response.
    auto const owner = server::open_owner();
    auto const busy = db::SqlPiece("SELECT COUNT(*) FROM information_schema.PROCESSLIST"
                                   " WHERE USER = 'populate' AND COMMAND = 'Query'");
    BOOST_TEST(eventually([&] { return server::ask(*owner, busy) == "0"; }));
}

BOOST_AUTO_TEST_SUITE_END()
