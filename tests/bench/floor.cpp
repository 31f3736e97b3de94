#include "fcgi/connections/record.hpp"

#include <mysql.h>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
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

namespace {

struct Request {
    std::vector<std::string> statements;
    std::string answer; // all records of it
};

using Requests = std::unordered_map<std::string, Request>;

[[noreturn]] void fail(std::string const& message) {
    std::cerr << "floor: " << message << '\n';
    std::exit(1);
}

std::string make_answer(std::size_t bytes) {
    std::string const text = "Status: 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n"
                             "Content-Length: " +
                             std::to_string(bytes) + "\r\n\r\n" + std::string(bytes, ' ');
    std::string answer;
    for (std::size_t from = 0; from < text.size(); from += fcgi::max_record_content)
        fcgi::append_record(answer, fcgi::RecordType::output, 1,
                            std::string_view(text).substr(from, fcgi::max_record_content));
    fcgi::append_record(answer, fcgi::RecordType::output, 1, "");
    fcgi::append_end_request(answer, 1, fcgi::EndStatus::complete);
    return answer;
}

Requests read_requests(char const* file) {
    Requests requests;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        auto const space = line.find(' ');
        Request& request = requests[line.substr(space + 1)];
        request.answer = make_answer(std::stoul(line));
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

std::size_t take_length(std::string_view& wire) {
    auto const byte = [&](std::size_t i) {
        return std::size_t{static_cast<unsigned char>(wire[i])};
    };
    bool const is_long = byte(0) & 0x80;
    auto const length =
        is_long ? (byte(0) & 0x7F) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3) : byte(0);
    wire.remove_prefix(is_long ? 4 : 1);
    return length;
}

std::string find_uri(std::string_view parameters) {
    while (!parameters.empty()) {
        auto const name = take_length(parameters);
        auto const value = take_length(parameters);
        if (parameters.substr(0, name) == "REQUEST_URI")
            return std::string(parameters.substr(name, value));
        parameters.remove_prefix(name + value);
    }
    fail("a request without REQUEST_URI");
}

// The next request of a client; nothing when it has gone.
std::optional<std::string> read_uri(int client, std::string& buffer) {
    std::string parameters;
    for (;;) {
        while (buffer.size() >= fcgi::RecordHeader::bytes) {
            auto const header = fcgi::RecordHeader::decode(buffer);
            std::size_t const end = header.bytes + header.content_length + header.padding_length;
            if (buffer.size() < end) break;
            if (header.type == fcgi::RecordType::parameters)
                parameters.append(buffer, header.bytes, header.content_length);
            buffer.erase(0, end);
            if (header.type == fcgi::RecordType::body && header.content_length == 0)
                return find_uri(parameters);
        }
        char chunk[16 * 1024];
        auto const count = ::read(client, chunk, sizeof chunk);
        if (count <= 0) return std::nullopt;
        buffer.append(chunk, static_cast<std::size_t>(count));
    }
}

bool write_all(int client, std::string_view wire) {
    while (!wire.empty()) {
        auto const count = ::write(client, wire.data(), wire.size());
        if (count <= 0) return false;
        wire.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

void serve(int client, Requests const& requests, Pool& pool) {
    std::string buffer;
    while (auto const uri = read_uri(client, buffer)) {
        auto const found = requests.find(*uri);
        if (found == requests.end()) fail("unknown: " + *uri);
        pool.execute(found->second);
        if (!write_all(client, found->second.answer)) break;
    }
    ::close(client);
}

int listen_at(char const* path) {
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    std::strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    ::unlink(path);
    int const socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (::bind(socket, reinterpret_cast<sockaddr const*>(&address), sizeof address) != 0 ||
        ::listen(socket, 1024) != 0)
        fail(path);
    return socket;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 6) fail("FILE SOCKET CONNECTIONS DATABASE-SOCKET DATABASE");
    std::signal(SIGPIPE, SIG_IGN);
    auto const requests = read_requests(argv[1]);
    Pool pool(static_cast<unsigned>(std::stoul(argv[3])), argv[4], argv[5]);
    int const listener = listen_at(argv[2]);
    for (;;) {
        int const client = ::accept(listener, nullptr, nullptr);
        if (client < 0) continue;
        std::thread([client, &requests, &pool] { serve(client, requests, pool); }).detach();
    }
}
