#include "db/binlog/server_facts.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>

BOOST_AUTO_TEST_SUITE(server_facts)

namespace {

db::ServerFacts mariadb() {
    return {.version = "10.11.19-MariaDB-0+deb12u1-log",
            .account = "'cache'@'localhost'",
            .variables = {{"binlog_format", "ROW"},
                          {"binlog_optimize_thread_scheduling", "ON"},
                          {"gtid_slave_pos", ""},
                          {"log_bin", "ON"},
                          {"log_slave_updates", "OFF"},
                          {"wsrep_on", "OFF"}},
            .end = db::LogEnd{.file = "log.000001", .offset = "4"}};
}

db::ServerFacts mysql() {
    return {.version = "9.7.4",
            .account = "'cache'@'localhost'",
            .variables = {{"binlog_order_commits", "ON"},
                          {"binlog_transaction_compression", "OFF"},
                          {"gtid_mode", "ON"},
                          {"log_bin", "ON"},
                          {"log_replica_updates", "ON"},
                          {"log_slave_updates", "ON"},
                          {"server_uuid", "3e11fa47-71ca-11e1-9e33-c80aa9429562"}},
            .end = db::LogEnd{.file = "log.000001", .offset = "4"}};
}

} // namespace

BOOST_AUTO_TEST_CASE(the_known_servers_are_not_in_the_way) {
    BOOST_TEST(db::obstacles_of(mariadb()).empty());
    BOOST_TEST(db::obstacles_of(mysql()).empty());
    auto newer = mariadb();
    newer.version = "11.8.3-MariaDB";
    BOOST_TEST(db::obstacles_of(newer).empty());
    BOOST_TEST(db::end_statement(mariadb()) == "SHOW MASTER STATUS");
    BOOST_TEST(db::end_statement(mysql()) == "SHOW BINARY LOG STATUS");
    BOOST_TEST(mysql().name() == "MySQL 9.7.4");
}

BOOST_AUTO_TEST_CASE(each_obstacle_says_what_it_is_and_what_helps) {
    using Facts = db::ServerFacts;
    struct {
        char const* what;
        char const* fix;
        Facts facts;
        std::function<void(Facts&)> change;
    } const cases[] = {
        {"MariaDB 12.3.1 was not tested with this program",
         "MariaDB 10.11, MariaDB 11.8, MySQL 9.7", mariadb(),
         [](Facts& facts) { facts.version = "12.3.1-MariaDB"; }},
        {"MariaDB 11.10.2 was not tested with this program", "MariaDB 10.11", mariadb(),
         [](Facts& facts) { facts.version = "11.10.2-MariaDB"; }},
        {"MySQL 8.0.40 was not tested with this program", "MySQL 9.7", mysql(),
         [](Facts& facts) { facts.version = "8.0.40"; }},
        {"MySQL 10.11.1 was not tested with this program", "MySQL 9.7", mysql(),
         [](Facts& facts) { facts.version = "10.11.1"; }},
        {"log_bin is OFF", "log_bin", mariadb(), [](Facts& facts) { facts.end.reset(); }},
        {"may not see where the binary log ends: database error 1227: no",
         "GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO 'cache'@'localhost'", mariadb(),
         [](Facts& facts) {
             facts.end.reset();
             facts.error_code = 1227;
             facts.error = "database error 1227: no";
         }},
        {"may not see where the binary log ends",
         "GRANT REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO 'cache'@'localhost'", mysql(),
         [](Facts& facts) {
             facts.end.reset();
             facts.error_code = 1227;
         }},
        {"leaves out databases", "remove binlog_do_db", mariadb(),
         [](Facts& facts) { facts.end->do_database = "shop"; }},
        {"leaves out databases", "binlog_ignore_db", mysql(),
         [](Facts& facts) { facts.end->ignore_database = "tmp"; }},
        {"log_slave_updates is OFF", "log_slave_updates = ON", mariadb(),
         [](Facts& facts) { facts.has_replicated = true; }},
        {"log_replica_updates is OFF", "log_replica_updates = ON", mysql(),
         [](Facts& facts) { facts.variables["log_replica_updates"] = "OFF"; }},
        {"binlog_optimize_thread_scheduling is OFF", "binlog_optimize_thread_scheduling = ON",
         mariadb(),
         [](Facts& facts) { facts.variables["binlog_optimize_thread_scheduling"] = "OFF"; }},
        {"log_slave_updates is OFF", "log_slave_updates = ON", mariadb(),
         [](Facts& facts) { facts.variables["wsrep_on"] = "ON"; }},
        {"binlog_storage_engine is innodb", "unset", mariadb(),
         [](Facts& facts) { facts.variables["binlog_storage_engine"] = "innodb"; }},
        {"gtid_mode is OFF_PERMISSIVE", "gtid_mode = ON", mysql(),
         [](Facts& facts) { facts.variables["gtid_mode"] = "OFF_PERMISSIVE"; }},
        {"binlog_order_commits is OFF", "binlog_order_commits = ON", mysql(),
         [](Facts& facts) { facts.variables["binlog_order_commits"] = "OFF"; }},
        {"binlog_transaction_compression is ON", "binlog_transaction_compression = OFF", mysql(),
         [](Facts& facts) { facts.variables["binlog_transaction_compression"] = "ON"; }},
    };
    for (auto const& [what, fix, facts, change] : cases)
        BOOST_TEST_CONTEXT(what) {
            auto changed = facts;
            change(changed);
            auto const obstacles = db::obstacles_of(changed);
            BOOST_TEST_REQUIRE(obstacles.size() == 1U);
            BOOST_TEST(obstacles[0].text().find(what) != std::string::npos, obstacles[0].text());
            BOOST_TEST(obstacles[0].fix.find(fix) != std::string::npos, obstacles[0].fix);
        }
}

BOOST_AUTO_TEST_CASE(a_fix_sets_only_what_is_not_so_yet) {
    auto facts = mariadb();
    facts.end.reset();
    BOOST_TEST(db::obstacles_of(facts)[0].fix == "set log_bin in my.cnf, and restart the server");
    BOOST_TEST(db::fix_of_statements(facts).find("= ROW") == std::string::npos);
    facts.variables["binlog_format"] = "MIXED";
    BOOST_TEST(db::obstacles_of(facts)[0].fix ==
               "set log_bin and binlog_format = ROW in my.cnf, and restart the server");
    BOOST_TEST(
        db::fix_of_statements(facts) ==
        "set binlog_format = ROW in my.cnf, and restart the server and the programs that write");
}

BOOST_AUTO_TEST_CASE(formats_that_void_everything_are_right_and_hinted_at) {
    for (auto const* format : {"MIXED", "STATEMENT"}) {
        auto facts = mariadb();
        facts.variables["binlog_format"] = format;
        BOOST_TEST(db::obstacles_of(facts).empty());
        BOOST_TEST_REQUIRE(db::hints_of(facts).size() == 1U);
        BOOST_TEST(db::hints_of(facts)[0].what.find(format) != std::string::npos);
    }
    BOOST_TEST(db::hints_of(mariadb()).empty());
    BOOST_TEST(db::hints_of(mysql()).empty());
}

BOOST_AUTO_TEST_SUITE_END()
