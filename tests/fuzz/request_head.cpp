#include "fcgi/server/request_head.hpp"
#include "fcgi/http/http.hpp"
#include "fcgi/server/worker.hpp"
#include "tests/fuzz/expect.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

// FastCGI bytes, from the socket to the request that a worker gets.

using fcgi::HeadProgress;
using fcgi::HeadReader;
using fuzz::expect;

namespace {

constexpr std::size_t parameter_limit = 4'096;

std::size_t cut_length(std::string_view& bytes) {
    std::size_t const count = (bytes[0] & 0x80) != 0 ? 4 : 1;
    std::size_t length = 0;
    for (char const byte : bytes.substr(0, count))
        length = length << 8 | static_cast<unsigned char>(byte);
    bytes.remove_prefix(count);
    return length & 0x7FFF'FFFF;
}

// libfcgi keeps parameters as an environment, `NAME=value`, in which the first of a name counts.
std::map<std::string, std::string> environment(std::string_view parameters) {
    std::map<std::string, std::string> values;
    while (!parameters.empty()) {
        auto const name = cut_length(parameters);
        auto const value = cut_length(parameters);
        expect(name + value <= parameters.size(), "pairs are whole");
        std::string entry(parameters.substr(0, name));
        entry.append("=").append(parameters.substr(name, value));
        auto const equals = entry.find('=');
        values.emplace(entry.substr(0, equals), entry.substr(equals + 1));
        parameters.remove_prefix(name + value);
    }
    return values;
}

// Returns whether the head that was read is the one that was sent.
bool is_read(fcgi::RequestHead const& sent, fcgi::RequestHead const& read) {
    return sent.id == read.id && sent.keep_connection == read.keep_connection &&
           std::ranges::all_of(environment(sent.parameters), [&](auto const& entry) {
               return read.value(entry.first.c_str()) == entry.second;
           });
}

// Holds what a reader made of the bytes of a connection.
struct Reading {
    std::vector<fcgi::RequestHead> heads; // `parameters` as they were sent, if byte by byte
    std::string replies;
    HeadProgress progress = HeadProgress::idle;
    std::string refusal;

    bool is_as(Reading const& byte_by_byte) const {
        return std::ranges::equal(byte_by_byte.heads, heads, is_read) &&
               replies == byte_by_byte.replies && progress == byte_by_byte.progress &&
               refusal == byte_by_byte.refusal;
    }
};

// The bytes as they come in pieces of `size`.
Reading read(std::string_view bytes, std::size_t size) {
    Reading reading;
    HeadReader reader(parameter_limit);
    std::pmr::string sent;
    auto const is_over = [&] { return reader.progress() == HeadProgress::over; };
    for (; !bytes.empty() && !is_over(); bytes.remove_prefix(std::min(size, bytes.size()))) {
        auto piece = bytes.substr(0, size);
        while (!piece.empty() && !is_over()) {
            sent = reader.head().parameters;
            auto const taken = reader.take(piece);
            expect(taken > 0 && taken <= piece.size(), "bytes are taken");
            piece.remove_prefix(taken);
            expect(reader.head().parameters.size() <= parameter_limit, "parameters are limited");
            if (reader.progress() != HeadProgress::complete) continue;
            reading.heads.push_back(reader.head());
            reading.heads.back().parameters = sent;
            reader.next();
        }
    }
    reading.replies = reader.take_replies();
    reading.progress = reader.progress();
    if (reader.refusal()) reading.refusal = reader.refusal()->message;
    return reading;
}

// A client's connection, and what a worker does.
class Application {
  public:
    Application() {
        int const made = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets_.data());
        expect(made == 0, "there are sockets");
    }

    // The response to `head`, as records. The worker's request must be what the parameters say.
    std::string response(fcgi::RequestHead const& head) {
        expected_ = environment(head.parameters);
        std::string wire;
        fcgi::append_record(wire, fcgi::RecordType::begin_request, head.id,
                            std::string_view("\0\1\1\0\0\0\0\0", 8));
        if (!head.parameters.empty())
            fcgi::append_record(wire, fcgi::RecordType::parameters, head.id, head.parameters);
        fcgi::append_record(wire, fcgi::RecordType::parameters, head.id, {});
        fcgi::Client connection(sockets_[0], parameter_limit);
        connection.reader.take(wire);
        connection.begin_request(fcgi::Client::Time::clock::now(), std::chrono::seconds(60));
        returned_.reserve(1);
        fcgi::RequestQueue queue({.workers = 1});
        fcgi::Delivery delivery(options_, queue, returned_);
        queue.push(connection);
        queue.close();
        if (delivery.next()) { // or else it had no method
            handle(connection.request, delivery.response());
            delivery.send();
        }
        expect(returned_.take().size() == 1, "the client is given back");
        expect(connection.keep, "the answer is sent and the connection kept");
        std::array<char, 4'096> bytes;
        auto const size = ::read(sockets_[1], bytes.data(), bytes.size());
        expect(size > 0, "there is an answer");
        return {bytes.data(), static_cast<std::size_t>(size)};
    }

  private:
    void handle(fcgi::Request const& request, fcgi::Response& response) {
        expect_value(request.method, "REQUEST_METHOD");
        for (fcgi::RequestHeader const& header : fcgi::request_headers)
            expect_value(request.*header.value, header.parameter);
        expect(fcgi::ask_the_same(request, expected_request()), "the request is what was sent");
        response.status = 204;
    }

    // By the rule of Client::begin_request.
    fcgi::Request expected_request() {
        fcgi::Request request;
        request.method = expected_["REQUEST_METHOD"];
        for (fcgi::RequestHeader const& header : fcgi::request_headers)
            request.*header.value = expected_[header.parameter];
        auto const target = fcgi::split_target(expected_["REQUEST_URI"]);
        std::string& path = expected_["DOCUMENT_URI"];
        if (path.empty()) path = expected_["SCRIPT_NAME"] + expected_["PATH_INFO"];
        bool const has_target = !expected_["REQUEST_URI"].empty();
        request.path = has_target ? target.path : path;
        request.query = has_target ? target.query : expected_["QUERY_STRING"];
        return request;
    }

    void expect_value(std::string_view value, std::string const& name) {
        expect(value == expected_[name], "a worker gets what was sent", name);
    }

    std::array<int, 2> sockets_{};
    std::map<std::string, std::string> expected_;
    fcgi::ServerOptions const options_{.workers = 1};
    fcgi::Epoll const dispatcher_;
    fcgi::ReturnedClients returned_{dispatcher_};
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const bytes(reinterpret_cast<char const*>(data), size);
    static Application application;
    auto const reading = read(bytes, 1);
    for (std::size_t const piece : {std::size_t{1}, std::size_t{7}, bytes.size() + 1})
        expect(read(bytes, piece).is_as(reading), "how bytes arrive does not matter");
    for (auto const& head : reading.heads) {
        bool const has_method = !environment(head.parameters)["REQUEST_METHOD"].empty();
        auto const response = application.response(head);
        expect(response.find(has_method ? "Status: 204" : "Status: 400") != response.npos,
               "it is answered", response);
    }
    return 0;
}
