#include "db/read/index.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

namespace {

db::Index const newest{"articles", {{"published_at", true}, {"id"}, {"locale"}}};
std::string const creation =
    "CREATE INDEX `pf_published_at_desc_id_locale` ON `articles` (`published_at` DESC, `id`, "
    "`locale`) ALGORITHM=INPLACE LOCK=NONE";

BOOST_AUTO_TEST_CASE(an_index_is_created_and_dropped_while_others_write) {
    BOOST_TEST(db::creation_of(newest).str() == creation);
    BOOST_TEST(db::removal_of({"articles", {{"title"}}}).str() ==
               "ALTER TABLE `articles` DROP INDEX `pf_title`, ALGORITHM=INPLACE, LOCK=NONE");
}

BOOST_AUTO_TEST_CASE(long_names_are_cut_and_still_differ) {
    std::string const long_name(70, 'a');
    auto const one = db::name_of({"t", {{long_name}, {"x"}}});
    auto const other = db::name_of({"t", {{long_name}, {"y"}}});
    BOOST_TEST(one.size() == 64);
    BOOST_TEST(one.starts_with("pf_aaaa"));
    BOOST_TEST(one != other);
    BOOST_TEST(one == db::name_of({"t", {{long_name}, {"x"}}}));
    // The longest name that stays whole, and the shortest that does not.
    BOOST_TEST(db::name_of({"t", {{std::string(61, 'a')}}}) == "pf_" + std::string(61, 'a'));
    BOOST_TEST(db::name_of({"t", {{std::string(62, 'a')}}}) != "pf_" + std::string(62, 'a'));
}

BOOST_AUTO_TEST_CASE(a_file_has_statements_and_remarks) {
    auto hidden = creation;
    hidden.replace(hidden.find(") ALGORITHM"), 1, ") INVISIBLE");
    for (std::string const& statement : {creation, hidden}) {
        auto const read = db::read_indexes("SET SESSION lock_wait_timeout = 1;\n-- asked once\n" +
                                           statement + ";\n-- " + creation + ";\n\n");
        BOOST_TEST_REQUIRE(read.has_value());
        BOOST_TEST((*read == std::vector{newest}));
    }
    BOOST_TEST(db::read_indexes("")->empty());
}

char const* const refused[] = {
    "DROP TABLE `articles`;",
    "SET SESSION lock_wait_timeout = 100;",
    // No index of ours.
    "CREATE INDEX `title` ON `articles` (`title`) ALGORITHM=INPLACE LOCK=NONE;",
    // Another name than its columns give.
    "CREATE INDEX `pf_slug` ON `articles` (`title`) ALGORITHM=INPLACE LOCK=NONE;",
    // One that locks, one without an end, and one with more behind it.
    "CREATE INDEX `pf_title` ON `articles` (`title`);",
    "CREATE INDEX `pf_title` ON `articles` (`title`) ALGORITHM=INPLACE LOCK=NONE",
    "CREATE INDEX `pf_title` ON `articles` (`title`) ALGORITHM=INPLACE LOCK=NONE; DROP TABLE `a`;",
    "`pf_title`",
};
BOOST_DATA_TEST_CASE(a_file_has_nothing_else, refused) {
    auto const read = db::read_indexes(std::string(sample) + "\n");
    BOOST_TEST_REQUIRE(read.has_error());
    BOOST_TEST(read.error().message.ends_with(sample));
}

} // namespace
