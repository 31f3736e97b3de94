#include "db/binlog/opening.hpp"
#include "shop.hpp"

#include <algorithm>

using namespace shop;

BOOST_AUTO_TEST_SUITE(obstacles)

namespace {

// The only obstacle that the account meets.
db::Obstacle only_obstacle(db::DatabaseUrl const& url) {
    auto const survey = db::survey_log(url);
    BOOST_TEST_REQUIRE(survey.obstacles.size() == 1U);
    BOOST_TEST(survey.obstacles[0].fix != "");
    return survey.obstacles[0];
}

void check_contains(std::string const& text, std::string const& part) {
    BOOST_TEST(text.find(part) != std::string::npos, text << " lacks " << part);
}

// How often it was told. While a server is long in starting, that is told too.
long told(Following& following, std::string const& what) {
    return std::ranges::count_if(following.told<db::LogRefused>(), [&](db::LogRefused const& one) {
        return one.obstacles.at(0).text().find(what) != std::string::npos;
    });
}

void restart(std::string const& options = "") {
    server_is_to("stop");
    server_is_to("start " + options);
}

} // namespace

BOOST_AUTO_TEST_CASE(an_account_that_may_follow_the_log_meets_none) {
    auto const survey = db::survey_log(follower());
    BOOST_TEST(survey.obstacles.empty());
    BOOST_TEST(survey.hints.empty());
}

BOOST_AUTO_TEST_CASE(an_account_without_a_grant_is_told_which) {
    auto const none = only_obstacle(server::reader());
    check_contains(none.what, "may not see where the binary log ends");
    check_contains(none.fix, "GRANT REPLICATION SLAVE, ");
    Writer write;
    write({"CREATE USER half@localhost IDENTIFIED BY 'half'"});
    if (is_mariadb())
        write({"GRANT BINLOG MONITOR ON *.* TO half@localhost"});
    else
        write({"GRANT REPLICATION CLIENT ON *.* TO half@localhost"});
    auto url = follower();
    url.user = url.password = "half";
    auto const half = only_obstacle(url);
    check_contains(half.what, "may not follow the binary log");
    check_contains(half.fix, "GRANT REPLICATION SLAVE, ");
    write({"DROP USER half@localhost"});
}

BOOST_AUTO_TEST_CASE(an_account_that_is_refused_is_an_obstacle) {
    auto url = follower();
    url.password = "wrong";
    auto const refused = only_obstacle(url);
    check_contains(refused.detail, "1045");
    BOOST_TEST(refused.what.find(url.user) == std::string::npos);
    url.socket = "/nowhere.sock";
    check_contains(only_obstacle(url).detail, "2002");
}

BOOST_AUTO_TEST_CASE(what_the_server_does_not_log_is_an_obstacle_until_it_is_fixed) {
    restart("--skip-log-bin");
    check_contains(only_obstacle(follower()).what, "log_bin is OFF");
    Following following;
    server::wait_until([&] { return told(following, "log_bin is OFF") > 0; });
    restart("--binlog-do-db=content");
    check_contains(only_obstacle(follower()).what, "leaves out databases");
    server::wait_until([&] { return told(following, "leaves out databases") > 0; });
    restart("--binlog-ignore-db=other --binlog-format=MIXED");
    check_contains(only_obstacle(follower()).what, "leaves out databases");
    BOOST_TEST(following.log.epoch() == 0U);
    restart("--binlog-format=MIXED");
    auto const survey = db::survey_log(follower());
    BOOST_TEST(survey.obstacles.empty());
    BOOST_TEST_REQUIRE(survey.hints.size() == 1U);
    check_contains(survey.hints[0].what, "MIXED");
    restart();
    following.await_epoch();
    BOOST_TEST(told(following, "log_bin is OFF") == 1);
}

BOOST_AUTO_TEST_CASE(a_variable_that_is_wrong_is_an_obstacle) {
    if (is_mariadb()) {
        restart("--binlog-optimize-thread-scheduling=OFF");
        check_contains(only_obstacle(follower()).what, "binlog_optimize_thread_scheduling is OFF");
    } else {
        restart("--binlog-order-commits=OFF");
        check_contains(only_obstacle(follower()).what, "binlog_order_commits is OFF");
        restart("--gtid-mode=OFF_PERMISSIVE");
        check_contains(only_obstacle(follower()).what, "gtid_mode is OFF_PERMISSIVE");
    }
    restart();
}

BOOST_AUTO_TEST_CASE(replicas_of_one_number_end_each_other_and_are_told_the_fix) {
    db::ChangeLog::Settings const settings{.url = follower(), .server_id = 4'000'000'000};
    Following one(settings);
    one.await_epoch();
    Following other(settings);
    server::wait_until([&] { return !one.told<db::EpochEnded>().empty(); });
    check_contains(one.told<db::EpochEnded>()[0].fix, "cache-server-id");
}

BOOST_AUTO_TEST_CASE(statements_that_invalidate_everything_again_and_again_are_reported) {
    Following following;
    following.await_epoch();
    Writer write;
    make_tables(write);
    write({"SET SESSION binlog_format = STATEMENT"});
    server::wait_until([&] { // once there were enough of them in ten seconds
        for (int i = 0; i < 15; ++i)
            write({"UPDATE goods SET price = price + 1"});
        return !following.told<db::StatementsInvalidateAll>().empty();
    });
    BOOST_TEST(following.told<db::StatementsInvalidateAll>()[0].first_word == "UPDATE");
    BOOST_TEST(following.told<db::StatementsInvalidateAll>().size() == 1U);
}

// A transaction of MySQL must have a number that compares with the server's own.
BOOST_AUTO_TEST_CASE(transactions_without_a_number_of_the_server_end_the_epoch,
                     *boost::unit_test::precondition([](auto) { return !is_mariadb(); })) {
    Writer write;
    make_tables(write);
    struct {
        SqlPiece next;
        char const* why;
    } const cases[] = {
        {"SET gtid_next = 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa:1'", "of another server"},
        {"SET gtid_next = 'AUTOMATIC:tagged'", "tagged GTID"},
    };
    for (auto const& [next, why] : cases) {
        Following following;
        following.await_epoch();
        write({next, "UPDATE goods SET price = price + 1", "SET gtid_next = AUTOMATIC"});
        server::wait_until([&] { return !following.told<db::EpochEnded>().empty(); });
        check_contains(following.told<db::EpochEnded>()[0].why, why);
        BOOST_TEST(following.told<db::EpochEnded>()[0].fix != "");
        following.await_epoch(1); // and it goes on
    }
    if (!is_mariadb()) write({"RESET BINARY LOGS AND GTIDS"});
}

BOOST_AUTO_TEST_SUITE_END()
