#pragma once

#include "tests/fastcgi/client.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

// Clients that ask without pause and compare each response with the right one.

namespace faults {

struct Request {
    std::string uri;
    std::string body; // of the right response
};

// Asks for a path and query; status 0, with the reason as body, where there was no response.
using Ask = std::function<fastcgi::Response(std::string const& uri)>;

// As a web server does: the connection is kept, and a request on one that was kept but is closed by
// now is sent once more, on a new one.
Ask ask_socket(std::string const& address);

// A connection for each request; none is sent twice.
Ask ask_socket_anew(std::string const& address);

// The bodies that `ask` gets for the URLs; throws if one is no 200.
std::vector<Request> requests_with_responses(std::vector<std::string> const& uris, Ask const& ask);

class Load {
  public:
    // `connect` is called once for each of the clients, which run until `stop`.
    Load(std::vector<Request> requests, unsigned clients, std::function<Ask()> const& connect);
    void stop() { threads_.clear(); }

    unsigned long right() const { return right_; }     // 200 with the expected body
    unsigned long refused() const { return refused_; } // 502 or 503 with Retry-After, or 504
    unsigned long wrong() const { return wrong_; }     // anything else
    std::string first_wrong() const;
    std::chrono::milliseconds longest() const { return std::chrono::milliseconds(longest_); }

  private:
    void run(std::stop_token const& stopped, Ask const& ask, std::size_t at);
    void count(Request const& asked, fastcgi::Response const& response);

    std::vector<Request> const requests_;
    std::atomic<unsigned long> right_ = 0, refused_ = 0, wrong_ = 0;
    std::atomic<long> longest_ = 0;
    mutable std::mutex mutex_;
    std::string first_wrong_;
    std::vector<std::jthread> threads_;
};

} // namespace faults
