#include "db/mysql/watchdog.hpp"
#include "tests/database/server.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <optional>

BOOST_AUTO_TEST_SUITE(connection)

namespace {

using namespace std::chrono_literals;
using db::SqlPiece;
using db::SqlText;

struct KnownStatement {
    SqlPiece statement;
    char const* reply;
};

// `KILL QUERY 7`, `KILL CONNECTION 7`
SqlText kill(SqlPiece what, std::string const& id) {
    SqlText sql("KILL ");
    (sql << what << " ").integer(std::uint64_t{std::stoull(id)});
    return sql;
}

// How a statement ends that is killed while it runs.
parser::Error killed(SqlPiece what) {
    auto const owner = server::open_owner();
    auto const victim = server::open(server::reader());
    auto const id = server::connection_id(*victim);
    std::optional<parser::Error> error;
    std::thread statement([&] {
        auto rows = victim->query(SqlPiece("SELECT SLEEP(60) FROM files"));
        if (!rows) error = rows.error();
    });
    SqlText running("SELECT COUNT(*) FROM information_schema.PROCESSLIST"
                    " WHERE INFO LIKE 'SELECT SLEEP%' AND ID = ");
    running.integer(std::uint64_t{std::stoull(id)});
    server::wait_until([&] { return server::ask(*owner, running) == "1"; });
    server::command(*owner, kill(what, id));
    statement.join();
    BOOST_TEST_REQUIRE(error.has_value());
    BOOST_TEST(victim->is_broken());
    return *error;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_session_is_set_up_for_reading) {
    db::SessionOptions options;
    options.statement_timeout = 1'500ms;
    auto const connection = server::open(server::reader(), options);
    BOOST_TEST(connection->is_mariadb());
    KnownStatement const cases[] = {
        {"SELECT @@character_set_client", "utf8mb4"},
        {"SELECT @@character_set_results", "utf8mb4"},
        {"SELECT @@time_zone", "+00:00"},
        {"SELECT @@tx_isolation", "REPEATABLE-READ"},
        {"SELECT @@tx_read_only", "1"},
        {"SELECT @@max_statement_time", "1.500000"},
        {"SELECT @@eq_range_index_dive_limit", "1"},
    };
    for (auto const& [statement, reply] : cases)
        BOOST_TEST(server::ask(*connection, statement) == reply);
}

BOOST_AUTO_TEST_CASE(null_differs_from_an_empty_text) {
    auto const connection = server::open(server::reader());
    auto rows = connection->query(SqlPiece("SELECT NULL, '', 'a', 7 UNION ALL SELECT 1, 2, 3, 4"));
    BOOST_TEST_REQUIRE(rows.has_value());
    BOOST_TEST(rows->rows() == 2U);
    BOOST_TEST(rows->next());
    BOOST_TEST(rows->text(0).data() == nullptr);
    BOOST_TEST(rows->text(1).data() != nullptr);
    BOOST_TEST(rows->text(1) == "");
    BOOST_TEST(rows->text(2) == "a");
    BOOST_TEST(rows->text(3) == "7");
    BOOST_TEST(rows->text(0).data() == nullptr);
    BOOST_TEST(rows->next());
    BOOST_TEST(rows->text(0) == "1");
    BOOST_TEST(!rows->next());
}

BOOST_AUTO_TEST_CASE(values_arrive_as_the_server_writes_them) {
    auto const connection = server::open(server::reader());
    KnownStatement const cases[] = {
        {"SELECT 18446744073709551615", "18446744073709551615"},
        {"SELECT CAST(-1.50 AS DECIMAL(10,2))", "-1.50"},
        {"SELECT CAST('2023-02-01 03:04:05.000006' AS DATETIME(6))", "2023-02-01 03:04:05.000006"},
        {"SELECT CAST('-838:59:59.000' AS TIME(3))", "-838:59:59.000"},
        {"SELECT 1.5e300", "1.5e300"},
        {"SELECT TRUE", "1"},
        {"SELECT JSON_OBJECT('a', 1)", "{\"a\": 1}"},
        {"SELECT CHAR_LENGTH(REPEAT('x', 3000000))", "3000000"},
    };
    for (auto const& [statement, reply] : cases)
        BOOST_TEST(server::ask(*connection, statement) == reply);
    BOOST_TEST(server::ask(*connection, SqlPiece("SELECT REPEAT('x', 3000000)")).size() ==
               3'000'000U);
}

BOOST_AUTO_TEST_CASE(cursors_do_not_disturb_each_other) {
    auto const connection = server::open(server::reader());
    auto first = connection->query(SqlPiece("SELECT 1 UNION ALL SELECT 2"));
    BOOST_TEST_REQUIRE(first.has_value());
    BOOST_TEST(first->next());
    auto second = connection->query(SqlPiece("SELECT 3"));
    BOOST_TEST_REQUIRE(second.has_value());
    BOOST_TEST(second->next());
    BOOST_TEST(first->text(0) == "1");
    BOOST_TEST(first->next());
    BOOST_TEST(second->text(0) == "3");
    BOOST_TEST(first->text(0) == "2");
}

BOOST_AUTO_TEST_CASE(a_slow_statement_ends_with_504_and_names_the_limit) {
    db::SessionOptions options;
    options.statement_timeout = 100ms;
    auto const connection = server::open(server::reader(), options);
    auto const rows = connection->query(SqlPiece("SELECT SLEEP(60) FROM files"));
    BOOST_TEST_REQUIRE(rows.has_error());
    BOOST_TEST((rows.error().kind == parser::ErrorKind::timed_out));
    BOOST_TEST(rows.error().message == "The request took longer than statement-timeout (100 ms)");
    BOOST_TEST(connection->is_broken());
}

BOOST_AUTO_TEST_CASE(a_killed_statement_ends_with_503_and_a_killed_connection_with_502) {
    using enum parser::ErrorKind;
    struct {
        SqlPiece what;
        parser::ErrorKind expected;
        std::string_view message;
    } const cases[] = {{"QUERY", unavailable, "Service Unavailable"},
                       {"CONNECTION", connection_lost, "Bad Gateway"}};
    for (auto const& [what, expected, message] : cases) {
        auto const error = killed(what);
        BOOST_TEST((error.kind == expected));
        BOOST_TEST(error.message == message);
    }
}

BOOST_AUTO_TEST_CASE(what_the_tables_lack_is_502_and_only_the_log_learns_why) {
    auto const connection = server::open(server::reader());
    BOOST_TEST(!connection->is_broken());
    auto const rows = connection->query(SqlPiece("SELECT nothing FROM files"));
    BOOST_TEST_REQUIRE(rows.has_error());
    BOOST_TEST((rows.error().kind == parser::ErrorKind::schema_changed));
    BOOST_TEST(rows.error().message == "Bad Gateway");
    BOOST_TEST(rows.error().cause.find("1054") != std::string::npos);
    BOOST_TEST(connection->is_broken());
}

BOOST_AUTO_TEST_CASE(a_session_for_reading_refuses_to_write) {
    SqlPiece const statements[] = {"INSERT INTO up_roles (name) VALUES ('x')",
                                   "UPDATE up_roles SET name = 'x'", "DELETE FROM up_roles",
                                   "CREATE TABLE written (id INT)", "DROP TABLE up_roles"};
    for (auto const& statement : statements) {
        auto const connection = server::open(server::owner());
        auto const done = connection->command(statement);
        BOOST_TEST_REQUIRE(done.has_error());
        BOOST_TEST(done.error().cause.find("1792") != std::string::npos, done.error().cause);
    }
}

BOOST_AUTO_TEST_CASE(a_connection_that_cannot_be_made_is_502_without_the_password) {
    auto wrong_password = server::reader();
    wrong_password.password = "s3cret";
    auto wrong_user = server::reader();
    wrong_user.user = "nobody-we-know";
    wrong_user.password = "s3cret";
    auto wrong_name = server::reader();
    wrong_name.name = "nothing";
    auto wrong_socket = server::reader();
    wrong_socket.socket += ".nothing";
    auto wrong_port = server::reader();
    wrong_port.socket.clear();
    wrong_port.host = "127.0.0.1";
    wrong_port.port = 1;
    for (auto const& url : {wrong_password, wrong_user, wrong_name, wrong_socket, wrong_port}) {
        auto const connection = db::Connection::open(url, {});
        BOOST_TEST_REQUIRE(connection.has_error());
        BOOST_TEST((connection.error().kind == parser::ErrorKind::unreachable));
        BOOST_TEST(connection.error().message == "Bad Gateway");
        BOOST_TEST(connection.error().cause.starts_with("database error "));
        BOOST_TEST(connection.error().cause.find("s3cret") == std::string::npos);
    }
}

// The server's own numbers, as a server in that state sends them.
BOOST_AUTO_TEST_CASE(a_server_that_cannot_serve_now_is_502_and_its_connection_given_up) {
    SqlPiece const states[] = {
        "SIGNAL SQLSTATE '08S01' SET MYSQL_ERRNO = 1047", // Galera without a majority
        "SIGNAL SQLSTATE '08S01' SET MYSQL_ERRNO = 1053", // a shutdown has begun
    };
    for (auto const& state : states) {
        auto const connection = server::open_owner();
        auto const done = connection->command(state);
        BOOST_TEST_REQUIRE(done.has_error());
        BOOST_TEST((done.error().kind == parser::ErrorKind::connection_lost), done.error().cause);
        BOOST_TEST(connection->is_lost());
    }
}

namespace {

sockaddr_un address_of(std::string const& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    return address;
}

int listen_at(std::string const& path) {
    auto const address = address_of(path);
    int const listener = socket(AF_UNIX, SOCK_STREAM, 0);
    BOOST_TEST_REQUIRE(
        bind(listener, reinterpret_cast<sockaddr const*>(&address), sizeof address) == 0);
    BOOST_TEST_REQUIRE(listen(listener, 1) == 0);
    return listener;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_server_that_never_greets_is_given_up) {
    auto url = server::reader();
    url.socket += ".silent";
    int const listener = listen_at(url.socket);
    db::SessionOptions options;
    options.connect_timeout = 1'000ms;
    auto const connection = db::Connection::open(url, options);
    BOOST_TEST_REQUIRE(connection.has_error());
    BOOST_TEST((connection.error().kind == parser::ErrorKind::unreachable));
    close(listener);
    unlink(url.socket.c_str());
}

// systemd gives a service such a socket for its log.
BOOST_AUTO_TEST_CASE(a_connection_is_cut_and_not_what_a_standard_stream_leads_to) {
    auto const path = server::reader().socket + ".journal";
    auto const address = address_of(path);
    int const listener = listen_at(path);
    int const before = dup(STDIN_FILENO);
    int const stream = socket(AF_UNIX, SOCK_STREAM, 0);
    BOOST_TEST_REQUIRE(
        connect(stream, reinterpret_cast<sockaddr const*>(&address), sizeof address) == 0);
    dup2(stream, STDIN_FILENO);
    close(stream);
    int const journal = accept(listener, nullptr, nullptr);
    {
        db::Watchdog watchdog;
        db::Watchdog::Watch watch(&watchdog, server::reader().address());
        BOOST_TEST(watch.open(0, db::Watchdog::Clock::now() + 10s));
        auto const connection = server::open(server::reader());
        watch.opened();
        watch.cut();
        char byte = 0;
        BOOST_TEST(recv(journal, &byte, 1, MSG_DONTWAIT) == -1); // 0: it is at its end
        BOOST_TEST(connection->query(SqlPiece("SELECT 1")).has_error());
    }
    dup2(before, STDIN_FILENO);
    for (int const descriptor : {before, journal, listener})
        close(descriptor);
    unlink(path.c_str());
}

BOOST_AUTO_TEST_CASE(without_tls_on_the_server_an_authority_in_the_url_is_refused) {
    auto url = server::reader();
    url.ssl_ca = server::setting("POPULATE_TEST_CA");
    auto const connection = db::Connection::open(url, {});
    BOOST_TEST_REQUIRE(connection.has_error());
    BOOST_TEST((connection.error().kind == parser::ErrorKind::unreachable));
}

BOOST_AUTO_TEST_SUITE_END()
