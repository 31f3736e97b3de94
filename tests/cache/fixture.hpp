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
struct Question {
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
    // Once it keeps answers.
    explicit Keeping(Settings const& settings);
    Keeping() : Keeping(Settings{}) {}

    fastcgi::Answer ask(Question const& question) const;
    // Until it was answered by what is kept.
    fastcgi::Answer ask_until_kept(Question const& question) const;
    // And what became of it in the cache: `hit`, `miss` and so on.
    std::pair<fastcgi::Answer, std::string> ask_and_tell(Question const& question) const;

    faults::ApplicationProcess const& process() const { return *process_; }
    Counts counts() const { return read_metrics(metrics_); }

  private:
    std::string const metrics_;
    std::unique_ptr<faults::ApplicationProcess> process_;
};

// The program as it is without: its answers are the right ones.
class Asking {
  public:
    Asking();
    fastcgi::Answer ask(Question const& question) const;

  private:
    std::unique_ptr<faults::ApplicationProcess> process_;
};

// The settings with which a cache in front is told the names of what responses depend on, and the
// parameter with which it asks.
constexpr auto names_secret = "a secret of the tests";
Keeping::Settings with_names(std::string const& secret = names_secret);
fastcgi::Parameters const from_edge{{"POPULATE_EDGE", "1"}};
Question as_edge(Question question);
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

// Status, headers and body. That an answer might be packed is told where answers are kept alone.
std::string text_of(fastcgi::Answer const& answer);

// The owner's connection to `content`.
inline std::unique_ptr<db::Connection> open_owner() {
    return server::open(server::owner(), db::owner_session);
}

} // namespace cache_test
