#include "fixture.hpp"

#include <future>

// The database fails: answers stay right or are clean refusals, and it recovers by itself.

using namespace faults;
using db::SqlPiece;

namespace {

std::vector<std::string> const short_limits{"--statement-timeout=0.5", "--request-timeout=3",
                                            "--acquire-timeout=0.5", "--workers=4"};

// While it lives, reading the table `tags` takes a minute.
struct SlowTags {
    SlowTags() {
        server::command(*owner, SqlPiece("RENAME TABLE tags TO quick_tags"));
        server::command(*owner, SqlPiece("CREATE VIEW tags AS SELECT * FROM quick_tags"
                                         " WHERE SLEEP(60) = 0"));
    }
    ~SlowTags() {
        server::command(*owner, SqlPiece("DROP VIEW tags"));
        server::command(*owner, SqlPiece("RENAME TABLE quick_tags TO tags"));
    }
    std::unique_ptr<db::Connection> owner = server::open_owner();
};

// While it lives, a global variable of the server has another value.
struct ServerSetting {
    ServerSetting(SqlPiece set, SqlPiece reset) : reset_(reset) {
        server::command(*server::open_owner(), set);
    }
    ~ServerSetting() { server::command(*owner_, reset_); }

  private:
    SqlPiece reset_;
    std::unique_ptr<db::Connection> owner_ = server::open_owner();
};

std::future<fastcgi::Response> ask_meanwhile(ApplicationProcess const& application,
                                             std::string const& uri) {
    return std::async(std::launch::async, [&application, uri] { return application.get(uri); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(database)

BOOST_AUTO_TEST_CASE(without_a_database_it_starts_refuses_and_recovers) {
    auto const socket = database_folder() + "/chaos.sock";
    ApplicationProcess const application({.database = reader_through(socket)});
    check_refusal(application.get(usual_request));
    check_health(application);
    ChaosProxy const proxy(socket, server::setting("POPULATE_TEST_SOCKET"));
    BOOST_TEST(application.responds(usual_request, 200));
}

BOOST_AUTO_TEST_CASE(a_database_that_goes_is_502_until_it_is_back) {
    Behind behind;
    behind.proxy.set({.refuse = true});
    behind.proxy.close_connections();
    auto const response = behind.application.get(usual_request);
    check_refusal(response);
    BOOST_TEST(response.status == 502); // and not later than acquire-timeout: that would be 503
    check_health(behind.application);
    behind.proxy.heal();
    check_recovery(behind.application, behind.expected);
}

BOOST_AUTO_TEST_CASE(a_server_that_is_killed_and_started_again_is_used_again) {
    Behind behind;
    for (int round = 0; round < 2; ++round) {
        kill_database();
        check_refusal(behind.application.get(usual_request));
        check_health(behind.application);
        database_is_to("start");
        check_recovery(behind.application, behind.expected);
    }
}

BOOST_AUTO_TEST_CASE(a_response_cut_anywhere_is_never_a_short_200) {
    Behind behind({"--permission-ttl=0"});
    auto const before = behind.proxy.bytes_replied();
    BOOST_TEST(behind.application.get(usual_request).status == 200);
    auto const whole = behind.proxy.bytes_replied() - before;
    BOOST_TEST_REQUIRE(whole > 1000U);
    int refused = 0;
    for (std::size_t cut = 1; cut < whole; cut += whole / 60) {
        behind.proxy.set({.cut_after = cut});
        auto const response = behind.application.get(usual_request);
        check_response(response, behind.expected);
        refused += response.status != 200;
    }
    BOOST_TEST(refused > 0);
    behind.proxy.heal();
    check_recovery(behind.application, behind.expected);
}

BOOST_AUTO_TEST_CASE(idle_connections_that_the_server_closed_are_replaced_unseen) {
    Behind behind;
    auto const owner = server::open_owner();
    for (int round = 0; round < 3; ++round) {
        server::command(*owner, SqlPiece("KILL CONNECTION USER populate@localhost"));
        auto const response = behind.application.get(usual_request);
        BOOST_TEST(response.status == 200, response.body);
        BOOST_TEST((response.body == behind.expected));
    }
}

BOOST_AUTO_TEST_CASE(a_network_that_swallows_everything_costs_no_more_than_the_limits) {
    for (auto const& hole : {Fault{.hold_replies = true}, Fault{.hold_statements = true}})
        for (std::string const ttl : {"--permission-ttl=5", "--permission-ttl=0"}) {
            auto options = short_limits;
            options.push_back(ttl);
            Behind behind(options);
            behind.proxy.set(hole);
            auto const start = Clock::now();
            std::vector<std::future<fastcgi::Response>> responses; // a worker is left
            for (int i = 0; i < 3; ++i)
                responses.push_back(ask_meanwhile(behind.application, usual_request));
            check_health(behind.application);
            for (auto& response : responses)
                check_refusal(response.get());
            BOOST_TEST((Clock::now() - start < 8s),
                       ttl << ": 4 s, and what the machine is busy with");
            behind.proxy.heal();
            check_recovery(behind.application, behind.expected);
        }
}

BOOST_AUTO_TEST_CASE(health_is_reported_while_every_worker_waits_for_the_network) {
    Behind behind(
        {"--statement-timeout=60", "--request-timeout=60", "--acquire-timeout=60", "--workers=4"});
    behind.proxy.set({.hold_replies = true});
    std::vector<std::future<fastcgi::Response>> responses;
    for (int i = 0; i < 12; ++i) // three for each worker
        responses.push_back(
            ask_meanwhile(behind.application, usual_request + ("&x=" + std::to_string(i))));
    for (int round = 0; round < 10; ++round) {
        check_health(behind.application);
        std::this_thread::sleep_for(50ms);
    }
    behind.proxy.heal();
    for (auto& response : responses)
        BOOST_TEST((response.get().body == behind.expected));
}

// Each byte begins the time limits of the client library anew.
BOOST_AUTO_TEST_CASE(a_network_that_drips_costs_no_more_than_the_limits) {
    for (std::string const ttl : {"--permission-ttl=5", "--permission-ttl=0"}) {
        auto options = short_limits;
        options.push_back(ttl);
        Behind behind(options);
        behind.proxy.set({.delay = 200ms, .piece = 1});
        for (int round = 0; round < 3; ++round) {
            auto const start = Clock::now();
            check_refusal(behind.application.get(usual_request));
            // acquire-timeout, statement-timeout, half a second more for each, and what the machine
            // is busy with; all of it would take minutes.
            BOOST_TEST((Clock::now() - start < 8s), ttl);
        }
        behind.proxy.heal();
        check_recovery(behind.application, behind.expected);
    }
}

// Requests that arrive while the server is stopped wait for a worker or a connection, one after the
// other.
BOOST_AUTO_TEST_CASE(a_server_that_hangs_is_503_within_the_limit_for_all_who_ask) {
    Behind behind({"--acquire-timeout=1", "--workers=4", "--permission-ttl=600"});
    for (bool const are_equal : {false, true}) {
        behind.proxy.set({.hold_replies = true});
        auto const start = Clock::now();
        std::vector<std::future<fastcgi::Response>> responses;
        for (int i = 0; i < 32; ++i)
            responses.push_back(
                ask_meanwhile(behind.application,
                              cheap_request + (are_equal ? "" : "&unknown=" + std::to_string(i))));
        for (auto& response : responses) {
            auto const refused = response.get();
            check_refusal(refused);
            BOOST_TEST(refused.status == 503);
        }
        // Half a second more, and what the machine is busy with; one after the other they would
        // take eight seconds.
        BOOST_TEST((Clock::now() - start < 6s));
        behind.proxy.heal();
        check_recovery(behind.application, behind.expected);
    }
}

BOOST_AUTO_TEST_CASE(a_slow_network_changes_no_response) {
    Behind behind;
    behind.proxy.set({.delay = 5ms});
    auto const response = behind.application.get(usual_request);
    BOOST_TEST(response.status == 200);
    BOOST_TEST((response.body == behind.expected));
}

BOOST_AUTO_TEST_CASE(a_slow_statement_is_504_that_names_the_limit) {
    Behind behind({"--statement-timeout=0.5", "--acquire-timeout=10", "--request-timeout=20"});
    {
        SlowTags const slow;
        auto const response = behind.application.get(usual_request);
        check_refusal(response);
        BOOST_TEST(response.status == 504);
        BOOST_TEST(response.body.find("statement-timeout (500 ms)") != std::string::npos);
        check_health(behind.application);
    }
    check_recovery(behind.application, behind.expected);
}

BOOST_AUTO_TEST_CASE(a_request_that_takes_too_long_is_504_that_names_the_limit) {
    Behind behind({"--request-timeout=0.5"});
    {
        SlowTags const slow;
        auto const response = behind.application.get(usual_request);
        check_refusal(response);
        BOOST_TEST(response.status == 504);
        BOOST_TEST(response.body.find("request-timeout (500 ms)") != std::string::npos,
                   response.body);
    }
    check_recovery(behind.application, behind.expected);
}

BOOST_AUTO_TEST_CASE(nothing_more_is_read_for_a_client_that_is_gone) {
    Behind behind({"--workers=1", "--permission-ttl=600"});
    auto const owner = server::open_owner();
    auto const selects = [&] {
        auto status = owner->query(SqlPiece("SHOW GLOBAL STATUS LIKE 'Com_select'"));
        BOOST_TEST_REQUIRE((status && status->next()));
        return std::stoul(std::string(status->text(1)));
    };
    auto const before = selects();
    BOOST_TEST(behind.application.get(usual_request).status == 200);
    auto const whole = selects() - before;
    BOOST_TEST(whole >= 10);

    behind.proxy.set({.delay = 300ms});
    auto const start = selects();
    {
        auto client = behind.application.connect();
        client.send(fastcgi::request(fastcgi::get(usual_request)));
        server::wait_until([&] { return selects() > start; });
    }
    // The only worker answers the next one when it has stopped.
    BOOST_TEST(behind.application.get("/_health").status == 204);
    BOOST_TEST(selects() - start < whole / 2);
}

BOOST_AUTO_TEST_CASE(without_a_free_connection_it_is_503_within_the_limit) {
    Behind behind({"--workers=4", "--connections=1", "--acquire-timeout=1",
                   "--statement-timeout=60", "--request-timeout=60"});
    {
        SlowTags const slow;
        auto first = ask_meanwhile(behind.application, cheap_request);
        server::wait_until([&] {
            return server::ask(*slow.owner,
                               SqlPiece("SELECT COUNT(*) FROM information_schema.PROCESSLIST"
                                        " WHERE STATE = 'User sleep'")) != "0";
        });
        auto const second = behind.application.get("/api/categories");
        check_refusal(second);
        BOOST_TEST(second.status == 503);
        BOOST_TEST(eventually([&] {
            return behind.application.log().find("acquire-timeout (1000 ms)") != std::string::npos;
        }));
        BOOST_TEST((first.wait_for(0s) == std::future_status::timeout)); // it has the connection
        server::command(*slow.owner, SqlPiece("KILL QUERY USER populate@localhost"));
        check_refusal(first.get());
    }
    check_recovery(behind.application, behind.expected);
}

BOOST_AUTO_TEST_CASE(a_column_or_table_that_goes_or_comes_is_noticed) {
    Behind behind;
    auto const owner = server::open_owner();
    auto const tag = "/api/tags?filters[id]=1&fields[0]=weight&fields[1]=name";
    auto const whole = behind.application.get(tag).body;
    struct {
        SqlPiece change, back;
    } const changes[] = {
        {"ALTER TABLE tags RENAME COLUMN weight TO heavy",
         "ALTER TABLE tags RENAME COLUMN heavy TO weight"},
        {"RENAME TABLE tags TO labels", "RENAME TABLE labels TO tags"},
    };
    for (auto const& [change, back] : changes) {
        server::command(*owner, change);
        auto const without = behind.application.get("/api/tags?filters[id]=1");
        BOOST_TEST((without.status == 200 || without.status == 404 || without.status == 502),
                   without.status << without.body);
        BOOST_TEST(without.body.find("weight") == std::string::npos);
        BOOST_TEST(behind.application.get("/api/categories").status == 200);
        server::command(*owner, back);
        // Within the five seconds after which it looks again, and five for the cached schema.
        server::wait_until([&] { return behind.application.get(tag).body == whole; });
    }
}

BOOST_AUTO_TEST_CASE(a_read_that_a_lock_holds_up_is_tried_again) {
    ServerSetting const impatient("SET GLOBAL lock_wait_timeout = 1",
                                  "SET GLOBAL lock_wait_timeout = 86400");
    Behind behind;
    auto const owner = server::open_owner(), other = server::open_owner();
    // The connection that waits for the lock; empty: none does.
    auto const waiting = [&] {
        auto rows =
            other->query(SqlPiece("SELECT ID FROM information_schema.PROCESSLIST WHERE"
                                  " USER = 'populate' AND STATE LIKE 'Waiting for table%'"));
        BOOST_TEST_REQUIRE(rows.has_value());
        return rows->next() ? std::string(rows->text(0)) : std::string();
    };
    server::command(*owner, SqlPiece("LOCK TABLES tags WRITE"));
    auto response = ask_meanwhile(behind.application, usual_request);
    std::string first;
    server::wait_until([&] { return !(first = waiting()).empty(); });
    // The second wait, by another connection, may be as long as the test takes to see it.
    server::command(*other, SqlPiece("SET GLOBAL lock_wait_timeout = 60"));
    server::wait_until([&] {
        auto const second = waiting();
        return !second.empty() && second != first;
    });
    server::command(*owner, SqlPiece("UNLOCK TABLES"));
    auto const got = response.get();
    BOOST_TEST(got.status == 200, got.body);
    BOOST_TEST((got.body == behind.expected));

    server::command(*other, SqlPiece("SET GLOBAL lock_wait_timeout = 1"));
    server::command(*other, SqlPiece("KILL CONNECTION USER populate@localhost"));
    server::command(*owner, SqlPiece("LOCK TABLES tags WRITE"));
    check_refusal(behind.application.get(usual_request));
    server::command(*owner, SqlPiece("UNLOCK TABLES"));
    check_recovery(behind.application, behind.expected);
}

BOOST_AUTO_TEST_CASE(a_server_that_refuses_is_503_until_it_does_not) {
    struct {
        SqlPiece refuse, admit;
    } const refusals[] = {
        {"ALTER USER populate@localhost IDENTIFIED BY 'another'",
         "ALTER USER populate@localhost IDENTIFIED BY 'populate'"},
        {"ALTER USER populate@localhost ACCOUNT LOCK",
         "ALTER USER populate@localhost ACCOUNT UNLOCK"},
        {"REVOKE SELECT ON ks.* FROM populate@localhost",
         "GRANT SELECT ON ks.* TO populate@localhost"},
    };
    Behind behind({"--permission-ttl=0"});
    auto const owner = server::open_owner();
    for (auto const& [refuse, admit] : refusals) {
        server::command(*owner, refuse);
        server::command(*owner, SqlPiece("KILL CONNECTION USER populate@localhost"));
        check_refusal(behind.application.get(usual_request));
        server::command(*owner, admit);
        check_recovery(behind.application, behind.expected);
    }
}

BOOST_AUTO_TEST_CASE(without_a_single_connection_it_is_502_until_there_is_one) {
    ServerSetting const few("SET GLOBAL max_connections = 10", "SET GLOBAL max_connections = 151");
    Behind behind;
    auto const owner = server::open_owner();
    {
        std::vector<std::unique_ptr<db::Connection>> others;
        fastcgi::Response response;
        // A client that leaves late makes room for the application; then once more.
        BOOST_TEST(eventually([&] {
            others.clear();
            server::command(*owner, SqlPiece("KILL CONNECTION USER populate@localhost"));
            server::wait_until([&] {
                return server::ask(*owner,
                                   SqlPiece("SELECT COUNT(*) FROM information_schema.PROCESSLIST"
                                            " WHERE USER = 'populate'")) == "0";
            });
            while (auto other = db::Connection::open(server::reader(), {}))
                others.push_back(std::move(*other));
            response = behind.application.get(usual_request);
            return response.status != 200;
        }));
        check_refusal(response);
        BOOST_TEST(response.status == 502);
    }
    check_recovery(behind.application, behind.expected);
}

// As an account on shared hosting has it. The requests wait for a table, so that each wants a
// connection.
BOOST_AUTO_TEST_CASE(with_fewer_connections_than_are_set_each_request_is_answered) {
    ServerSetting const few("ALTER USER populate@localhost WITH MAX_USER_CONNECTIONS 3",
                            "ALTER USER populate@localhost WITH MAX_USER_CONNECTIONS 0");
    ApplicationProcess const application({.database = server::setting("POPULATE_TEST_DATABASE"),
                                          .options = {"--workers=24", "--connections=16"},
                                          .is_patient = true});
    BOOST_TEST_REQUIRE(application.responds(cheap_request, 200));
    auto const owner = server::open_owner();
    for (int burst = 0; burst < 3; ++burst) {
        server::command(*owner, SqlPiece("LOCK TABLES tags WRITE"));
        std::vector<std::future<fastcgi::Response>> responses;
        for (int i = 0; i < 20; ++i)
            responses.push_back(ask_meanwhile(application, "/api/tags?filters[id][$ne]=" +
                                                               std::to_string(100 * burst + i)));
        BOOST_TEST(eventually([&] {
                       return application.log().find("connections: 16, of which the database "
                                                     "grants 3: database error 1226") !=
                              std::string::npos;
                   }),
                   application.log());
        server::command(*owner, SqlPiece("UNLOCK TABLES"));
        for (auto& response : responses)
            BOOST_TEST(response.get().status == 200);
    }
}

BOOST_AUTO_TEST_CASE(a_server_without_room_for_temporary_tables_is_503_until_it_has_some) {
    ServerSetting const memory("SET GLOBAL tmp_memory_table_size = 1024",
                               "SET GLOBAL tmp_memory_table_size = DEFAULT");
    // The rows of each parent are counted in a temporary table.
    constexpr auto limited = "/api/articles?populate[tags][limit]=2&pagination[pageSize]=100";
    Behind behind;
    auto const owner = server::open_owner();
    auto const close_idle = [&] {
        server::command(*owner, SqlPiece("KILL CONNECTION USER populate@localhost"));
    };
    {
        ServerSetting const disk("SET GLOBAL tmp_disk_table_size = 1024",
                                 "SET GLOBAL tmp_disk_table_size = DEFAULT");
        close_idle();
        auto const response = behind.application.get(limited);
        check_refusal(response);
        BOOST_TEST(response.status == 503);
        BOOST_TEST(eventually([&] {
                       return behind.application.log().find("database error 1114") !=
                              std::string::npos;
                   }),
                   behind.application.log());
    }
    close_idle();
    check_recovery(behind.application, behind.expected);
}

BOOST_AUTO_TEST_CASE(an_unknown_database_is_502) {
    auto database = reader_through(server::setting("POPULATE_TEST_SOCKET"));
    database.replace(database.find("/ks"), 3, "/nothing");
    ApplicationProcess const application({.database = database});
    auto const response = application.get(usual_request);
    check_refusal(response);
    BOOST_TEST(response.status == 502);
    check_health(application);
}

BOOST_AUTO_TEST_CASE(a_statement_larger_than_the_server_takes_is_a_clean_refusal) {
    ServerSetting const small("SET GLOBAL max_allowed_packet = 4096",
                              "SET GLOBAL max_allowed_packet = 16777216");
    Behind behind;
    auto const long_value = std::string(15000, 'x');
    auto const response = behind.application.get("/api/tags?filters[name][$eq]=" + long_value);
    check_refusal(response);
    BOOST_TEST(behind.application.get(usual_request).status == 200);
}

BOOST_AUTO_TEST_SUITE_END()
