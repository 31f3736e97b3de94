#pragma once

#include "fcgi/server/server.hpp"

#include <atomic>
#include <thread>

namespace fcgi {

// A thread that reads the schema again on request, so that serving goes on meanwhile. Any number of
// requests that come while it does so cause one more read.
class Reloader {
  public:
    explicit Reloader(ServerOptions const& options);
    ~Reloader();

    void ask() {
        wanted_.fetch_add(1);
        wanted_.notify_one();
    }

  private:
    void run(std::stop_token const& stopped);

    ServerOptions const& options_;
    std::atomic<unsigned> wanted_ = 0;
    std::jthread thread_;
};

} // namespace fcgi
