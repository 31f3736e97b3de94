#pragma once

#include "fcgi/server/record.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

// FastCGI as the least of responders needs it, which are measured beside ours. They trust their
// clients and end on the first error.

namespace bench {

[[noreturn]] inline void fail(std::string const& message) {
    std::cerr << message << '\n';
    std::exit(1);
}

// All records of a response whose headers and body are `text`.
inline std::string records_of(std::string_view text) {
    std::string response;
    for (std::size_t from = 0; from < text.size(); from += FCGI_MAX_LENGTH)
        fcgi::append_record(response, fcgi::RecordType::output, 1,
                            text.substr(from, FCGI_MAX_LENGTH));
    fcgi::append_record(response, fcgi::RecordType::output, 1, "");
    fcgi::append_end_request(response, 1, fcgi::EndStatus::complete);
    return response;
}

inline std::size_t take_length(std::string_view& wire) {
    auto const byte = [&](std::size_t i) {
        return std::size_t{static_cast<unsigned char>(wire[i])};
    };
    bool const is_long = byte(0) & 0x80;
    auto const length =
        is_long ? (byte(0) & 0x7F) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3) : byte(0);
    wire.remove_prefix(is_long ? 4 : 1);
    return length;
}

inline std::string find_uri(std::string_view parameters) {
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
inline std::optional<std::string> read_uri(int client, std::string& buffer) {
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

inline bool write_all(int client, std::string_view wire) {
    while (!wire.empty()) {
        auto const count = ::write(client, wire.data(), wire.size());
        if (count <= 0) return false;
        wire.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

inline int listen_at(char const* path) {
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    std::strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    ::unlink(path);
    int const socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (::bind(socket, reinterpret_cast<sockaddr const*>(&address), sizeof address) != 0 ||
        ::listen(socket, 1024) != 0)
        fail(path);
    return socket;
}

// `respond(uri)` gives the records of each response, from a thread for each client.
template<class Respond>
[[noreturn]] void serve_at(char const* path, Respond const& respond) {
    std::signal(SIGPIPE, SIG_IGN);
    int const listener = listen_at(path);
    for (;;) {
        int const accepted = ::accept(listener, nullptr, nullptr);
        if (accepted < 0) continue;
        std::thread([accepted, &respond] {
            std::string buffer;
            while (auto const uri = read_uri(accepted, buffer))
                if (!write_all(accepted, respond(*uri))) break;
            ::close(accepted);
        }).detach();
    }
}

} // namespace bench
