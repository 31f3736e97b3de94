#include "responder.hpp"

#include <mysql.h>

#include <condition_variable>
#include <fstream>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

// A FastCGI responder that does no more than has to be done: it sends the statements of a request
// through libmariadb, in a snapshot, drops their rows, and answers a body of the right size.
//
//     floor FILE SOCKET CONNECTIONS DATABASE-SOCKET DATABASE
//
// FILE has, for each request, a line `bytes path?query`, its statements, one a line, and an empty
// line. One thread serves each client; CONNECTIONS is how many database connections they share.
// For a benchmark: trusts its clients, ends on the first error.

using namespace bench;

namespace {

struct Request {
    std::vector<std::string> statements;
    std::string response; // all records of it
};

using Requests = std::unordered_map<std::string, Request>;

std::string make_response(std::size_t bytes) {
    return records_of("Status: 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n"
                      "Content-Length: " +
                      std::to_string(bytes) + "\r\n\r\n" + std::string(bytes, ' '));
}

Requests read_requests(char const* file) {
    Requests requests;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        auto const space = line.find(' ');
        Request& request = requests[line.substr(space + 1)];
        request.response = make_response(std::stoul(line));
        while (std::getline(in, line) && !line.empty())
            request.statements.push_back(line);
    }
    return requests;
}

// The sessions that db::Connection has, too.
constexpr char const* session[] = {
    "SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci, time_zone = '+00:00', "
    "eq_range_index_dive_limit = 1, max_statement_time = 5",
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"};

void run(MYSQL* connection, std::string_view sql) {
    if (mysql_real_query(connection, sql.data(), sql.size()) != 0) fail(mysql_error(connection));
    // Buffered: an error after the first row would be lost otherwise, so this has to be done.
    mysql_free_result(mysql_store_result(connection));
    if (mysql_errno(connection) != 0) fail(mysql_error(connection));
}

class Pool {
  public:
    Pool(unsigned size, char const* socket, char const* database) {
        for (; size > 0; --size) {
            MYSQL* const connection = mysql_init(nullptr);
            if (!mysql_real_connect(connection, nullptr, "populate", "populate", database, 0,
                                    socket, 0))
                fail(mysql_error(connection));
            for (char const* const sql : session)
                run(connection, sql);
            idle_.push_back(connection);
        }
    }

    void execute(Request const& request) {
        MYSQL* const connection = take();
        run(connection, "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
        for (std::string const& sql : request.statements)
            run(connection, sql);
        run(connection, "COMMIT");
        {
            std::lock_guard const lock(mutex_);
            idle_.push_back(connection);
        }
        returned_.notify_one();
    }

  private:
    MYSQL* take() {
        std::unique_lock lock(mutex_);
        returned_.wait(lock, [&] { return !idle_.empty(); });
        MYSQL* const connection = idle_.back();
        idle_.pop_back();
        return connection;
    }

    std::mutex mutex_;
    std::condition_variable returned_;
    std::vector<MYSQL*> idle_;
};

} // namespace

int main(int argc, char** argv) {
    if (argc != 6) fail("FILE SOCKET CONNECTIONS DATABASE-SOCKET DATABASE");
    auto const requests = read_requests(argv[1]);
    Pool pool(static_cast<unsigned>(std::stoul(argv[3])), argv[4], argv[5]);
    serve_at(argv[2], [&](std::string const& uri) -> std::string const& {
        auto const found = requests.find(uri);
        if (found == requests.end()) fail("unknown: " + uri);
        pool.execute(found->second);
        return found->second.response;
    });
}
