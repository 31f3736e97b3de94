#pragma once

#include "fcgi/serving/server.hpp"

#include <atomic>
#include <thread>

namespace fcgi {

// A thread that reads the schema anew when it is asked to, so that serving goes on meanwhile. Asked
// several times while it does so, it does so once more.
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
