#include "db/plan/bind_passes.hpp"

#include "db/read/select.hpp"
#include "tests/unit/bound.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <tuple>
#include <utility>

BOOST_AUTO_TEST_SUITE(publication)

namespace {

// The condition of the rows that are counted; or the message of the error.
std::string where(char const* uid, std::string const& query) {
    auto const& schema = *ks5_schema();
    auto const plan =
        bound(schema, {.type = schema.find(uid)}, query, everything, {.default_locale = "en"});
    if (!plan) return plan.error().message;
    auto const sql = db::readable(db::select(*plan).statements.total.str());
    auto const at = sql.find(" WHERE ");
    return at == sql.npos ? "all" : sql.substr(at + 7);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_status_shows_drafts_or_what_is_published) {
    std::tuple<char const*, char const*, char const*> const cases[] = {
        {"api::event.event", "", "(t0.`published_at` IS NOT NULL)"},
        {"api::event.event", "status=published", "(t0.`published_at` IS NOT NULL)"},
        {"api::event.event", "status=draft", "(t0.`published_at` IS NULL)"},
        {"api::event.event", "publicationState=preview", "(t0.`published_at` IS NOT NULL)"},
        {"api::tag.tag", "status=draft", "all"},
        {"api::event.event", "status=", "status: expected draft or published, received \"\""},
        {"api::event.event", "status=DRAFT",
         "status: expected draft or published, received \"DRAFT\""},
        {"api::event.event", "status[]=draft", "status: expected draft or published"},
    };
    for (auto const& [type, query, expected] : cases)
        BOOST_TEST(where(type, query) == expected, query);
}

// `pair`: a row of the other state, of the same document and locale.
BOOST_AUTO_TEST_CASE(a_publication_filter_asks_for_the_row_of_the_other_state) {
    std::string const document = "(SELECT 1 FROM `events` t2 WHERE t2.`document_id` = "
                                 "t0.`document_id`";
    std::string const pair = document + " AND t2.`locale` <=> t0.`locale`";
    std::string const draft = "t0.`published_at` IS NULL";
    std::string const published = "t0.`published_at` IS NOT NULL";
    std::string const found = " LIMIT 1) IS NOT NULL";
    std::string const of_draft = " AND t2.`published_at` IS NULL";
    std::string const of_published = " AND t2.`published_at` IS NOT NULL";
    std::tuple<char const*, std::string, std::string> const cases[] = {
        {"publicationFilter=never-published", "NOT (" + pair + of_published + found + ")", "FALSE"},
        {"publicationFilter=has-published-version", pair + of_published + found,
         pair + of_draft + found},
        {"publicationFilter=modified",
         pair + of_published + " AND t0.`updated_at` > t2.`updated_at`" + found,
         pair + of_draft + " AND t0.`updated_at` < t2.`updated_at`" + found},
        {"publicationFilter=unmodified",
         pair + of_published + " AND t0.`updated_at` <= t2.`updated_at`" + found,
         pair + of_draft + " AND t0.`updated_at` >= t2.`updated_at`" + found},
        {"publicationFilter=never-published-document",
         "NOT (" + document + of_published + found + ")", "FALSE"},
        {"publicationFilter=has-published-version-document", document + of_published + found,
         document + of_draft + found},
        {"hasPublishedVersion=true", document + of_published + found, document + of_draft + found},
        {"hasPublishedVersion=false", "NOT (" + document + of_published + found + ")", "FALSE"},
        {"publicationFilter=published-without-draft", "FALSE",
         "NOT (" + pair + of_draft + found + ")"},
        {"publicationFilter=published-with-draft", "FALSE", pair + of_draft + found},
    };
    for (auto const& [filter, of_drafts, of_published_rows] : cases) {
        BOOST_TEST(where("api::event.event", std::string("status=draft&") + filter) ==
                       "(" + draft + " AND " + of_drafts + ")",
                   filter);
        BOOST_TEST(where("api::event.event", filter) ==
                       "(" + published + " AND " + of_published_rows + ")",
                   filter);
    }
}

BOOST_AUTO_TEST_CASE(a_locale_of_strapi_5_is_the_default_one_or_all) {
    std::pair<char const*, char const*> const cases[] = {
        {"", "(t0.`locale` = 'en')"},
        {"locale", "(t0.`locale` = 'en')"},
        {"locale=", "(t0.`locale` = 'en')"},
        {"locale=fr", "(t0.`locale` = 'fr')"},
        {"locale=all", "(t0.`locale` = 'all')"},
        {"locale=*", "all"},
        {"locale[]=fr&locale[]=en", "(t0.`locale` IN ('fr', 'en'))"},
        {"filters[locale]=fr", "(t0.`locale` = 'fr')"},
    };
    for (auto const& [query, expected] : cases)
        BOOST_TEST(where("api::page.page", std::string("status=draft&") + query) ==
                       (std::string(expected) == "all"
                            ? "(t0.`published_at` IS NULL)"
                            : std::string(expected).insert(std::string(expected).size() - 1,
                                                           " AND t0.`published_at` IS NULL")),
                   query);
}

BOOST_AUTO_TEST_SUITE_END()
