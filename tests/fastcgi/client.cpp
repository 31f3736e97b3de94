#include "client.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace fastcgi {

namespace {

constexpr std::size_t largest_content = 65'535;

[[noreturn]] void fail(std::string const& what) {
    throw std::runtime_error(what + ": " + std::strerror(errno));
}

unsigned char byte(std::string_view text, std::size_t i) {
    return static_cast<unsigned char>(text[i]);
}

void append_length(std::string& out, std::size_t length) {
    if (length < 128) {
        out += static_cast<char>(length);
        return;
    }
    for (int shift = 24; shift >= 0; shift -= 8)
        out += static_cast<char>((length >> shift & 0xFF) | (shift == 24 ? 0x80 : 0));
}

int try_to_connect(std::string const& address) {
    if (address.starts_with("unix:")) {
        sockaddr_un to{};
        to.sun_family = AF_UNIX;
        address.copy(to.sun_path, sizeof to.sun_path - 1, 5);
        int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) return fd;
        ::close(fd);
        return -1;
    }
    auto colon = address.rfind(':');
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1))));
    ::inet_pton(AF_INET, address.substr(4, colon - 4).c_str(), &to.sin_addr);
    int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) return fd;
    ::close(fd);
    return -1;
}

// Splits what a CGI program prints: header lines, an empty line, the body.
void split_output(std::string const& output, Response& response) {
    auto end = output.find("\r\n\r\n");
    if (end == output.npos) throw std::runtime_error("no end of the headers in: " + output);
    response.body = output.substr(end + 4);
    for (std::size_t at = 0; at < end;) {
        auto line_end = output.find("\r\n", at);
        auto line = output.substr(at, line_end - at);
        auto colon = line.find(": ");
        if (colon == line.npos) throw std::runtime_error("no header line: " + line);
        auto name = line.substr(0, colon);
        if (name == "Status")
            response.status = std::stoi(line.substr(colon + 2));
        else
            response.headers.emplace_back(name, line.substr(colon + 2));
        at = line_end + 2;
    }
}

} // namespace

std::string Response::header(std::string_view name) const {
    for (auto const& [key, value] : headers)
        if (::strcasecmp(key.c_str(), std::string(name).c_str()) == 0) return value;
    return {};
}

Parameters request_of(std::string_view method, std::string_view uri, Parameters const& more) {
    auto path_end = std::min(uri.find('?'), uri.size());
    std::string path(uri.substr(0, path_end));
    std::string query(uri.substr(std::min(path_end + 1, uri.size())));
    Parameters parameters{{"QUERY_STRING", query},
                          {"REQUEST_METHOD", std::string(method)},
                          {"SCRIPT_NAME", path},
                          {"REQUEST_URI", std::string(uri)},
                          {"DOCUMENT_URI", path},
                          {"SERVER_PROTOCOL", "HTTP/1.1"},
                          {"GATEWAY_INTERFACE", "CGI/1.1"},
                          {"HTTP_HOST", "localhost"}};
    parameters.insert(parameters.end(), more.begin(), more.end());
    return parameters;
}

Parameters get(std::string_view uri, Parameters const& more) {
    return request_of("GET", uri, more);
}

std::string record(int type, int id, std::string_view content, std::size_t padding) {
    std::string out{1, static_cast<char>(type)};
    for (auto number : {static_cast<std::size_t>(id), content.size()})
        out.append({static_cast<char>(number >> 8 & 0xFF), static_cast<char>(number & 0xFF)});
    out.append({static_cast<char>(padding), 0}).append(content);
    return out.append(padding, '\0');
}

std::string begin(int id, Keep keep, int role) {
    std::string content(8, '\0');
    content[1] = static_cast<char>(role);
    content[2] = keep == Keep::yes;
    return record(begin_request, id, content);
}

std::string pair(std::string_view name, std::string_view value) {
    std::string out;
    append_length(out, name.size());
    append_length(out, value.size());
    return out.append(name).append(value);
}

std::string pairs(Parameters const& parameters) {
    std::string out;
    for (auto const& [name, value] : parameters)
        out += pair(name, value);
    return out;
}

std::string request(Parameters const& parameters, Keep keep, std::string_view body) {
    auto out = begin(1, keep);
    auto const all = pairs(parameters);
    for (std::size_t at = 0; at < all.size(); at += largest_content)
        out += record(params, 1, std::string_view(all).substr(at, largest_content));
    out += record(params, 1, {});
    if (!body.empty()) out += record(std_in, 1, body);
    return out + record(std_in, 1, {});
}

Client Client::connect(std::string const& address) {
    auto const end = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < end) {
        if (int fd = try_to_connect(address); fd >= 0) {
            timeval time{patience.count(), 0};
            ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
            return Client(fd);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    fail("cannot connect to " + address);
}

Client::Client(Client&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), received_(std::move(other.received_)) {
}

Client& Client::operator=(Client&& other) noexcept {
    std::swap(socket_, other.socket_);
    std::swap(received_, other.received_);
    return *this;
}

Client::~Client() {
    if (socket_ >= 0) ::close(socket_);
}

Response Client::ask(Parameters const& parameters, Keep keep) {
    send(request(parameters, keep));
    return read_response();
}

void Client::send(std::string_view bytes) {
    if (!try_send(bytes)) fail("cannot send");
}

bool Client::try_send(std::string_view bytes) {
    while (!bytes.empty()) {
        auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) return false;
        if (sent < 0) fail("cannot send");
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

void Client::shut_sending() {
    ::shutdown(socket_, SHUT_WR);
}

Response Client::read_response() {
    Response response;
    std::string output;
    bool ended = false;
    while (auto next = read_record()) {
        if (next->type == std_out && next->content.empty()) ended = true;
        if (next->type == std_out) output += next->content;
        if (next->type != end_request) continue;
        response.protocol_status = byte(next->content, 4);
        if (!ended) throw std::runtime_error("END_REQUEST without an end of STDOUT");
        split_output(output, response);
        return response;
    }
    throw std::runtime_error("closed by the server after: " + output.substr(0, 200));
}

std::optional<Record> Client::read_record() {
    if (!fill(8)) {
        if (!received_.empty()) throw std::runtime_error("closed inside a record header");
        return {};
    }
    std::size_t const content = byte(received_, 4) * 256U + byte(received_, 5);
    std::size_t const padding = byte(received_, 6);
    if (!fill(8 + content + padding)) throw std::runtime_error("closed inside a record");
    Record next{byte(received_, 1), byte(received_, 2) * 256 + byte(received_, 3),
                received_.substr(8, content)};
    received_.erase(0, 8 + content + padding);
    return next;
}

bool Client::is_closed_by_server() {
    if (!received_.empty()) return false;
    try {
        return !fill(1);
    } catch (std::runtime_error const&) {
        return false;
    }
}

bool Client::has_arrivals_within(std::chrono::milliseconds time) {
    pollfd entry{socket_, POLLIN, 0};
    return !received_.empty() || ::poll(&entry, 1, static_cast<int>(time.count())) == 1;
}

bool Client::fill(std::size_t bytes) {
    char buffer[64 * 1024];
    while (received_.size() < bytes) {
        pollfd entry{socket_, POLLIN, 0};
        if (::poll(&entry, 1, static_cast<int>(patience / std::chrono::milliseconds(1))) != 1)
            throw std::runtime_error("nothing came from the server in time");
        auto count = ::recv(socket_, buffer, sizeof buffer, 0);
        if (count == 0 || (count < 0 && errno == ECONNRESET)) return false;
        if (count < 0) fail("cannot receive");
        received_.append(buffer, static_cast<std::size_t>(count));
    }
    return true;
}

} // namespace fastcgi
