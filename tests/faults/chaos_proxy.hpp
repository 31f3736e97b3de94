#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <sys/socket.h>

// A unix socket or a port in front of a database server, with everything that can happen to a
// network.

namespace faults {

struct Fault {
    bool refuse = false;                // new connections are closed at once
    bool hold_statements = false;       // nothing more is read from the application
    bool hold_replies = false;          // nothing more is written to it
    bool hold_streams = false;          // likewise, on connections that follow the server's log
    bool hold_others = false;           // likewise, on those that do not
    std::chrono::milliseconds delay{0}; // of each piece of a response
    std::size_t piece = 16 * 1024;      // so large at most
    // Each connection is closed once it passed on so many more bytes of responses.
    std::optional<std::size_t> cut_after = {};
    // Statements are changed from the one text to the other, which has as many characters.
    std::string from = {}, to = {};
};

// A thread a connection. Any thread may call it.
class ChaosProxy {
  public:
    // Listens at `path` for as long as it lives; `server` need not be there yet.
    ChaosProxy(std::string path, std::string server);
    // At a port of 127.0.0.1 that nobody else has.
    explicit ChaosProxy(std::string server);
    ChaosProxy(ChaosProxy const&) = delete;
    ChaosProxy& operator=(ChaosProxy const&) = delete;
    ~ChaosProxy();

    // Makes this go wrong from now on, with the connections there are and with new ones.
    void set(Fault const& fault);
    void heal() { set({}); }
    void close_connections();

    unsigned port() const;
    std::size_t bytes_replied() const { return bytes_replied_; }

  private:
    void listen(sockaddr const& address, std::size_t size);
    void accept_until_stopped(std::stop_token const& stopped);
    void connect(int application);
    void pass_on(std::stop_token const& stopped, int application) const;
    bool pass_statements(int application, int server, bool& is_stream) const;
    bool pass_replies(int server, int application, std::optional<std::size_t>& left) const;
    Fault fault() const;

    std::string const path_; // empty: it has a port
    std::string const server_;
    int listener_;
    mutable std::mutex mutex_;
    Fault fault_;
    unsigned faults_set_ = 0;
    std::atomic<unsigned> closings_ = 0;
    mutable std::atomic<std::size_t> bytes_replied_ = 0;
    struct Connection {
        std::atomic<bool> has_ended = false;
        std::jthread thread;
    };
    std::list<Connection> connections_;
    std::jthread acceptor_;
};

} // namespace faults
