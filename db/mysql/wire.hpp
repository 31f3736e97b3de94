#pragma once

#include "db/mysql/connection.hpp"
#include "db/mysql/watchdog.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Connections through libmariadb, which Connector/C++ is built on wherever this program runs. They
// can do what the Connector cannot: ask without waiting, and follow the binlog. They select no
// database, since the account may have no right on any.

struct st_mysql;
struct st_mysql_res;

namespace db {

// Ends the waits of other threads for servers: shuts the sockets of its wires, including those that
// are opened later.
class Interrupter {
  public:
    void interrupt(); // any thread
    void rearm();
    bool is_interrupted() const;

  private:
    friend class Wire;
    void hold(int socket);
    void let_go(int socket);

    mutable std::mutex mutex_;
    std::vector<int> sockets_;
    bool interrupted_ = false;
};

struct WireDeleter {
    void operator()(st_mysql* connection) const;
    void operator()(st_mysql_res* result) const;
};

// All rows of a result.
class WireRows {
  public:
    bool next();
    // Returns a cell of the current row; NULL, and a column that is not there, is empty.
    std::string_view text(unsigned column) const;
    std::string_view text(std::string_view name) const;

  private:
    friend class Wire;
    explicit WireRows(st_mysql_res* result);
    std::unique_ptr<st_mysql_res, WireDeleter> result_;
    char** row_ = nullptr;
    unsigned long* lengths_ = nullptr;
};

// Used by one thread at a time. After a failure it is unusable, and error() says why.
class Wire {
  public:
    using Clock = std::chrono::steady_clock;

    // The interrupter outlives the wire, unless leave_interrupter() was called.
    explicit Wire(Interrupter& interrupter);
    ~Wire();
    Wire(Wire const&) = delete;

    // Connects, with TLS under the same conditions as the pool's connections. `silence` is how long
    // reading may take without a byte, in whole seconds.
    bool open(DatabaseUrl const& url, Clock::time_point by, std::chrono::seconds silence);
    // Takes the wire off its interrupter. Requires that only functions that do not wait are called
    // from then on.
    void leave_interrupter();

    // Waits for the result. `sql` is sent as it is and holds one statement or more; the rows are
    // those of the last one.
    std::optional<WireRows> query(std::string_view sql, Clock::time_point by);

    // These do not wait: ask() sends as far as it can; as long as the state is `waiting`, call
    // go_on() whenever the socket is ready; then call take_rows(). `sql` must live until then.
    // go_on_within() calls it if the socket is ready, or becomes ready in this time.
    // take_first_rows() returns those of the first of several statements, if it has any.
    enum class CallState { waiting, done, failed };
    CallState ask(std::string_view sql);
    CallState go_on();
    CallState go_on_within(std::chrono::milliseconds most);
    WireRows take_rows();
    WireRows take_first_rows();
    bool is_busy() const { return step_ != CallStep::idle; }
    // Returns a descriptor of our own of the connection's socket, since the library closes its own
    // when the connection is lost, and the number is used again.
    int socket() const { return socket_; }
    bool waits_for_writing() const;
    // Returns whether the server has sent something while the wire is idle: it does so when it
    // ends.
    bool was_ended() const;

    // Begins to receive the binlog from there on, as replica `server_id`. Waits.
    bool follow(std::string const& file, std::uint64_t offset, std::uint32_t server_id);
    // Returns the next event's packet, valid until the next call. Waits as long as `silence`.
    std::optional<std::string_view> next_event();

    unsigned error_code() const;
    std::string error() const;

  private:
    enum class CallStep { idle, connecting, sending, receiving, advancing };
    CallState start_connecting(DatabaseUrl const& url);
    CallState proceed(int awaited);
    CallState finish(bool succeeded);
    CallState wait(CallState state, Clock::time_point by);
    void find_socket();
    void set_waiting(bool waits);
    void drop_socket();
    void give_up();

    Interrupter* interrupter_; // null: the wire has left it
    std::unique_ptr<st_mysql, WireDeleter> connection_;
    CallStep step_ = CallStep::idle;
    int awaited_ = 0; // what the library waits for, MYSQL_WAIT_…
    // The library stores in these what its steps return.
    st_mysql* connected_ = nullptr;
    int query_error_ = 0;
    st_mysql_res* result_ = nullptr;
    WireRows first_rows_{nullptr};
    int socket_ = -1;
    std::chrono::seconds silence_{0};
    std::optional<Watchdog::Other> watched_by_none_;
    std::string own_error_;
};

} // namespace db
