#pragma once

#include "parser/base/error.hpp"

#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

// The socket on which FastCGI connections arrive.

namespace fcgi {

// Listening, non-blocking and close-on-exec. Where other processes share the socket they keep it.
class Listener {
  public:
    // `address` is `unix:/path` (mode 0660, group `socket_group` if not empty),
    // `tcp:127.0.0.1:9000`, `fd:0`, or empty: fd 0 if it is a listening socket, else the one
    // systemd passed (LISTEN_FDS), else unix:./populate-fcgi.sock. A unix path where something
    // answers is refused, a dead one replaced, a file that is no socket never touched. An error's
    // message says what stands in the way.
    static parser::Result<Listener> open(std::string_view address, std::string const& socket_group);

    Listener(Listener&& other) noexcept;
    Listener& operator=(Listener&&) = delete;
    ~Listener();

    // Also done by the destructor. Removes the path if this process bound it and it is still ours.
    void close();

    int fd() const { return fd_; }
    // Where it is bound, as `unix:/path` or `tcp:127.0.0.1:9000`, also that of a descriptor.
    std::string const& address() const { return address_; }

  private:
    // Which file a bind made. A path that names another file by now is somebody else's.
    struct BoundPath {
        std::string path;
        dev_t device;
        ino_t inode;
        pid_t process;
    };

    explicit Listener(int fd) : fd_(fd) {}
    static parser::Result<Listener> adopt(int fd);
    static parser::Result<Listener> bind_unix(std::string const& path, std::string const& group);
    static parser::Result<Listener> bind_tcp(std::string const& where);

    int fd_;
    std::string address_;
    std::optional<BoundPath> bound_;
};

} // namespace fcgi
