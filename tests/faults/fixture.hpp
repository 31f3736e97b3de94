#pragma once

#include "application_process.hpp"
#include "chaos_proxy.hpp"
#include "tests/database/server.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

// Tests of database faults have this in common. They need `tests/with database`.

namespace faults {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Reads several tables, one of which is `tags`.
inline constexpr auto usual_request = "/api/articles?populate=*&pagination[pageSize]=3";
inline constexpr auto cheap_request = "/api/tags?pagination[pageSize]=1";

inline std::string database_folder() {
    return std::filesystem::path(server::setting("POPULATE_TEST_SOCKET")).parent_path();
}

inline std::string reader_through(std::string const& socket) {
    return "mysql://populate:populate@localhost/ks?socket=" + socket;
}

// nginx/database ACTION on the private server.
inline void database_is_to(std::string const& action) {
    auto const command = DATABASE_SCRIPT " " + action + " " + database_folder();
    BOOST_TEST_REQUIRE(std::system(command.c_str()) == 0);
}

inline pid_t database_process() {
    pid_t process = -1;
    std::ifstream(database_folder() + "/mysql.pid") >> process;
    return process;
}

// The server dies without a word.
inline void kill_database() {
    pid_t const id = database_process();
    BOOST_TEST_REQUIRE(::kill(id, SIGKILL) == 0);
    server::wait_until([id] { return !is_running(id); });
}

// The application behind a proxy, once it has answered.
struct Behind {
    explicit Behind(std::vector<std::string> options = {})
        : proxy(database_folder() + "/chaos.sock", server::setting("POPULATE_TEST_SOCKET")),
          application({.database = reader_through(database_folder() + "/chaos.sock"),
                       .options = std::move(options)}) {
        fastcgi::Response response;
        BOOST_TEST_REQUIRE(eventually([&] {
                               response = application.get(usual_request);
                               return response.status == 200;
                           }),
                           application.log());
        expected = response.body;
    }

    ChaosProxy proxy;
    ApplicationProcess application;
    std::string expected;
};

// 502 or 503 that says when to come back, or 504; and nothing of the inside.
inline void check_refusal(fastcgi::Response const& response) {
    BOOST_TEST((response.status >= 502 && response.status <= 504),
               response.status << " " << response.body.substr(0, 200));
    BOOST_TEST((response.status == 504 || response.header("Retry-After") == "1"));
    BOOST_TEST(response.header("Content-Type") == "application/json; charset=utf-8");
    for (auto inside : {"SELECT", "/tmp", "mysql", "MySQL", "database"})
        BOOST_TEST(response.body.find(inside) == std::string::npos, response.body);
}

// The right response, or a refusal.
inline void check_response(fastcgi::Response const& response, std::string const& expected) {
    if (response.status == 200)
        BOOST_TEST((response.body == expected));
    else
        check_refusal(response);
}

// The promise is the right response within two seconds of the database's return, which
// killed_database measures; here the machine has other things to do.
inline void check_recovery(ApplicationProcess const& application, std::string const& expected) {
    auto const end = Clock::now() + 10s;
    auto response = application.get(usual_request);
    while (response.status != 200 && Clock::now() < end)
        response = application.get(usual_request);
    BOOST_TEST(response.status == 200, response.body << '\n' << application.log());
    BOOST_TEST((response.body == expected));
}

// It waits for nobody: any wait would end with one of the usual limits.
inline void check_health(ApplicationProcess const& application) {
    auto const start = Clock::now();
    BOOST_TEST(application.get("/_health").status == 204);
    BOOST_TEST((Clock::now() - start < 1800ms));
}

} // namespace faults
