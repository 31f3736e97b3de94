#include "scripted_server.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace std::string_literals;

namespace packets {

namespace {

std::string sized(std::string_view text) {
    return static_cast<char>(text.size()) + std::string(text);
}

std::string end(bool has_more) {
    return "\xfe\0\0"s + (has_more ? '\x0a' : '\x02') + '\0';
}

std::string column(std::string const& name) {
    return sized("def") + sized("") + sized("") + sized("") + sized(name) + sized("") +
           "\x0c\x2d\0\xff\0\0\0\xfd\0\0\0\0\0"s;
}

} // namespace

// As MariaDB 10.11 has it, without TLS.
std::string greeting() {
    return "\x0a"
           "5.5.5-10.11.19-MariaDB\0"
           "\x07\0\0\0"
           "abcdefgh\0"
           "\xfe\xf7\x2d\x02\0\x2f\0\x15"
           "\0\0\0\0\0\0\0\0\0\0"
           "ijklmnopqrst\0"
           "mysql_native_password\0"s;
}

std::string ok(bool has_more) {
    return "\0\0\0"s + (has_more ? '\x0a' : '\x02') + "\0\0\0"s;
}

std::string error(unsigned code, std::string_view message) {
    return '\xff' + std::string{static_cast<char>(code & 0xff), static_cast<char>(code >> 8)} +
           "#HY000" + std::string(message);
}

Packets table(std::vector<std::string> const& columns, std::vector<Cells> const& rows,
              bool has_more) {
    Packets all{std::string(1, static_cast<char>(columns.size()))};
    std::ranges::transform(columns, std::back_inserter(all), column);
    all.push_back(end(false));
    for (Cells const& cells : rows) {
        auto& row = all.emplace_back();
        for (char const* const cell : cells)
            row += cell ? sized(cell) : "\xfb"s;
    }
    all.push_back(end(has_more));
    return all;
}

} // namespace packets

namespace {

constexpr int tick = 5; // milliseconds

// Returns the payload of the next packet, and its number; empty: there is none.
std::pair<std::string, unsigned char> receive(int client, std::stop_token const& stopped) {
    std::string bytes;
    std::size_t size = 4;
    while (bytes.size() < size) {
        pollfd arrival{client, POLLIN, 0};
        if (stopped.stop_requested()) return {};
        if (::poll(&arrival, 1, tick) == 0) continue;
        std::string more(size - bytes.size(), '\0');
        auto const got = ::recv(client, more.data(), more.size(), 0);
        if (got <= 0) return {};
        bytes.append(more, 0, static_cast<std::size_t>(got));
        if (bytes.size() == 4)
            size += static_cast<unsigned char>(bytes[0]) | static_cast<unsigned char>(bytes[1])
                                                               << 8;
    }
    return {bytes.substr(4), static_cast<unsigned char>(bytes[3])};
}

void send(int client, packets::Packets const& all, unsigned char number) {
    std::string bytes;
    for (std::string const& packet : all) {
        bytes += static_cast<char>(packet.size() & 0xff);
        bytes += static_cast<char>(packet.size() >> 8);
        bytes += '\0';
        bytes += static_cast<char>(number++);
        bytes += packet;
    }
    ::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

} // namespace

Listener::Listener() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::bind(descriptor_, reinterpret_cast<sockaddr const*>(&address), sizeof address) < 0 ||
        ::listen(descriptor_, 10) < 0)
        throw std::runtime_error("no port to listen at");
}

Listener::~Listener() {
    ::close(descriptor_);
}

db::DatabaseUrl Listener::url() const {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    ::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &size);
    db::DatabaseUrl url;
    url.host = "127.0.0.1";
    url.port = ntohs(address.sin_port);
    url.user = "reader";
    return url;
}

ScriptedServer::ScriptedServer(std::vector<Line> script, std::string greeting)
    : script_(std::move(script)), greeting_(std::move(greeting)) {
    thread_ = std::jthread([this](std::stop_token stopped) { run(stopped); });
}

void ScriptedServer::run(std::stop_token const& stopped) const {
    while (!stopped.stop_requested()) {
        pollfd arrival{descriptor_, POLLIN, 0};
        if (::poll(&arrival, 1, tick) != 1) continue;
        int const client = ::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
        serve(client, stopped);
        ::close(client);
    }
}

void ScriptedServer::serve(int client, std::stop_token const& stopped) const {
    send(client, {greeting_}, 0);
    auto [login, number] = receive(client, stopped);
    if (login.empty()) return;
    send(client, {packets::ok()}, ++number);
    for (;;) {
        auto const [command, its_number] = receive(client, stopped);
        if (command.empty()) return;
        send(client, reply(command), its_number + 1U);
    }
}

packets::Packets ScriptedServer::reply(std::string const& command) const {
    constexpr char dump = 0x12;
    std::string_view const statement =
        command[0] == dump ? "COM_BINLOG_DUMP" : std::string_view(command).substr(1);
    auto const line = std::ranges::find_if(
        script_, [&](Line const& one) { return statement.find(one.part) != statement.npos; });
    return line == script_.end() ? packets::Packets{packets::ok()} : line->reply;
}
