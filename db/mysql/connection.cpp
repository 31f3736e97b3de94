#include "db/mysql/connection.hpp"

#include "db/mysql/connection_state.hpp"
#include "db/mysql/server_error.hpp"
#include "parser/base/limits.hpp"

#include <cppconn/exception.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <system_error>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace db {

sql::Driver& driver() {
    // The first call is not safe for threads, the initialisation of a local static is.
    static sql::Driver* const instance = get_driver_instance();
    // The client library wants to know each thread that uses it.
    struct Thread {
        Thread() { instance->threadInit(); }
        ~Thread() { instance->threadEnd(); }
    };
    thread_local Thread const thread;
    return *instance;
}

namespace {

// A file of options that the client library knows and the Connector has no name for. It is like
// my.cnf, and the library reads it when it connects. It is in memory, and exists as long as this
// object.
class OptionFile {
  public:
    // Throws std::system_error if the library could not read the file, since the library itself
    // would ignore that.
    explicit OptionFile(std::string_view text)
        : descriptor_(::memfd_create("client-options", MFD_CLOEXEC)) {
        bool const is_written =
            ::write(descriptor_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
        if (is_written && ::access(path().c_str(), R_OK) == 0) return;
        std::system_error const error(errno, std::generic_category(), path());
        ::close(descriptor_);
        throw error;
    }
    ~OptionFile() { ::close(descriptor_); }
    OptionFile(OptionFile const&) = delete;
    OptionFile& operator=(OptionFile const&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

  private:
    int const descriptor_;
};

sql::ConnectOptionsMap connect_options(DatabaseUrl const& url, SessionOptions const& options,
                                       Connection::Time by) {
    using std::chrono::ceil;
    using std::chrono::seconds;
    auto const read_timeout = ceil<seconds>(options.statement_timeout) + seconds(1);

    // Values are made in the map: where one is assigned and there is no memory for it, the
    // Connector frees the one before twice.
    sql::ConnectOptionsMap map;
    map.emplace("hostName", sql::SQLString(url.socket.empty() ? "tcp://" + url.host + ':' +
                                                                    std::to_string(url.port)
                                                              : "unix://" + url.socket));
    map.emplace("userName", sql::SQLString(url.user));
    map.emplace("password", sql::SQLString(url.password));
    map.emplace("schema", sql::SQLString(url.name));
    // Nothing else ends an attempt to connect that the other side does not accept.
    auto const left = std::min<Connection::Time::duration>(options.connect_timeout,
                                                           by - Connection::Time::clock::now());
    map.emplace("OPT_CONNECT_TIMEOUT",
                static_cast<int>(std::max(ceil<seconds>(left), seconds(1)).count()));
    // These back up the server's own statement timeout, for a server that is silent.
    map.emplace("OPT_READ_TIMEOUT", static_cast<int>(read_timeout.count()));
    map.emplace("OPT_WRITE_TIMEOUT", static_cast<int>(read_timeout.count()));
    map.emplace("OPT_CHARSET_NAME", sql::SQLString("utf8mb4"));
    map.emplace("CLIENT_MULTI_STATEMENTS", options.read_only); // for StatementBatch
    if (!url.ssl_ca.empty()) {
        map.emplace("sslCA", sql::SQLString(url.ssl_ca));
        map.emplace("sslVerify", true);
        map.emplace("sslEnforce", true);
    }
    return map;
}

} // namespace

parser::Error Connection::State::failure() {
    broken = true;
    can_resume = false;
    try {
        throw;
    } catch (sql::SQLException const& exception) {
        auto error = error_of(exception, statement_timeout);
        lost = error.kind == parser::ErrorKind::connection_lost;
        // A statement that lost a race may have lost its transaction with it.
        can_resume = exception.getErrorCode() != 0 && !lost && !watch.was_cut() &&
                     error.kind != parser::ErrorKind::conflict;
        if (!watch.was_cut()) return error;
        if (watch.was_silent())
            return parser::connection_lost("its host does not respond: " + error.cause);
        return parser::timed_out(&parser::Limits::statement, statement_timeout,
                                 "cut off: " + error.cause);
    } catch (std::exception const& exception) {
        parser::Error error;
        error.cause = exception.what();
        return error;
    }
}

// The server is given a moment to end the statement by itself.
Watchdog::Time Connection::State::overdue(parser::Deadline const& deadline) const {
    constexpr auto moment = std::chrono::milliseconds(250);
    return std::min(deadline.at, Watchdog::Clock::now() + statement_timeout) + moment;
}

namespace {

// Asks for the version, and the number of this connection.
constexpr SqlPiece session_statement = "SELECT VERSION(), CONNECTION_ID()";

// Returns the same SELECT, which the server has to stop after `left`. On MySQL, SHOW has no limit
// but that of the watchdog.
std::string within(std::chrono::milliseconds left, std::string const& select, bool is_mariadb) {
    auto const ms = std::to_string(std::max<std::int64_t>(left.count(), 1));
    if (is_mariadb) return "SET STATEMENT max_statement_time = " + ms + " / 1000 FOR " + select;
    constexpr std::string_view keyword = "SELECT";
    if (select.starts_with("SHOW")) return select;
    assert(select.starts_with(keyword));
    return "SELECT /*+ MAX_EXECUTION_TIME(" + ms + ") */" + select.substr(keyword.size());
}

SqlText session_variables(bool is_mariadb, SessionOptions const& options) {
    SqlText sql;
    // The collation is the one that literals have (SqlText::text): LOWER() of a number has it, too,
    // and two that differ cannot be compared.
    sql << "SET NAMES utf8mb4";
    // Depth 0 makes the server stop at five tables, instead of trying every order of the joins that
    // it makes of EXISTS: ten conditions on one relation took it longer than a statement may take.
    sql << ", time_zone = '+00:00', eq_range_index_dive_limit = 1, optimizer_search_depth = 0, ";
    if (is_mariadb) { // in seconds
        // START TRANSACTION waits, and the statements in the transaction do not.
        if (options.galera_sync) sql << "wsrep_sync_wait = 1, ";
        sql << "max_statement_time = ";
        return sql.number(std::chrono::duration<double>(options.statement_timeout).count());
    }
    // The time is in milliseconds. A filter through eight relations would take MySQL seconds: to
    // plan the joins that it makes of nested EXISTS, or to run those below OR again for each row.
    // With these switches (since 8.0.21) it reads each of them once, as MariaDB does by itself.
    // Indexes that are hidden from the CMS (since 8.0) are for those who read.
    (sql << "max_execution_time = ").integer(std::int64_t{options.statement_timeout.count()});
    sql << ", optimizer_switch = CONCAT_WS(','"
           ", IF(LOCATE('subquery_to_derived', @@optimizer_switch),"
           " 'semijoin=off,subquery_to_derived=on', NULL)"
           ", IF(LOCATE('use_invisible_indexes', @@optimizer_switch), 'use_invisible_indexes="
        << (options.read_only ? SqlPiece("on") : SqlPiece("off")) << "', NULL))";
    return sql;
}

} // namespace

Connection::Connection(std::unique_ptr<State> state) : state_(std::move(state)) {
}
Connection::~Connection() = default;

parser::Result<std::unique_ptr<Connection>>
Connection::open(DatabaseUrl const& url, SessionOptions const& options, Time by) {
    if (url.name.empty())
        return parser::unreachable("no database is set; fix: set `database` to "
                                   "mysql://user:password@host/name");
    std::unique_ptr<Connection> connection(
        new Connection(std::make_unique<State>(options, url.address())));
    State& state = *connection->state_;
    Watchdog::Watch::Task const task(state.watch, by);
    if (!state.watch.open(url.socket.empty() ? url.port : 0, by))
        return parser::timed_out(&parser::Limits::acquire, options.connect_timeout,
                                 "waiting for another connection to be opened");
    try {
        auto map = connect_options(url, options, by);
        std::optional<OptionFile> restricted;
        if (auto const* const logins = url.safe_logins()) {
            restricted.emplace(std::string("[client]\nrestricted-auth = ") + logins + '\n');
            map.emplace("readDefaultFile", sql::SQLString(restricted->path()));
            map.emplace("defaultAuth", sql::SQLString(DatabaseUrl::first_login));
        }
        state.connection.reset(driver().connect(map));
    } catch (sql::SQLException const& exception) {
        auto error = error_of(exception, options.statement_timeout);
        auto const fix = fix_of_refusal(exception.getErrorCode(), exception.what(), url);
        error.cause.append("; fix: ").append(fix);
        return error.kind == parser::ErrorKind::unavailable
                   ? error
                   : parser::unreachable(std::move(error.cause));
    } catch (std::exception const& exception) {
        return parser::unreachable(exception.what());
    }
    state.watch.opened();
    if (auto ready = connection->set_up(url, options); !ready) return ready.error();
    return connection;
}

parser::Result<std::unique_ptr<Connection>>
Connection::open(DatabaseHosts const& database, SessionOptions const& options, Time by) {
    auto opened = open(database.first(), options, by);
    for (std::size_t i = 1; i < database.urls.size() && !opened; ++i)
        opened = open(database.urls[i], options, by);
    return opened;
}

parser::Result<void> Connection::set_up(DatabaseUrl const& url, SessionOptions const& options) {
    // Asked to use TLS, the Connector may still connect without.
    if (!url.ssl_ca.empty()) {
        auto status = query(SqlPiece("SHOW SESSION STATUS LIKE 'Ssl_cipher'"));
        if (!status) return status.error();
        if (!status->next() || status->text(1).empty())
            return parser::unreachable("the database connection is not encrypted");
    }
    auto rows = query(session_statement);
    if (!rows) return rows.error();
    rows->next();
    state_->mariadb = rows->text(0).find("MariaDB") != std::string_view::npos;
    state_->id = rows->id(1);
    auto variables = command(session_variables(state_->mariadb, options));
    if (!variables || !options.read_only) return variables;
    // On READ COMMITTED, the server would ignore WITH CONSISTENT SNAPSHOT in silence.
    return command(SqlPiece("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"));
}

void Connection::State::append(sql::SQLString& text, SqlText const& sql,
                               parser::Deadline const& deadline,
                               std::chrono::milliseconds patience) const {
    auto const most = std::min(deadline.left(), patience);
    if (most < statement_timeout)
        text.append(within(most, sql.str(), mariadb));
    else
        text.append(sql.str());
}

parser::Result<Cursor> Connection::query(SqlText const& sql, parser::Deadline const& deadline,
                                         std::chrono::milliseconds patience) {
    Watchdog::Watch::Task const task(state_->watch, state_->overdue(deadline));
    try {
        driver(); // registers this thread
        auto cursor = std::make_unique<Cells::State>();
        cursor->statement.reset(state_->connection->createStatement());
        sql::SQLString text;
        state_->append(text, sql, deadline, patience);
        cursor->rows.reset(cursor->statement->executeQuery(text));
        return Cursor(std::move(cursor));
    } catch (...) {
        return state_->failure();
    }
}

parser::Result<void> Connection::command(SqlText const& sql, Time by) {
    Watchdog::Watch::Task const task(state_->watch, std::min(by, state_->overdue({})));
    try {
        driver();
        std::unique_ptr<sql::Statement> const statement(state_->connection->createStatement());
        statement->execute(sql.str());
        return {};
    } catch (...) {
        return state_->failure();
    }
}

parser::Result<void> Connection::begin_snapshot(Time by) {
    state_->in_snapshot = true;
    return command(SqlPiece("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"), by);
}

parser::Result<void> Connection::commit(Time by) {
    state_->in_snapshot = false;
    return command(SqlPiece("COMMIT"), by);
}

// This must be cheap, since giving up on it costs a connection (server_statement takes four times
// as long). No two servers that replicate from each other have the same values.
constexpr SqlPiece place_statement =
    "SELECT CONCAT_WS(' ', @@hostname, @@port, @@server_id, @@datadir, @@socket)";

// A server or proxy that refuses several statements has answered, so the connection is still
// usable.
parser::Result<bool> Connection::try_together(parser::Deadline const& deadline) {
    SqlText const statement = place_statement;
    SqlText const* const twice[] = {&statement, &statement};
    auto rows = query(statement, deadline);
    std::string const place(rows && rows->next() ? rows->text(0) : "");
    state_->together = true;
    StatementBatch batch(*this, twice, deadline);
    for (std::size_t i = 0; rows && i < std::size(twice); ++i) {
        rows = batch.next();
        if (rows && (!rows->next() || rows->text(0) != place)) state_->together = false;
    }
    if (state_->lost) return rows.error();
    state_->broken = false;
    if (!rows) state_->together = false;
    return state_->together;
}

void Connection::cut() {
    state_->broken = true;
    state_->watch.cut();
}

bool Connection::resume() {
    if (!std::exchange(state_->can_resume, false)) return false;
    state_->broken = false;
    return true;
}

bool Connection::is_lost() const {
    return state_->lost;
}

std::optional<std::uint64_t> Connection::left_running() const {
    auto const& watch = state_->watch;
    if (!watch.was_cut() || watch.was_silent() || state_->id == 0) return std::nullopt;
    return state_->id;
}

bool Connection::is_broken() const {
    return state_->broken;
}

bool Connection::holds_much() const {
    return state_->holds_much;
}

bool Connection::is_in_snapshot() const {
    return state_->in_snapshot;
}

bool Connection::sends_together() const {
    return state_->together;
}

bool Connection::is_mariadb() const {
    return state_->mariadb;
}

parser::Result<std::string_view> Connection::server(parser::Deadline const& deadline) {
    if (state_->server.empty()) {
        auto rows = query(server_statement, deadline);
        if (!rows) return rows.error();
        state_->server = server_of(*rows);
    }
    return state_->server;
}

parser::Result<bool> take_lock(Connection& connection, std::string_view name,
                               std::chrono::seconds wait) {
    SqlText sql(SqlPiece("SELECT GET_LOCK(CONCAT("));
    sql.text(name) << ", ' ', LEFT(SHA2(DATABASE(), 256), 32)), ";
    sql.integer(static_cast<std::uint64_t>(wait.count())) << ")";
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    return !rows->next() || rows->text(0) != "0";
}

} // namespace db
