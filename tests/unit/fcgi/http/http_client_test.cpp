#include "fcgi/http/http_client.hpp"

#include "tests/unit/fcgi/http/stand_in.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include <unistd.h>

BOOST_AUTO_TEST_SUITE(http_client, *boost::unit_test::label("waits"))

namespace {

using fcgi::HttpClient;
using fcgi::HttpUrl;
using stand_in::Certificate;
using stand_in::eventually;
using stand_in::StandIn;
using Mode = StandIn::Mode;

HttpClient::OutgoingRequest const request{"POST", "/purge?a=1", {{"X-Name", "value"}}, "body"};

HttpClient client_of(std::string const& url,
                     std::chrono::milliseconds exchange = std::chrono::seconds(20)) {
    return HttpClient(*HttpUrl::read(url), {exchange});
}

HttpClient client_of(StandIn const& server) {
    return client_of("http://" + server.address());
}

// The reason why there is no response; empty: there is one.
std::string failure_of(HttpClient client) {
    auto const reply = client.send(request);
    return reply ? "" : reply.error().message;
}

bool contains(std::string const& text, char const* part) {
    return text.find(part) != text.npos;
}

// The authorities that the process trusts, while it lives.
class Trust {
  public:
    explicit Trust(std::string const& certificates)
        : path_(std::filesystem::temp_directory_path() /
                ("populate-trusted." + std::to_string(::getpid()))) {
        std::ofstream(path_) << certificates;
        ::setenv("SSL_CERT_FILE", path_.c_str(), 1);
    }
    Trust(Trust const&) = delete;
    Trust& operator=(Trust const&) = delete;
    ~Trust() {
        ::unsetenv("SSL_CERT_FILE");
        std::filesystem::remove(path_);
    }

  private:
    std::filesystem::path path_;
};

} // namespace

BOOST_AUTO_TEST_CASE(urls_have_the_parts_that_are_sent) {
    struct {
        char const* url;
        char const* address; // empty: it is refused
        char const* target;
        bool is_encrypted;
    } const cases[] = {
        {"http://127.0.0.1:6081/", "127.0.0.1:6081", "/", false},
        {"http://localhost", "localhost:80", "/", false},
        {"https://example.org/a/b?c=%20d", "example.org:443", "/a/b?c=%20d", true},
        {"http://[::1]:8080/", "[::1]:8080", "/", false},
        {"https://user:password@example.org/", "", "", false},
        {"https://example.org/#part", "", "", false},
        {"ftp://example.org/", "", "", false},
        {"example.org", "", "", false},
        {"http:///path", "", "", false},
        {"http://a\r\nb/", "", "", false},
        {"", "", "", false},
    };
    for (auto const& [text, address, target, is_encrypted] : cases)
        BOOST_TEST_CONTEXT(text) {
            auto const url = HttpUrl::read(text);
            BOOST_TEST_REQUIRE(url.has_value() == (*address != '\0'));
            if (!url) continue;
            BOOST_TEST(url->address() == address);
            BOOST_TEST(url->target == target);
            BOOST_TEST(url->is_encrypted == is_encrypted);
        }
}

BOOST_AUTO_TEST_CASE(what_is_sent_ahead_of_a_response_is_none) {
    StandIn server({.status = 503,
                    .before = "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"
                              "HTTP/1.1 100 Continue\r\n\r\n"});
    auto client = client_of(server);
    for (int const status : {503, 200}) {
        server.set_from(status == 200 ? 1 : 2, {.status = 200});
        auto const reply = client.send(request);
        BOOST_TEST_REQUIRE(reply.has_value());
        BOOST_TEST(reply->status == status);
    }
}

BOOST_AUTO_TEST_CASE(an_exchange_ends_in_time_however_much_is_sent_ahead_of_a_response) {
    StandIn const server({.mode = Mode::responds_late, .before = "HTTP/1.1 100 Continue\r\n\r\n"});
    auto client = client_of("http://" + server.address(), std::chrono::milliseconds(500));
    auto const reply = client.send(request);
    BOOST_TEST_REQUIRE(reply.has_error());
    BOOST_TEST(contains(reply.error().message, "no answer from"), reply.error().message);
}

BOOST_AUTO_TEST_CASE(a_request_is_sent_as_it_is_and_the_response_returned) {
    StandIn server({.status = 404, .body = "not here"});
    auto const reply = client_of(server).send(request);
    BOOST_TEST_REQUIRE(reply.has_value());
    BOOST_TEST(reply->status == 404);
    BOOST_TEST(reply->body == "not here");
    auto const received = server.received();
    BOOST_TEST_REQUIRE(received.size() == 1);
    BOOST_TEST(received[0].method == "POST");
    BOOST_TEST(received[0].target == "/purge?a=1");
    BOOST_TEST(received[0].body == "body");
    BOOST_TEST(received[0].headers.at("x-name") == "value");
    BOOST_TEST(received[0].headers.at("host") == server.address());
}

BOOST_AUTO_TEST_CASE(the_connection_is_kept_and_replaced_when_the_server_has_closed_it) {
    auto server = std::make_unique<StandIn>();
    auto client = client_of(*server);
    BOOST_TEST(client.send(request).has_value());
    BOOST_TEST(client.send(request).has_value());
    BOOST_TEST(server->connections() == 1);
    auto const port = server->port();
    server.reset();
    server = std::make_unique<StandIn>(StandIn::Behaviour(), port);
    BOOST_TEST(client.send(request).has_value());
    BOOST_TEST(server->received().size() == 1);
}

BOOST_AUTO_TEST_CASE(what_is_not_a_whole_response_is_a_failure) {
    std::pair<StandIn::Behaviour, char const*> const cases[] = {
        {{.mode = Mode::closes}, "end of stream"},
        {{.mode = Mode::responds_half}, "partial message"},
        {{.body = std::string(64 * 1024 + 1, 'x')}, "body limit exceeded"},
    };
    for (auto const& [behaviour, why] : cases) {
        StandIn server(behaviour);
        auto const failure = failure_of(client_of(server));
        BOOST_TEST(contains(failure, why), failure);
        BOOST_TEST(failure.starts_with("no answer from " + server.address() + ": "));
    }
}

BOOST_AUTO_TEST_CASE(a_server_that_hangs_is_not_waited_for) {
    StandIn server({.mode = Mode::hangs});
    auto const failure =
        failure_of(client_of("http://" + server.address(), std::chrono::milliseconds(50)));
    BOOST_TEST(contains(failure, "timeout"), failure);
}

BOOST_AUTO_TEST_CASE(nobody_listening_is_a_failure) {
    auto const failure = failure_of(client_of("http://127.0.0.1:1"));
    BOOST_TEST(failure == "no answer from 127.0.0.1:1: Connection refused");
}

BOOST_AUTO_TEST_CASE(redirects_are_returned_and_not_followed) {
    StandIn server;
    server.set({.status = 307, .location = "http://" + server.address() + "/elsewhere"});
    auto const reply = client_of(server).send(request);
    BOOST_TEST_REQUIRE(reply.has_value());
    BOOST_TEST(reply->status == 307);
    BOOST_TEST(server.received().size() == 1);
}

BOOST_AUTO_TEST_CASE(a_value_cannot_begin_a_header_of_its_own) {
    StandIn server;
    for (auto const* const value : {"a\r\nX-Other: b", "a\nb", "a\rb", "\x7f"}) {
        auto const reply = client_of(server).send({"GET", "/", {{"X-Name", value}}, ""});
        BOOST_TEST_REQUIRE(!reply.has_value());
        BOOST_TEST(reply.error().message == "header X-Name has a control character");
    }
    BOOST_TEST(server.received().empty());
}

BOOST_AUTO_TEST_CASE(a_stop_ends_a_request_at_once) {
    StandIn server({.mode = Mode::hangs});
    std::stop_source stop;
    std::jthread const stopper([&] {
        eventually([&] { return server.received().size() == 1; });
        stop.request_stop();
    });
    auto const begin = std::chrono::steady_clock::now();
    auto client = client_of("http://" + server.address(), std::chrono::minutes(5));
    BOOST_TEST(!client.send(request, stop.get_token()).has_value());
    BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::minutes(1)));
}

BOOST_AUTO_TEST_CASE(only_a_server_whose_certificate_is_trusted_and_has_its_name_gets_a_request) {
    Certificate const own("localhost");
    Certificate const of_another("other.example");
    struct {
        Certificate const& certificate;
        bool is_trusted;
        char const* host;
        char const* why; // empty: it is sent
    } const cases[] = {
        {own, true, "localhost", ""},
        {own, false, "localhost", "self-signed certificate"},
        {of_another, true, "localhost", "verify"},
        {own, true, "127.0.0.1", "verify"},
    };
    for (auto const& [certificate, is_trusted, host, why] : cases)
        BOOST_TEST_CONTEXT(host << ' ' << is_trusted << ' ' << why) {
            Trust const trust(is_trusted ? certificate.text : Certificate("nobody.example").text);
            StandIn server({}, 0, &certificate);
            auto const failure = failure_of(
                client_of("https://" + std::string(host) + ':' + std::to_string(server.port())));
            if (*why) {
                BOOST_TEST(contains(failure, why), failure);
            } else {
                BOOST_TEST(failure == "");
            }
            BOOST_TEST(server.received().size() == (*why ? 0 : 1));
        }
}

BOOST_AUTO_TEST_CASE(an_encrypted_connection_is_kept_and_its_faults_are_failures) {
    Certificate const certificate("localhost");
    Trust const trust(certificate.text);
    StandIn server({}, 0, &certificate);
    auto const url = "https://localhost:" + std::to_string(server.port());
    auto client = client_of(url);
    BOOST_TEST(client.send(request).has_value());
    BOOST_TEST(client.send(request).has_value());
    BOOST_TEST(server.connections() == 1);
    for (auto const mode : {Mode::closes, Mode::responds_half}) {
        server.set({.mode = mode});
        BOOST_TEST(failure_of(client_of(url)) != "");
    }
    server.set({.mode = Mode::hangs});
    BOOST_TEST(failure_of(client_of(url, std::chrono::milliseconds(200))) != "");
    StandIn const plain;
    BOOST_TEST(failure_of(client_of("https://" + plain.address())) != "");
    BOOST_TEST(plain.received().empty());
}

BOOST_AUTO_TEST_SUITE_END()
