#pragma once

#include "metrics.hpp"
#include "tests/conformance/record.hpp"
#include "tests/database/server.hpp"
#include "tests/faults/application_process.hpp"

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Tests of the cache have this in common. They need `tests/with log example`.

namespace cache_test {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// A request, by the name that recorded requests have for who asks, and with more headers.
struct Request {
    std::string uri;
    std::string caller = "public";
    fastcgi::Parameters headers = {};
    std::string method = "GET";
};

// The program with the cache on.
class Keeping {
  public:
    struct Settings {
        std::string cache = "exact";
        std::string database = server::setting("POPULATE_TEST_DATABASE");
        std::string schema = server::setting("POPULATE_TEST_SCHEMA");
        std::vector<std::string> options = {};
    };
    // Once it caches responses.
    explicit Keeping(Settings const& settings);
    Keeping() : Keeping(Settings{}) {}

    fastcgi::Response ask(Request const& request) const;
    // Until it was answered from the cache.
    fastcgi::Response ask_until_cached(Request const& request) const;
    // And what became of it in the cache: `hit`, `miss` and so on.
    std::pair<fastcgi::Response, std::string> ask_with_outcome(Request const& request) const;

    faults::ApplicationProcess const& process() const { return *process_; }
    Counts counts() const { return read_metrics(metrics_); }

  private:
    std::string const metrics_;
    std::unique_ptr<faults::ApplicationProcess> process_;
};

// The program as it is without: its responses are the right ones.
class Uncached {
  public:
    Uncached();
    fastcgi::Response ask(Request const& request) const;

  private:
    std::unique_ptr<faults::ApplicationProcess> process_;
};

// The settings with which a cache in front is told the names of what responses depend on, and the
// parameter with which it asks.
constexpr auto names_secret = "a secret of the tests";
Keeping::Settings with_names(std::string const& secret = names_secret);
fastcgi::Parameters const from_edge{{"POPULATE_EDGE", "1"}};
Request as_edge(Request request);
std::set<std::string> set_of(std::string const& names);

// Requests that wait meanwhile, since nothing is read from the articles.
class Locked {
  public:
    Locked();
    void unlock();
    // Returns when a statement waits for the table.
    void wait_for_reader();

  private:
    std::unique_ptr<db::Connection> const owner_;
};

// A client whose request the program has read.
fastcgi::Client sent(Keeping const& keeping, std::string_view uri,
                     fastcgi::Parameters const& more = {});

// A file of the example of `tests/with example`.
inline std::string data_file(char const* name) {
    return server::setting("POPULATE_TEST_DATA") + "/" + name;
}

// Status, headers and body. Only a program with a cache says that a response might be packed.
std::string text_of(fastcgi::Response const& response);

// The owner's connection to `content`.
inline std::unique_ptr<db::Connection> open_owner() {
    return server::open(server::owner(), db::owner_session);
}

} // namespace cache_test
