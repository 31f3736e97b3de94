#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include <chrono>
#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace stand_in {

// A certificate that signs itself, and its key, both as PEM.
struct Certificate {
    explicit Certificate(std::string const& host);

    std::string text;
    std::string key;
};

// An HTTP server on a port of 127.0.0.1 that responds as it is told.
class StandIn {
  public:
    enum class Mode {
        responses,
        holds, // until another mode is set, as which it goes on
        hangs,
        responds_half,
        responds_late, // sends `before` for ten seconds, and then the response
        closes,
    };
    struct Behaviour {
        Mode mode = Mode::responses;
        int status = 200;
        std::string body = "{}";
        std::string location = {};
        std::string before = {}; // sent as it is, before the response
    };
    struct Received {
        std::string method;
        std::string target;
        std::map<std::string, std::string> headers; // names in lower case
        std::string body;
        bool acknowledged; // with a status 2xx
    };

    StandIn() : StandIn(Behaviour()) {}
    explicit StandIn(Behaviour behaviour, unsigned short port = 0,
                     Certificate const* certificate = nullptr);
    StandIn(StandIn const&) = delete;
    StandIn& operator=(StandIn const&) = delete;
    ~StandIn();

    void set(Behaviour behaviour);
    // Behaves so from that request on; the first has number 0.
    void set_from(std::size_t number, Behaviour behaviour);
    unsigned short port() const { return port_; }
    std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
    std::vector<Received> received() const;
    std::size_t connections() const;

  private:
    using Socket = boost::asio::ip::tcp::socket;
    struct Connection {
        explicit Connection(Socket its) : socket(std::move(its)) {}
        Socket socket;
        std::jthread thread;
    };

    void accept_until_stopped();
    void serve(Socket& socket);
    template<class Stream>
    void converse(Stream& stream);
    Behaviour behaviour_at(std::size_t number);

    boost::asio::io_context context_;
    std::optional<boost::asio::ssl::context> keys_;
    boost::asio::ip::tcp::acceptor acceptor_;
    unsigned short port_ = 0;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    Behaviour behaviour_;
    std::optional<std::pair<std::size_t, Behaviour>> next_; // from that request on
    bool is_stopped_ = false;
    std::vector<Received> received_;
    std::list<Connection> connections_;
    std::jthread acceptor_thread_;
};

// Returns whether the condition comes true within twenty seconds.
bool eventually(auto const& condition) {
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

} // namespace stand_in
