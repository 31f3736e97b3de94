#pragma once

#include "parser/base/error.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

// A socket on which FastCGI or HTTP connections arrive, and who may connect to it.

namespace fcgi {

// A socket that is listening, non-blocking and close-on-exec. Other processes that share the socket
// keep it when this one closes it.
class Listener {
  public:
    // `address` is `unix:/path` (mode 0660, group `socket_group` if not empty),
    // `tcp:127.0.0.1:9000`, `fd:0`, or empty: fd 0 if it is a listening socket, else the one that
    // systemd passed (LISTEN_FDS), else unix:./populate-fcgi.sock. A unix path is refused if
    // something answers there, and a dead socket is replaced, but never a file that is no socket.
    // The message of an error says what stands in the way.
    static parser::Result<Listener> open(std::string_view address, std::string const& socket_group);

    Listener(Listener&& other) noexcept;
    Listener& operator=(Listener&&) = delete;
    ~Listener();

    // Also done by the destructor. Removes the path if we bound it and it is still ours.
    void close();

    int fd() const { return fd_; }
    // Returns where it is bound, `unix:/path` or `tcp:127.0.0.1:9000`, also for a descriptor.
    std::string const& address() const { return address_; }

  private:
    // The file that bind() made. A path that names another file by now is not ours.
    struct BoundPath {
        std::string path;
        dev_t device;
        ino_t inode;
    };

    explicit Listener(int fd) : fd_(fd) {}
    static parser::Result<Listener> adopt(int fd);
    static parser::Result<Listener> bind_unix(std::string const& path, std::string const& group);
    static parser::Result<Listener> bind_tcp(std::string const& where);

    int fd_;
    std::string address_;
    std::optional<BoundPath> bound_;
};

// The addresses that may connect over TCP. FastCGI has no passwords: whoever can connect is taken
// for the web server. php-fpm has the same setting, `listen.allowed_clients`.
class AllowedHosts {
  public:
    using Address = boost::asio::ip::address;

    // Allows every address.
    AllowedHosts() = default;

    // Reads addresses and networks between commas: `10.0.0.5,10.1.0.0/16,fd00::/8`. The message of
    // an error names the entry that is neither.
    static parser::Result<AllowedHosts> read(std::string_view list);

    bool has(Address address) const;
    // Returns the address of the peer if it may not connect. The peer of a unix socket has no
    // address and is never refused: the mode of the socket file decides who can connect.
    std::optional<std::string> refused(int socket) const;

  private:
    std::vector<boost::asio::ip::network_v4> networks_4_;
    std::vector<boost::asio::ip::network_v6> networks_6_;
};

} // namespace fcgi
