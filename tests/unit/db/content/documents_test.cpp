#include "db/content/census.hpp"

#include "db/schema/naming.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(documents)

namespace {

using Ids = std::vector<std::uint64_t>;
using Said = db::Record::Document;

struct Fixture {
    Fixture() {
        type.uid = "api::page.page";
        type.has_documents = type.draft_and_publish = type.localized = true;
    }

    // The line of an entry of the folder is its id.
    void take(std::uint64_t id, Said const& said) {
        documents.take(id, type, said, {"pages.ndjson", id});
    }
    void found(std::uint64_t id, char const* document, char const* locale, bool is_draft,
               bool is_to_go = false) {
        documents.found(id, type, document, locale, is_draft, is_to_go);
    }
    void settle() { documents.settle(type, "en", errors); }

    // `document locale status` of a row, and its draft if that was added; without a document `-`.
    std::string row(std::uint64_t id) const {
        auto const* row = documents.find(id);
        if (!row) return "none";
        auto const& name = row->document;
        auto const text = (name == made   ? "made"
                           : name.empty() ? "-"
                                          : name) +
                          ' ' + row->locale + (row->is_draft ? " draft" : " published");
        return row->draft > 0 ? text + ", " + std::to_string(row->draft) : text;
    }
    Ids rows_for(db::Record::EntryReference target, db::Record::Standing const& from) const {
        target.type = &type;
        return documents.rows_for(target, from, "en");
    }

    db::ContentType type;
    db::DocumentRows documents;
    std::vector<std::string> told;
    db::ContentErrors errors{[this](std::string const& error) { told.push_back(error); }};
    std::string const made = db::stable_document_id("api::page.page", "1");
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_draft_keeps_its_id_and_what_goes_is_in_nobodys_way, Fixture) {
    take(1, {.id = "a", .locale = "en", .has_status = true, .is_published = true});
    found(1, "a", "en", false, true);
    found(5, "a", "en", true, true);
    found(7, "b", "en", false, true);
    found(8, "a", "fr", false, true);
    settle();
    BOOST_TEST(row(1) == "a en published, 5");
    BOOST_TEST(row(5) == "a en draft");
    BOOST_TEST(row(7) == "none");
    BOOST_TEST(row(8) == "none");
    BOOST_TEST(told.empty());
}

BOOST_FIXTURE_TEST_CASE(a_line_without_a_time_leaves_the_status_as_it_is, Fixture) {
    take(1, {});
    take(2, {});
    take(3, {});
    found(1, "a", "en", false, true);
    found(2, "b", "en", true, true);
    settle();
    BOOST_TEST(row(1) == "a en published, 4");
    BOOST_TEST(row(2) == "b en draft");
    BOOST_TEST(row(3).ends_with(" en draft"));
}

BOOST_FIXTURE_TEST_CASE(what_is_published_has_a_draft_of_its_own, Fixture) {
    take(1, {.id = "a", .is_published = true});
    take(2, {.id = "b", .is_published = true});
    take(3, {.id = "b"});                       // the folder has it
    take(4, {.id = "c", .is_published = true}); // the database has it
    found(9, "c", "en", true);
    take(5, {.id = "d"}); // not published
    settle();
    std::pair<std::uint64_t, char const*> const rows[] = {
        {1, "a en published, 10"}, {10, "a en draft"}, {2, "b en published"},
        {3, "b en draft"},         {9, "c en draft"},  {4, "c en published, 9"},
        {5, "d en draft"},         {11, "none"},
    };
    for (auto const& [id, row] : rows)
        BOOST_TEST(this->row(id) == row, id);
    BOOST_TEST(documents.rows_of("a") == (Ids{1, 10}), boost::test_tools::per_element());
    BOOST_TEST(documents.rows_of("nowhere").empty());
    BOOST_TEST(told.empty());
}

BOOST_FIXTURE_TEST_CASE(types_without_drafts_have_one_row, Fixture) {
    type.draft_and_publish = false;
    take(1, {.id = "a"});
    settle();
    BOOST_TEST(row(1) == "a en published");
    BOOST_TEST(row(2) == "none");
}

BOOST_AUTO_TEST_CASE(localizations_are_one_document) {
    struct Case {
        char const* name;
        std::string in_folder; // of entry 1
        bool is_none;
        char const* in_database; // of row 2
        char const* first;       // row 1
        char const* second;
    };
    Case const cases[] = {
        {"made of the lowest id", "", false, "", "made en draft", "made de draft"},
        {"as the folder says", "a", false, "", "a en draft", "a de draft"},
        {"as the database says", "", false, "b", "b en draft", "b de draft"},
        {"none, if the folder says so", "", true, "", "- en draft", "made de draft"},
    };
    for (auto const& [name, in_folder, is_none, in_database, first, second] : cases)
        BOOST_TEST_CONTEXT(name) {
            Fixture pages;
            pages.take(1, {.id = in_folder, .is_none = is_none, .localizations = {2}});
            pages.take(2, {.locale = "de"});
            pages.found(2, in_database, "de", true);
            pages.settle();
            BOOST_TEST(pages.row(1) == first);
            BOOST_TEST(pages.row(2) == second);
            BOOST_TEST(pages.documents.find(2)->entry == (is_none ? 2U : 1U));
            BOOST_TEST(pages.told.empty());
        }
}

BOOST_FIXTURE_TEST_CASE(localizations_of_localizations_are_joined_in_any_order, Fixture) {
    take(1, {.locale = "en"});
    take(2, {.locale = "de", .localizations = {3}});
    take(3, {.locale = "fr", .localizations = {1}});
    settle();
    BOOST_TEST(row(1) == "made en draft");
    BOOST_TEST(row(2) == "made de draft");
    BOOST_TEST(row(3) == "made fr draft");
}

BOOST_AUTO_TEST_CASE(what_contradicts_itself_is_reported_with_its_line) {
    struct Case {
        Said first, second;
        char const* told;
    };
    Case const cases[] = {
        {{.localizations = {7}},
         {},
         "pages.ndjson:1: localizations: there is no entry 7 in the folder"},
        {{.id = "a", .localizations = {2}},
         {.id = "b", .locale = "de"},
         "pages.ndjson:2: documentId: expected the documentId of its localizations, a, received b"},
        {{.id = "a"},
         {.id = "a", .locale = "en"}, // the default locale
         "pages.ndjson:2: api::page.page 2: expected another document, locale or status than 1 "
         "has"},
    };
    for (auto const& [first, second, told] : cases) {
        Fixture pages;
        pages.take(1, first);
        pages.take(2, second);
        pages.settle();
        BOOST_TEST_REQUIRE(pages.told.size() == 1U);
        BOOST_TEST(pages.told[0] == told);
    }
}

// The rows of document `a`: 1 and its draft 2, both en; 3 and its draft 4, both de.
BOOST_FIXTURE_TEST_CASE(a_relation_leads_to_the_rows_that_strapi_5_links, Fixture) {
    take(1, {.id = "a", .is_published = true});
    take(2, {.id = "a"});
    take(3, {.id = "a", .locale = "de", .is_published = true});
    settle();
    db::Record::Standing const draft{.has_status = true, .is_draft = true};
    db::Record::Standing const published{.has_status = true};
    db::Record::Standing const whole{.has_status = true, .is_whole = true};
    db::Record::Standing const both{};
    db::Record::Standing const german{.has_status = true, .is_localized = true, .locale = "de"};
    struct Case {
        char const* name;
        db::Record::EntryReference target;
        db::Record::Standing from;
        Ids rows;
    };
    Case const cases[] = {
        {"a draft has drafts", {.document = "a"}, draft, {2}},
        {"a published row has published ones", {.document = "a"}, published, {1}},
        {"a row that is neither has both", {.document = "a"}, both, {1, 2}},
        {"those of its own locale", {.document = "a"}, german, {3}},
        {"none of a document that is not there", {.document = "b"}, both, {}},
        {"an id is a row", {.id = 1}, published, {1}},
        {"an id is a row to a draft, too", {.id = 1}, draft, {1}},
        {"and its draft, if it was added", {.id = 3}, both, {3, 4}},
        {"to a draft its draft alone", {.id = 3}, draft, {4}},
        {"what is published loses drafts", {.id = 2}, whole, {}},
        {"unless its draft is another entry", {.id = 2}, published, {2}},
    };
    for (auto const& [name, target, from, rows] : cases)
        BOOST_TEST_CONTEXT(name)
    BOOST_TEST(rows_for(target, from) == rows, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
