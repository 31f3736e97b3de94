#include "fcgi/process/listener.hpp"

#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <grp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace fcgi {

namespace {

constexpr int backlog = 4096; // the kernel lowers it to net.core.somaxconn
constexpr int first_systemd_fd = 3;
constexpr auto default_path = "./populate-fcgi.sock";

parser::Error cannot_listen(std::string message) {
    parser::Error error;
    error.message = std::move(message);
    return error;
}

parser::Error failed(std::string_view what) {
    int const number = errno;
    return cannot_listen(std::string(what) + ": " + std::strerror(number));
}

bool is_listening(int fd) {
    int listening = 0;
    socklen_t size = sizeof listening;
    return ::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) == 0 && listening != 0;
}

std::optional<int> number_in(std::string_view text) {
    int number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0) return {};
    return number;
}

// sd_listen_fds(3): the variables count only in the process they were set for.
bool systemd_passed_a_socket() {
    char const* process = std::getenv("LISTEN_PID");
    char const* count = std::getenv("LISTEN_FDS");
    return process && count && number_in(process) == ::getpid() && number_in(count) > 0;
}

std::string resolved(std::string_view address) {
    if (!address.empty()) return std::string(address);
    if (is_listening(STDIN_FILENO)) return "fd:0";
    if (systemd_passed_a_socket()) return "fd:" + std::to_string(first_systemd_fd);
    return std::string("unix:").append(default_path);
}

// Callers have checked that `path` fits.
sockaddr_un unix_address(std::string const& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
}

sockaddr const* generic(auto const& address) {
    return reinterpret_cast<sockaddr const*>(&address);
}

// Returns the address of a socket as `Listener::open` takes it, whoever bound it.
std::string address_of(int socket) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    auto* const found = reinterpret_cast<sockaddr*>(&address);
    if (::getsockname(socket, found, &size) < 0) return "fd:" + std::to_string(socket);
    if (address.ss_family == AF_UNIX) {
        std::string path(reinterpret_cast<sockaddr_un const&>(address).sun_path,
                         size - offsetof(sockaddr_un, sun_path));
        if (!path.starts_with('\0')) return "unix:" + path.substr(0, path.find('\0'));
        path.front() = '@'; // an abstract name, which has no file
        return "unix:" + path;
    }
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> port{};
    ::getnameinfo(found, size, host.data(), host.size(), port.data(), port.size(),
                  NI_NUMERICHOST | NI_NUMERICSERV);
    std::string const name = host.data();
    return "tcp:" + (address.ss_family == AF_INET6 ? '[' + name + ']' : name) + ':' + port.data();
}

// Removes a dead socket at `path`, or says why the path is not free.
parser::Result<void> make_way(std::string const& path) {
    struct stat file{};
    if (::lstat(path.c_str(), &file) < 0) {
        if (errno == ENOENT) return {};
        return failed("unix:" + path);
    }
    if (!S_ISSOCK(file.st_mode))
        return cannot_listen("unix:" + path + ": there is a file that is not a socket");
    int const probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    auto const address = unix_address(path);
    int const connected = ::connect(probe, generic(address), sizeof address);
    int const why = errno;
    ::close(probe);
    // EAGAIN means that somebody listens there, with a full backlog.
    if (connected == 0 || why == EAGAIN)
        return cannot_listen("unix:" + path + ": another process listens there");
    errno = why;
    if (why != ECONNREFUSED && why != ENOENT) return failed("unix:" + path);
    if (::unlink(path.c_str()) < 0 && errno != ENOENT)
        return failed("unix:" + path + ": cannot replace the socket, on which no process listens");
    return {};
}

// Called before listen(), so nobody connects while the rights are still those of the umask.
parser::Result<void> set_rights(std::string const& path, std::string const& group_name) {
    if (!group_name.empty()) {
        std::vector<char> buffer(64 * 1024);
        group entry{};
        group* found = nullptr;
        ::getgrnam_r(group_name.c_str(), &entry, buffer.data(), buffer.size(), &found);
        if (!found) return cannot_listen("socket-group: there is no group " + group_name);
        if (::chown(path.c_str(), static_cast<uid_t>(-1), found->gr_gid) < 0)
            return failed("unix:" + path + ": cannot give it to the group " + group_name);
    }
    if (::chmod(path.c_str(), 0660) < 0) return failed("unix:" + path);
    return {};
}

namespace ip = boost::asio::ip;
using Address = AllowedHosts::Address;

// Makes a single address a network that contains it alone. Returns other text as it is.
std::string as_network(std::string const& text) {
    boost::system::error_code none;
    auto const address = ip::make_address(text, none);
    if (none) return text;
    return text + (address.is_v4() ? "/32" : "/128");
}

// IPv4 addresses that arrive over an IPv6 socket have the form ::ffff:10.0.0.5.
Address plain(Address const& address) {
    if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
    return ip::make_address_v4(ip::v4_mapped, address.to_v6());
}

std::optional<Address> other_side(int socket) {
    sockaddr_storage side{};
    socklen_t size = sizeof side;
    if (::getpeername(socket, reinterpret_cast<sockaddr*>(&side), &size) < 0) return std::nullopt;
    if (side.ss_family == AF_INET) {
        auto const& as = reinterpret_cast<sockaddr_in const&>(side);
        return ip::address_v4(ntohl(as.sin_addr.s_addr));
    }
    if (side.ss_family != AF_INET6) return std::nullopt;
    auto const& as = reinterpret_cast<sockaddr_in6 const&>(side);
    ip::address_v6::bytes_type bytes;
    std::memcpy(bytes.data(), &as.sin6_addr, bytes.size());
    return ip::address_v6(bytes);
}

} // namespace

parser::Result<Listener> Listener::open(std::string_view requested, std::string const& group) {
    auto address = resolved(requested);
    auto rest = [&](std::string_view scheme) { return address.substr(scheme.size()); };
    auto opened = [&]() -> parser::Result<Listener> {
        if (address.starts_with("unix:")) return bind_unix(rest("unix:"), group);
        if (address.starts_with("tcp:")) return bind_tcp(rest("tcp:"));
        if (auto fd = address.starts_with("fd:") ? number_in(rest("fd:")) : std::nullopt)
            return adopt(*fd);
        return cannot_listen("expected unix:/path, tcp:address:port or fd:number, received \"" +
                             address + '"');
    }();
    if (!opened) return opened;
    opened->address_ = address_of(opened->fd_);
    // TCP connections inherit it: the last piece of a response does not wait for an
    // acknowledgement.
    int const on = 1;
    ::setsockopt(opened->fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return opened;
}

Listener::Listener(Listener&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      address_(std::move(other.address_)),
      bound_(std::exchange(other.bound_, {})) {
}

Listener::~Listener() {
    close();
}

void Listener::close() {
    if (auto const bound = std::exchange(bound_, {})) {
        struct stat file{};
        if (::lstat(bound->path.c_str(), &file) == 0 && file.st_dev == bound->device &&
            file.st_ino == bound->inode)
            ::unlink(bound->path.c_str());
    }
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

parser::Result<Listener> Listener::adopt(int fd) {
    auto const name = "fd:" + std::to_string(fd);
    if (!is_listening(fd)) return cannot_listen(name + ": not a listening socket");
    Listener listener(fd);
    if (::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK) < 0 ||
        ::fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
        return failed(name);
    return listener;
}

parser::Result<Listener> Listener::bind_unix(std::string const& path, std::string const& group) {
    auto const longest = sizeof(sockaddr_un::sun_path) - 1;
    if (path.empty()) return cannot_listen("unix: the path is missing");
    if (path.size() > longest)
        return cannot_listen("unix:" + path + ": the path has " + std::to_string(path.size()) +
                             " bytes, but the system allows only " + std::to_string(longest));
    if (auto free = make_way(path); !free) return free.error();

    Listener listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    auto const address = unix_address(path);
    if (listener.fd_ < 0 || ::bind(listener.fd_, generic(address), sizeof address) < 0)
        return failed("unix:" + path);
    struct stat file{};
    ::lstat(path.c_str(), &file);
    listener.bound_ = BoundPath{path, file.st_dev, file.st_ino};
    if (auto set = set_rights(path, group); !set) return set.error();
    if (::listen(listener.fd_, backlog) < 0) return failed("unix:" + path);
    return listener;
}

// `where` is `address:port`, with an IPv6 address in brackets.
parser::Result<Listener> Listener::bind_tcp(std::string const& where) {
    auto const name = "tcp:" + where;
    auto const colon = where.rfind(':');
    if (colon == where.npos || colon == 0 || colon + 1 == where.size())
        return cannot_listen(name + ": expected tcp:address:port");
    auto host = where.substr(0, colon);
    if (host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);

    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    if (int error = ::getaddrinfo(host.c_str(), where.c_str() + colon + 1, &hints, &found); error)
        return cannot_listen(name + ": " + ::gai_strerror(error));
    std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> const owned(found, &::freeaddrinfo);

    Listener listener(
        ::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, found->ai_protocol));
    if (listener.fd_ < 0) return failed(name);
    int const on = 1;
    ::setsockopt(listener.fd_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(listener.fd_, found->ai_addr, found->ai_addrlen) < 0 ||
        ::listen(listener.fd_, backlog) < 0)
        return failed(name);
    return listener;
}

parser::Result<AllowedHosts> AllowedHosts::read(std::string_view list) {
    std::vector<std::string> names;
    boost::split(names, list, [](char c) { return c == ','; });
    AllowedHosts hosts;
    for (auto& name : names) {
        boost::trim(name);
        boost::system::error_code none_of_4;
        boost::system::error_code none_of_6;
        auto const network = as_network(name);
        auto const of_4 = ip::make_network_v4(network, none_of_4);
        auto const of_6 = ip::make_network_v6(network, none_of_6);
        if (!none_of_4) hosts.networks_4_.push_back(of_4.canonical());
        if (!none_of_6) hosts.networks_6_.push_back(of_6.canonical());
        if (none_of_4 && none_of_6) {
            parser::Error error;
            error.message = "expected addresses or networks separated by commas, such as "
                            "10.0.0.5,10.1.0.0/16, received \"" +
                            name + '"';
            return error;
        }
    }
    return hosts;
}

bool AllowedHosts::has(Address address) const {
    if (networks_4_.empty() && networks_6_.empty()) return true;
    address = plain(address);
    auto const holds = [](auto const& host) {
        return [&host](auto const& network) {
            return decltype(network.canonical())(host, network.prefix_length()).canonical() ==
                   network;
        };
    };
    return address.is_v4() ? std::ranges::any_of(networks_4_, holds(address.to_v4()))
                           : std::ranges::any_of(networks_6_, holds(address.to_v6()));
}

std::optional<std::string> AllowedHosts::refused(int socket) const {
    if (networks_4_.empty() && networks_6_.empty()) return std::nullopt;
    auto const address = other_side(socket);
    if (!address || has(*address)) return std::nullopt;
    return plain(*address).to_string();
}

} // namespace fcgi
