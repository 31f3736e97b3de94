#include "fcgi/server/worker.hpp"
#include "tests/allocation/failing_new.hpp"
#include "tests/database/server.hpp"
#include "tests/fastcgi/client.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <fstream>
#include <memory>
#include <thread>

#include <sys/socket.h>
#include <unistd.h>

// A worker on which one allocation fails, whichever it is: that request is answered with an error
// of ours or right all the same, and the next is answered right. Run by
// `tests/with database`.

BOOST_AUTO_TEST_SUITE(worker)

namespace {

using fastcgi::Response;

constexpr std::size_t parameter_limit = 64 * 1024;
// That the machine is busy is no reason for an error.
constexpr parser::Limits patient{.request = std::chrono::minutes(5),
                                 .statement = std::chrono::minutes(5),
                                 .acquire = std::chrono::minutes(5)};

struct Asked {
    std::string_view what;
    std::string url;
    std::string token = {};
};

std::string secret(std::string_view pointer) {
    static auto const secrets = [] {
        std::ifstream in(TEST_DATA "/ks/secrets.json");
        return boost::json::parse(std::string(std::istreambuf_iterator<char>(in), {}));
    }();
    return std::string(secrets.at_pointer(pointer).as_string());
}

fcgi::Options options() {
    fcgi::Options options;
    options.schema = PROJECTS "/ks";
    options.database_hosts = server::reader();
    options.limits = patient;
    options.connections = 1; // one that is lost is missed by the next request
    options.secrets = {secret("/JWT_SECRET"), secret("/API_TOKEN_SALT")};
    return options;
}

// One worker, and a test that plays the dispatcher.
class Application {
  public:
    explicit Application(fcgi::Options options)
        : service_(fcgi::Service::create(std::move(options)).value()) {}

    // Returns what `count` clients get that ask the same at the same time. Status 0: no response.
    std::vector<Response> ask(Asked const& asked, std::size_t count = 1) {
        fastcgi::Parameters more;
        if (!asked.token.empty()) more = {{"HTTP_AUTHORIZATION", "Bearer " + asked.token}};
        auto const bytes = fastcgi::request(fastcgi::get(asked.url, more));
        fcgi::RequestQueue queue(server_);
        returned_.reserve(count);
        std::deque<Client> clients;
        for (std::size_t i = 0; i < count; ++i)
            queue.push(clients.emplace_back(bytes).connection);
        queue.close();
        std::thread([&] {
            fcgi::Worker worker(*service_, server_, queue, returned_, busy_);
            failing_new::take_part();
            worker.run();
        }).join();
        std::vector<Response> responses;
        BOOST_TEST(returned_.take().size() == count);
        for (Client& client : clients)
            responses.push_back(client.response());
        return responses;
    }

  private:
    struct Client {
        explicit Client(std::string_view bytes) : Client(sockets(), bytes) {}
        Client(std::array<int, 2> sockets, std::string_view bytes)
            : connection(sockets[0], parameter_limit), client(sockets[1]) {
            connection.reader.take(bytes);
            connection.begin_request(fcgi::Client::Time::clock::now(), patient.request);
        }
        ~Client() { ::close(connection.socket); }

        static std::array<int, 2> sockets() {
            std::array<int, 2> sockets{};
            BOOST_TEST_REQUIRE(
                ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets.data()) == 0);
            return sockets;
        }

        // The end of what it reads, where it got none.
        Response response() {
            Response response;
            ::shutdown(connection.socket, SHUT_WR);
            try {
                response = client.read_response();
            } catch (std::runtime_error const& error) {
                response.status = 0;
                response.body = error.what();
            }
            return response;
        }

        fcgi::Client connection;
        fastcgi::Client client;
    };

    std::unique_ptr<fcgi::Service> service_;
    fcgi::ServerOptions const server_{.workers = 1, .limits = patient};
    fcgi::Epoll const dispatcher_;
    fcgi::ReturnedClients returned_{dispatcher_};
    std::atomic<std::size_t> busy_ = 0;
};

bool is_error_of_ours(Response const& response) {
    if (response.status != 500 && response.status != 503) return false;
    boost::system::error_code error;
    auto const body = boost::json::parse(response.body, error);
    return !error && body.at_pointer("/error/status") == response.status;
}

// Returns how many allocations a request takes. From the hundredth on not each fails, but so many
// that each hundredth part of them has one that does.
long fail_each_allocation(Application& application, Asked const& asked, std::size_t count = 1) {
    auto const right = application.ask(asked)[0];
    BOOST_TEST_REQUIRE(right.status != 0, right.body);
    for (long n = 1;; n += std::max(n / 100, 1L)) {
        // Another query each time, so that its plan is not there yet.
        Asked once = asked;
        once.url += (once.url.find('?') == once.url.npos ? "?_=" : "&_=") + std::to_string(n);
        failing_new::fail_at(n);
        auto const responses = application.ask(once, count);
        bool const failed = failing_new::stop();
        auto const errors = std::ranges::count_if(responses, is_error_of_ours);
        for (Response const& response : responses)
            BOOST_TEST(((response.status == right.status && response.body == right.body) ||
                        (failed && is_error_of_ours(response))),
                       "allocation " << n << ": " << response.status << ' ' << response.body);
        BOOST_TEST(errors <= 1, "allocation " << n << " costs more than one answer");
        auto const next = application.ask(asked)[0];
        BOOST_TEST_REQUIRE(next.body == right.body, "the one after allocation " << n);
        if (!failed) return n;
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(an_allocation_that_fails_costs_one_response_at_most) {
    Application application(options());
    Asked const table[] = {
        {"list", "/api/articles?fields=title&pagination[pageSize]=3"},
        {"entry", "/api/articles/1"},
        {"relations",
         "/api/articles?populate=*&pagination[pageSize]=2&filters[id][$gt]=2&sort=title"},
        {"zone",
         "/api/pages?fields[0]=title&pagination[limit]=4&populate[zone][on][blocks.hero]=true"},
        {"unknown name", "/api/articles?filters[nothing]=1"},
        {"unknown type", "/api/nothing"},
        {"files", "/api/upload/files?start=1&limit=2", secret("/apiTokens/readonly")},
        {"roles", "/api/users-permissions/roles", secret("/apiTokens/readonly")},
        {"locales", "/api/i18n/locales"},
        {"the user who asks", "/api/users/me", secret("/jwt/alice")},
    };
    for (Asked const& asked : table) {
        BOOST_TEST_CONTEXT(asked.what) {
            auto const allocations = fail_each_allocation(application, asked);
            BOOST_TEST_MESSAGE(asked.what << ": " << allocations << " allocations");
            BOOST_TEST(allocations > 10);
        }
    }
}

BOOST_AUTO_TEST_CASE(permissions_that_cannot_be_read_are_read_by_the_next_request) {
    auto forgetful = options();
    forgetful.permission_ttl = std::chrono::milliseconds(0);
    Application application(std::move(forgetful));
    fail_each_allocation(application, {"list", "/api/tags?fields=id"});
}

BOOST_AUTO_TEST_CASE(those_who_wait_for_the_same_response_get_one) {
    Application application(options());
    fail_each_allocation(application, {"three at once", "/api/articles?fields=title"}, 3);
}

BOOST_AUTO_TEST_SUITE_END()
