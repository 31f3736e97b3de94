#pragma once

#include "options.hpp"
#include "tests/cache/metrics.hpp"

#include <filesystem>
#include <mutex>
#include <string>

#include <sys/types.h>

namespace hammer {

// populate-fcgi, in a process and with a folder of its own. Any thread.
class Application {
  public:
    // `database` is the URL that it gets. Throws std::runtime_error if it does not serve.
    Application(Options const& options, std::string const& database);
    Application(Application const&) = delete;
    ~Application();

    std::string address() const {
        return options_.listen.empty() ? "unix:" + (folder_ / "socket").string() : options_.listen;
    }
    // Where readers ask.
    std::string asked() const { return options_.ask.empty() ? address() : options_.ask; }
    void reload(); // SIGHUP
    void restart();
    // False if it did not end with 0, or a sanitizer complained.
    bool end();

    // Returns the counts of the cache in all its lives so far, by name and labels.
    cache_test::Counts counted();
    std::string log() const;

  private:
    void start();
    void stop();
    cache_test::Counts count();

    Options const& options_;
    std::string const database_;
    std::filesystem::path const folder_;
    std::mutex mutex_;
    pid_t process_ = -1;
    bool failed_ = false;
    cache_test::Counts counted_; // in earlier lives
};

} // namespace hammer
