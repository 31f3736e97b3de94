#include "fixture.hpp"

// Sessions inherit what an administrator has set for the whole server.

using namespace faults;
using db::SqlPiece;

BOOST_AUTO_TEST_SUITE(database)

namespace {

char const* const requests[] = {
    usual_request,
    "/api/scalars?pagination[pageSize]=100",
    "/api/scalars?sort=aString:desc,id&filters[aString][$containsi]=%C3%A9",
    "/api/scalars?filters[aDatetime][$gt]=2024-01-15T12:34:56.000Z",
    "/api/scalars?filters[aString][$eq]=%22'%5C&filters[label][$ne]=x",
    "/api/pages?populate[zone][populate]=*",
    "/api/articles?filters[tags][name][$contains]=a&sort=author.name&fields=title",
    "/api/products?populate=*&pagination[limit]=5",
};

} // namespace

BOOST_AUTO_TEST_CASE(no_setting_of_the_server_moves_a_response) {
    struct {
        SqlPiece set, reset;
    } const settings[] = {
        {"SET GLOBAL sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT'",
         "SET GLOBAL sql_mode = DEFAULT"},
        {"SET GLOBAL sql_mode = 'ORACLE'", "SET GLOBAL sql_mode = DEFAULT"},
        {"SET GLOBAL sql_mode = 'TRADITIONAL,ONLY_FULL_GROUP_BY,PAD_CHAR_TO_FULL_LENGTH'",
         "SET GLOBAL sql_mode = DEFAULT"},
        {"SET GLOBAL time_zone = '+05:30'", "SET GLOBAL time_zone = 'SYSTEM'"},
        {"SET GLOBAL character_set_server = latin1, GLOBAL character_set_client = latin1,"
         " GLOBAL character_set_results = latin1, GLOBAL collation_connection = latin1_bin",
         "SET GLOBAL character_set_server = utf8mb4, GLOBAL collation_server = utf8mb4_unicode_ci,"
         " GLOBAL character_set_client = utf8mb4, GLOBAL character_set_results = utf8mb4,"
         " GLOBAL collation_connection = utf8mb4_general_ci"},
        {"SET GLOBAL init_connect = 'SET NAMES latin1'", "SET GLOBAL init_connect = ''"},
        {"SET GLOBAL autocommit = 0", "SET GLOBAL autocommit = 1"},
        {"SET GLOBAL completion_type = 'RELEASE'", "SET GLOBAL completion_type = DEFAULT"},
        {"SET GLOBAL tx_isolation = 'READ-UNCOMMITTED'", "SET GLOBAL tx_isolation = DEFAULT"},
        {"SET GLOBAL read_only = 1", "SET GLOBAL read_only = 0"},
    };
    auto const owner = server::open_owner();
    std::vector<std::string> expected;
    auto const url = reader_through(server::setting("POPULATE_TEST_SOCKET"));
    {
        ApplicationProcess const application({.database = url, .is_patient = true});
        for (auto uri : requests) {
            expected.push_back(application.get(uri).body);
            BOOST_TEST(expected.back().starts_with("{\"data\":["), uri);
        }
    }
    for (auto const& [set, reset] : settings) {
        server::command(*owner, set);
        {
            ApplicationProcess const application({.database = url, .is_patient = true});
            for (std::size_t i = 0; i < std::size(requests); ++i)
                BOOST_TEST((application.get(requests[i]).body == expected[i]),
                           db::SqlText(set).str() << ": " << requests[i]);
        }
        server::command(*owner, reset);
    }
}

BOOST_AUTO_TEST_SUITE_END()
