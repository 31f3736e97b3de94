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

// Connections through libmariadb, which is what Connector/C++ is built on where this
// is: it can do what the Connector cannot, ask without waiting and follow the log. Without a
// database of its own, since the account may have no right on any.

struct st_mysql;
struct st_mysql_res;

namespace db {

// Ends what other threads wait for at servers: shuts the sockets of wires, and of those to come.
class Leash {
  public:
    void cut(); // any thread
    void mend();
    bool is_cut() const;

  private:
    friend class Wire;
    void hold(int socket);
    void let_go(int socket);

    mutable std::mutex mutex_;
    std::vector<int> sockets_;
    bool cut_ = false;
};

// All rows of an answer.
class WireRows {
  public:
    bool next();
    // Of the current row; NULL, and a column that is not there, is empty.
    std::string_view text(unsigned column) const;
    std::string_view text(std::string_view name) const;

  private:
    friend class Wire;
    explicit WireRows(st_mysql_res* result);
    struct Free {
        void operator()(st_mysql_res* result) const;
    };
    std::unique_ptr<st_mysql_res, Free> result_;
    char** row_ = nullptr;
    unsigned long* lengths_ = nullptr;
};

// Of one thread at a time. After a failure it is of no use any more, and error() says why.
class Wire {
  public:
    using Clock = std::chrono::steady_clock;

    // The leash outlives the wire, or is left before.
    explicit Wire(Leash& leash);
    ~Wire();
    Wire(Wire const&) = delete;

    // With TLS as the pool's connections have it. `silence` is how long reading may take without a
    // byte, in whole seconds.
    bool open(DatabaseUrl const& url, Clock::time_point by, std::chrono::seconds silence);
    // For a wire that is only asked without waiting.
    void leave_leash();

    // Waits. `sql` is constant text, one statement or some; the rows are those of the last one.
    std::optional<WireRows> query(std::string_view sql, Clock::time_point by);

    // Without waiting: ask() sends, as far as it can; as long as it is `waiting`, call go_on()
    // whenever the socket is ready; then take_rows(). `sql` must live until then.
    enum class Progress { waiting, done, failed };
    Progress ask(std::string_view sql);
    Progress go_on();
    WireRows take_rows();
    bool is_asking() const { return stage_ != Stage::idle; }
    // A descriptor of our own of the connection's socket, since the library closes its own when the
    // connection is lost, and the number comes again.
    int socket() const { return socket_; }
    bool waits_for_writing() const;
    // Idle, and the server has something to say all the same: that it ends.
    bool was_ended() const;

    // The log from there on, as replica `server_id`. Waits.
    bool follow(std::string const& file, std::uint64_t offset, std::uint32_t server_id);
    // The next event's packet, valid until the next call. Waits as long as `silence`.
    std::optional<std::string_view> next_event();

    unsigned error_code() const;
    std::string error() const;

  private:
    enum class Stage { idle, connecting, sending, receiving, advancing };
    Progress start_connecting(DatabaseUrl const& url);
    Progress proceed(int awaited);
    Progress start_receiving();
    Progress finish(bool succeeded);
    Progress wait(Progress progress, Clock::time_point by);
    void find_socket();
    void set_waiting(bool waits);
    void drop_socket();
    void give_up();

    Leash* leash_; // null: without
    struct Close {
        void operator()(st_mysql* connection) const;
    };
    std::unique_ptr<st_mysql, Close> connection_;
    Stage stage_ = Stage::idle;
    int awaited_ = 0; // what the library waits for, MYSQL_WAIT_…
    // Where the library leaves what its steps return.
    st_mysql* connected_ = nullptr;
    int query_error_ = 0;
    st_mysql_res* result_ = nullptr;
    int socket_ = -1;
    std::chrono::seconds silence_{0};
    std::optional<Watchdog::Other> watched_by_none_;
    std::string own_error_;
};

} // namespace db
