#include "db/mysql/wire.hpp"

#include "db/mysql/server_error.hpp"

#include <mariadb/mysql.h>

#include <mariadb/mariadb_rpl.h>

#include <openssl/err.h>

#include <algorithm>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

namespace db {

namespace {

bool is_same_socket(int one, int other) {
    struct stat first{};
    struct stat second{};
    return ::fstat(one, &first) == 0 && ::fstat(other, &second) == 0 &&
           first.st_ino == second.st_ino;
}

// Forgets errors of a connection that the thread had before: the library takes them for errors of
// this one.
void clear_errors() {
    ERR_clear_error();
}

} // namespace

void Interrupter::interrupt() {
    std::lock_guard const lock(mutex_);
    interrupted_ = true;
    for (int const socket : sockets_)
        ::shutdown(socket, SHUT_RDWR);
}

void Interrupter::rearm() {
    std::lock_guard const lock(mutex_);
    interrupted_ = false;
}

bool Interrupter::is_interrupted() const {
    std::lock_guard const lock(mutex_);
    return interrupted_;
}

void Interrupter::hold(int socket) {
    std::lock_guard const lock(mutex_);
    sockets_.push_back(socket);
    if (interrupted_) ::shutdown(socket, SHUT_RDWR);
}

void Interrupter::let_go(int socket) {
    std::lock_guard const lock(mutex_);
    std::erase(sockets_, socket);
}

WireRows::WireRows(st_mysql_res* result) : result_(result) {
}

void WireDeleter::operator()(st_mysql_res* result) const {
    mysql_free_result(result);
}

bool WireRows::next() {
    row_ = result_ ? mysql_fetch_row(result_.get()) : nullptr;
    lengths_ = row_ ? mysql_fetch_lengths(result_.get()) : nullptr;
    return row_ != nullptr;
}

std::string_view WireRows::text(unsigned column) const {
    if (!row_ || column >= mysql_num_fields(result_.get()) || !row_[column]) return {};
    return {row_[column], lengths_[column]};
}

std::string_view WireRows::text(std::string_view name) const {
    unsigned const columns = result_ ? mysql_num_fields(result_.get()) : 0;
    for (unsigned column = 0; column < columns; ++column)
        if (mysql_fetch_field_direct(result_.get(), column)->name == name) return text(column);
    return {};
}

void WireDeleter::operator()(st_mysql* connection) const {
    mysql_close(connection);
}

Wire::Wire(Interrupter& interrupter) : interrupter_(&interrupter) {
}

Wire::~Wire() {
    give_up();
    drop_socket();
}

void Wire::leave_interrupter() {
    if (interrupter_ && socket_ >= 0) interrupter_->let_go(socket_);
    interrupter_ = nullptr;
}

bool Wire::open(DatabaseUrl const& url, Clock::time_point by, std::chrono::seconds silence) {
    connection_.reset(mysql_init(nullptr));
    if (!connection_) return false;
    MYSQL* const connection = connection_.get();
    // The library does TLS on the stack that it makes for asking without waiting.
    std::size_t const stack = std::size_t{256} * 1024;
    mysql_options(connection, MYSQL_OPT_NONBLOCK, &stack);
    auto const left = std::chrono::ceil<std::chrono::seconds>(by - Clock::now()).count();
    auto const most = static_cast<unsigned>(std::max<std::int64_t>(left, 1));
    auto const silent = static_cast<unsigned>(std::max<std::int64_t>(silence.count(), 1));
    mysql_options(connection, MYSQL_OPT_CONNECT_TIMEOUT, &most);
    mysql_options(connection, MYSQL_OPT_READ_TIMEOUT, &silent);
    mysql_options(connection, MYSQL_OPT_WRITE_TIMEOUT, &silent);
    mysql_options(connection, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    unsigned const no = 0;
    mysql_options(connection, MYSQL_OPT_LOCAL_INFILE, &no);
    if (!url.ssl_ca.empty()) {
        my_bool const yes = 1;
        mysql_options(connection, MYSQL_OPT_SSL_CA, url.ssl_ca.c_str());
        mysql_options(connection, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &yes);
        mysql_options(connection, MYSQL_OPT_SSL_ENFORCE, &yes);
    }
    if (auto const* const logins = url.safe_logins()) {
        mysql_options(connection, MARIADB_OPT_RESTRICTED_AUTH, logins);
        mysql_options(connection, MYSQL_DEFAULT_AUTH, DatabaseUrl::first_login);
    }
    if (wait(start_connecting(url), by) == CallState::failed) return false;
    // Asked to use TLS, the library may still connect without.
    if (!url.ssl_ca.empty() && !mysql_get_ssl_cipher(connection)) {
        own_error_ = "the database connection is not encrypted";
        return false;
    }
    silence_ = silence;
    set_waiting(false);
    return true;
}

Wire::CallState Wire::start_connecting(DatabaseUrl const& url) {
    Watchdog::Making const until_it_is_known;
    step_ = CallStep::connecting;
    bool const by_socket = !url.socket.empty();
    return proceed(mysql_real_connect_start(
        &connected_, connection_.get(), by_socket ? nullptr : url.host.c_str(), url.user.c_str(),
        url.password.c_str(), nullptr, by_socket ? 0 : url.port,
        by_socket ? url.socket.c_str() : nullptr, CLIENT_MULTI_STATEMENTS));
}

// Over TLS the library neither avoids waiting by itself nor waits as long as it was told (3.3 takes
// seconds for milliseconds): only the settings of the socket count.
void Wire::set_waiting(bool waits) {
    int const flags = ::fcntl(socket_, F_GETFL);
    ::fcntl(socket_, F_SETFL, waits ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
    timeval const most{.tv_sec = silence_.count(), .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
}

std::optional<WireRows> Wire::query(std::string_view sql, Clock::time_point by) {
    if (wait(ask(sql), by) == CallState::failed) return std::nullopt;
    return take_rows();
}

Wire::CallState Wire::ask(std::string_view sql) {
    clear_errors();
    take_first_rows();
    step_ = CallStep::sending;
    return proceed(
        mysql_real_query_start(&query_error_, connection_.get(), sql.data(), sql.size()));
}

Wire::CallState Wire::go_on() {
    clear_errors();
    MYSQL* const connection = connection_.get();
    switch (step_) {
    case CallStep::connecting: {
        Watchdog::Making const until_it_is_known;
        return proceed(mysql_real_connect_cont(&connected_, connection, awaited_));
    }
    case CallStep::sending:
        return proceed(mysql_real_query_cont(&query_error_, connection, awaited_));
    case CallStep::receiving:
        return proceed(mysql_store_result_cont(&result_, connection, awaited_));
    case CallStep::advancing:
        return proceed(mysql_next_result_cont(&query_error_, connection, awaited_));
    case CallStep::idle:
        break;
    }
    return CallState::done;
}

Wire::CallState Wire::go_on_within(std::chrono::milliseconds most) {
    short const events = waits_for_writing() ? POLLOUT : POLLIN;
    pollfd polled{socket_, events, 0};
    ::poll(&polled, 1, static_cast<int>(most.count()));
    return polled.revents != 0 ? go_on() : CallState::waiting;
}

Wire::CallState Wire::proceed(int awaited) {
    awaited_ = awaited & ~MYSQL_WAIT_TIMEOUT;
    if (step_ == CallStep::connecting) find_socket();
    if (awaited != 0) return CallState::waiting;
    if (step_ == CallStep::connecting) return finish(connected_ != nullptr);
    if (step_ == CallStep::receiving) {
        if (!result_ && mysql_field_count(connection_.get()) > 0) return finish(false);
        if (!mysql_more_results(connection_.get())) return finish(true);
        auto rows = take_rows();
        if (!first_rows_.result_) first_rows_ = std::move(rows);
        step_ = CallStep::advancing;
        return proceed(mysql_next_result_start(&query_error_, connection_.get()));
    }
    if (query_error_ != 0) return finish(false);
    step_ = CallStep::receiving;
    return proceed(mysql_store_result_start(&result_, connection_.get()));
}

Wire::CallState Wire::finish(bool succeeded) {
    step_ = CallStep::idle;
    return succeeded ? CallState::done : CallState::failed;
}

WireRows Wire::take_rows() {
    return WireRows(std::exchange(result_, nullptr));
}

WireRows Wire::take_first_rows() {
    return std::exchange(first_rows_, WireRows(nullptr));
}

bool Wire::waits_for_writing() const {
    return (awaited_ & MYSQL_WAIT_WRITE) != 0;
}

bool Wire::was_ended() const {
    pollfd polled{socket_, POLLIN, 0};
    return ::poll(&polled, 1, 0) > 0;
}

// The library may try one address after the other, with a socket each.
void Wire::find_socket() {
    int const its_own = mysql_get_socket(connection_.get());
    if (is_same_socket(its_own, socket_)) return;
    drop_socket();
    socket_ = its_own < 0 ? -1 : ::fcntl(its_own, F_DUPFD_CLOEXEC, 0);
    if (socket_ < 0) return;
    watched_by_none_.emplace(socket_);
    if (interrupter_) interrupter_->hold(socket_);
}

void Wire::drop_socket() {
    if (socket_ < 0) return;
    watched_by_none_.reset();
    if (interrupter_) interrupter_->let_go(socket_);
    ::close(std::exchange(socket_, -1));
}

Wire::CallState Wire::wait(CallState state, Clock::time_point by) {
    constexpr auto slice = std::chrono::milliseconds(100);
    while (state == CallState::waiting) {
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(by - Clock::now());
        if (left.count() <= 0 || (interrupter_ && interrupter_->is_interrupted())) {
            own_error_ = left.count() <= 0 ? "the database does not answer in time" : "ended";
            give_up();
            return CallState::failed;
        }
        state = go_on_within(std::min(left, slice));
    }
    return state;
}

// Makes the library believe that its time is up, whatever it is doing.
void Wire::give_up() {
    while (step_ != CallStep::idle) {
        if (socket_ >= 0) ::shutdown(socket_, SHUT_RDWR);
        awaited_ = MYSQL_WAIT_TIMEOUT;
        go_on();
    }
    if (result_) take_rows();
}

bool Wire::follow(std::string const& file, std::uint64_t offset, std::uint32_t server_id) {
    std::unique_ptr<MARIADB_RPL, decltype(&mariadb_rpl_close)> const replica(
        mariadb_rpl_init(connection_.get()), mariadb_rpl_close);
    if (!replica) return false;
    clear_errors();
    set_waiting(true);
    mariadb_rpl_optionsv(replica.get(), MARIADB_RPL_SERVER_ID, server_id);
    mariadb_rpl_optionsv(replica.get(), MARIADB_RPL_FILENAME, file.c_str(), file.size());
    mariadb_rpl_optionsv(replica.get(), MARIADB_RPL_START, static_cast<unsigned long>(offset));
    return mariadb_rpl_open(replica.get()) == 0;
}

std::optional<std::string_view> Wire::next_event() {
    clear_errors();
    auto const size = mysql_net_read_packet(connection_.get());
    if (size == packet_error) return std::nullopt;
    auto const* const bytes = reinterpret_cast<char const*>(connection_->net.read_pos);
    constexpr char is_event = 0;
    if (size == 0 || bytes[0] != is_event) {
        own_error_ = "the server ended the stream";
        return std::nullopt;
    }
    return std::string_view(bytes + 1, size - 1);
}

unsigned Wire::error_code() const {
    return own_error_.empty() && connection_ ? mysql_errno(connection_.get()) : 0;
}

std::string Wire::error() const {
    if (!own_error_.empty()) return own_error_;
    if (!connection_) return "no memory";
    return server_error_text(static_cast<int>(mysql_errno(connection_.get())),
                             mysql_error(connection_.get()));
}

} // namespace db
