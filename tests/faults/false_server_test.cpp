#include "false_server.hpp"

#include "db/mysql/wire.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include <sys/wait.h>
#include <unistd.h>

// Somebody else answers in the database's place: it does not get to know the password.

using namespace faults;

BOOST_AUTO_TEST_SUITE(false_server)

namespace {

constexpr std::string_view password = "correct-horse";

// Ways to log in that tell the server the password, or give it away by a key that the server names.
constexpr std::array by_key{"caching_sha2_password", "sha256_password"};
constexpr std::array ways{"mysql_clear_password", "dialog", by_key[0], by_key[1]};
constexpr std::array whenever{FalseServer::When::at_once, FalseServer::When::later};

std::string url_of(FalseServer const& server, std::string const& options = {}) {
    return "mysql://reader:" + std::string(password) +
           "@127.0.0.1:" + std::to_string(server.port()) + "/ks" + options;
}

db::DatabaseUrl parsed(std::string const& url) {
    return db::parse_database_url(url).value().first();
}

// Returns the error of the pool's connections, which cannot be opened.
std::string refusal_by_pool(db::DatabaseUrl const& url) {
    auto const connection = db::Connection::open(url, {});
    BOOST_TEST_REQUIRE(connection.has_error());
    BOOST_TEST((connection.error().kind == parser::ErrorKind::unreachable));
    return connection.error().cause;
}

// Returns the error of connections that follow the log.
std::string refusal_by_wire(db::DatabaseUrl const& url) {
    using namespace std::chrono_literals;
    db::Interrupter interrupter;
    db::Wire wire(interrupter);
    BOOST_TEST(!wire.open(url, db::Wire::Clock::now() + 5s, 5s));
    return wire.error();
}

void check_untold(FalseServer const& server) {
    auto const told = server.told();
    BOOST_TEST(told.find("reader") != told.npos, "it was not asked to let anybody in");
    BOOST_TEST(told.find(password) == told.npos);
}

bool was_told(FalseServer const& server) {
    return server.told().find(password) != std::string::npos;
}

struct Output {
    int status;
    std::string text;
};
Output check(std::string const& url) {
    auto const command = PROGRAM " check --schema=" PROJECTS "/ks --database='" + url + "' 2>&1";
    auto* const pipe = ::popen(command.c_str(), "r");
    BOOST_TEST_REQUIRE(pipe);
    Output output;
    std::array<char, 4096> bytes;
    while (auto const size = std::fread(bytes.data(), 1, bytes.size(), pipe))
        output.text.append(bytes.data(), size);
    output.status = WEXITSTATUS(::pclose(pipe));
    return output;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_port_that_asks_for_the_password_does_not_get_it) {
    for (auto const* const way : ways)
        for (auto const when : whenever)
            BOOST_TEST_CONTEXT(way << (when == FalseServer::When::later ? ", later" : "")) {
                FalseServer const server(way, when);
                auto const url = parsed(url_of(server));
                for (auto const& refusal : {refusal_by_pool(url), refusal_by_wire(url)})
                    BOOST_TEST(refusal.find("asks for the password") != refusal.npos, refusal);
                check_untold(server);
            }
}

BOOST_AUTO_TEST_CASE(check_says_what_it_asked_for_and_which_setting_would_allow_it) {
    for (auto const* const way : ways)
        BOOST_TEST_CONTEXT(way) {
            FalseServer const server(way, FalseServer::When::later);
            auto const [status, text] = check(url_of(server));
            BOOST_TEST(status != 0);
            BOOST_TEST(text.find("asks for the password") != text.npos, text);
            BOOST_TEST(text.find("ssl-ca=FILE") != text.npos, text);
            BOOST_TEST(text.find(password) == text.npos);
            check_untold(server);
        }
}

BOOST_AUTO_TEST_CASE(with_an_authority_a_port_without_its_certificate_gets_nothing) {
    for (auto const* const way : ways)
        BOOST_TEST_CONTEXT(way) {
            FalseServer const server(way, FalseServer::When::later);
            auto const url = parsed(url_of(server, "?ssl-ca=/etc/ssl/certs/ca-certificates.crt"));
            refusal_by_pool(url);
            refusal_by_wire(url);
            BOOST_TEST(!was_told(server));
        }
}

BOOST_AUTO_TEST_CASE(a_key_of_the_servers_own_is_taken_where_the_setting_says_so) {
    for (auto const* const way : ways)
        BOOST_TEST_CONTEXT(way) {
            FalseServer const server(way, FalseServer::When::later);
            auto const url = parsed(url_of(server, "?get-server-public-key=on"));
            refusal_by_pool(url);
            refusal_by_wire(url);
            bool const is_by_key = std::string_view(way).starts_with(by_key[0]) ||
                                   std::string_view(way).starts_with(by_key[1]);
            BOOST_TEST(was_told(server) == is_by_key);
        }
}

BOOST_AUTO_TEST_CASE(a_socket_of_this_machine_is_reported) {
    auto const path = "/tmp/populate-false-" + std::to_string(::getpid()) + ".sock";
    for (auto const* const way : {"mysql_clear_password", "dialog"})
        BOOST_TEST_CONTEXT(way) {
            FalseServer const server(way, FalseServer::When::later, path);
            auto const url =
                parsed("mysql://reader:" + std::string(password) + "@localhost/ks?socket=" + path);
            refusal_by_pool(url);
            BOOST_TEST(was_told(server));
        }
}

BOOST_AUTO_TEST_SUITE_END()
