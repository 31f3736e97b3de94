#include "tests/database/server.hpp"

#include "db/mysql/table_relations.hpp"

#include <cstdlib>
#include <filesystem>

BOOST_AUTO_TEST_SUITE(table_relations)

namespace {

using Strings = std::vector<std::string>;

// Tables in two databases, that keys lead from one to the other and back, and some that are none of
// InnoDB's. The account may read.
struct Fixture {
    Fixture() {
        db::SqlPiece const made[] = {
            "CREATE DATABASE `kin`",
            "CREATE DATABASE `Abroad`",
            "CREATE TABLE `kin`.`Root` (`id` int PRIMARY KEY) ENGINE=InnoDB",
            "CREATE TABLE `Abroad`.`middle` (`id` int PRIMARY KEY,"
            " FOREIGN KEY (`id`) REFERENCES `kin`.`Root` (`id`) ON DELETE CASCADE) ENGINE=InnoDB",
            "CREATE TABLE `kin`.`leaf` (`id` int PRIMARY KEY,"
            " FOREIGN KEY (`id`) REFERENCES `Abroad`.`middle` (`id`) ON DELETE CASCADE)"
            " ENGINE=InnoDB",
            "CREATE TABLE `kin`.`old` (`id` int PRIMARY KEY) ENGINE=MyISAM",
            "CREATE VIEW `kin`.`seen` AS SELECT `id` FROM `kin`.`leaf`",
            "CREATE USER kin@localhost IDENTIFIED BY 'kin'",
            "GRANT SELECT ON `kin`.* TO kin@localhost",
        };
        for (auto const& sql : made)
            server::command(*owner, sql);
    }
    ~Fixture() {
        for (auto const& sql :
             {db::SqlPiece("DROP USER kin@localhost"), db::SqlPiece("SET foreign_key_checks = 0"),
              db::SqlPiece("DROP DATABASE `kin`"), db::SqlPiece("DROP DATABASE `Abroad`")})
            server::command(*owner, sql);
    }

    std::unique_ptr<db::Connection> owner = server::open_owner();
};

// As a reader of the database sees it; what is not told is at the end, behind a `!`.
Strings dependencies(db::DatabaseUrl url, std::string_view name, std::string_view table) {
    url.name = name;
    auto const relations = db::TableRelations::read(*server::open(url));
    BOOST_TEST_REQUIRE(relations.has_value(), relations.error().cause);
    auto const found = relations->dependencies({&table, 1});
    auto const text = [](db::TableName const& each) {
        return each.database.empty() ? each.name : each.database + "." + each.name;
    };
    Strings texts;
    for (auto const& each : found.tables)
        texts.push_back(text(each));
    if (found.unreported) texts.push_back("!" + text(*found.unreported));
    return texts;
}

db::DatabaseUrl kin() {
    auto url = server::reader();
    url.user = url.password = "kin";
    return url;
}

} // namespace

// As Strapi 4.26 has made it: both sides of a link, and who created an entry.
BOOST_AUTO_TEST_CASE(links_depend_on_what_they_link) {
    BOOST_TEST(dependencies(server::reader(), "ks", "articles_tags_links") ==
                   (Strings{"admin_users", "articles", "articles_tags_links", "tags"}),
               boost::test_tools::per_element());
    BOOST_TEST(dependencies(server::reader(), "ks", "tags") == (Strings{"admin_users", "tags"}),
               boost::test_tools::per_element());
}

// As Strapi 5.54 has made it.
BOOST_AUTO_TEST_CASE(of_strapi_5_too) {
    std::string const folder =
        std::filesystem::path(server::setting("POPULATE_TEST_SOCKET")).parent_path();
    auto const load = DATABASE_SCRIPT " load " + folder + " ks5 " TEST_DATA "/ks5/dump.sql.gz";
    BOOST_TEST_REQUIRE(std::system(load.c_str()) == 0, load);
    BOOST_TEST(dependencies(server::reader(), "ks5", "articles_cmps") ==
                   (Strings{"admin_users", "articles", "articles_cmps"}),
               boost::test_tools::per_element());
    BOOST_TEST(dependencies(server::reader(), "ks5", "articles_author_lnk") ==
                   (Strings{"admin_users", "articles", "articles_author_lnk", "authors"}),
               boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(keys_lead_through_other_databases, Fixture) {
    server::command(*owner, db::SqlPiece("GRANT SELECT ON `Abroad`.* TO kin@localhost"));
    BOOST_TEST(dependencies(kin(), "kin", "leaf") == (Strings{"leaf", "root", "Abroad.middle"}),
               boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(where_keys_lead_out_of_sight_nothing_is_told, Fixture) {
    BOOST_TEST(dependencies(kin(), "kin", "leaf") ==
                   (Strings{"leaf", "Abroad.middle", "!Abroad.middle"}),
               boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(only_tables_of_innodb_follow_the_log, Fixture) {
    for (char const* table : {"old", "seen", "missing"})
        BOOST_TEST(dependencies(kin(), "kin", table) == (Strings{table, std::string("!") + table}),
                   boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
