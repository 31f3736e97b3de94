#pragma once

#include "client.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

// True once `condition` is; false if it is not within `Client::patience`.
bool eventually(std::function<bool()> const& condition);

// False for one that has ended, whether or not its parent knows.
bool is_running(pid_t process);

struct ServerSettings {
    std::vector<std::string> limits = {}; // "read=200", times in milliseconds, see test_server.cpp
    unsigned max_files = 0;               // 0: as the system has it
    std::string address = {};             // empty: a unix socket in a new folder
    int stdin_fd = -1;                    // what becomes descriptor 0
    bool default_address = false;         // let the server find its socket by itself
    std::vector<std::string> environment = {}; // "NAME=value", added to our own
};

// The test server in a process of its own. Where a test does not end it, it is stopped in the end
// and has to exit with 0; a sanitizer's complaint in its log fails the test in any case.
class ServerProcess {
  public:
    explicit ServerProcess(ServerSettings const& settings = {});
    ServerProcess(ServerProcess const&) = delete;
    ServerProcess& operator=(ServerProcess const&) = delete;
    ~ServerProcess();

    std::string const& address() const { return address_; }
    fastcgi::Client connect() const { return fastcgi::Client::connect(address_); }
    // Answer of a new connection, which is closed again.
    fastcgi::Answer ask(fastcgi::Parameters const& parameters) const;
    bool serves() const; // a new client gets its answer

    // Waits until `count` requests (or reloads) more have come to the handler's gate.
    void wait_for_blocked(int count);
    void release(int count);

    void signal(int number) const;
    std::vector<pid_t> children() const; // those that run
    // 128 + signal if one killed it; empty if it runs on.
    std::optional<int> exit_code();

    std::size_t open_files() const;
    std::string log() const;

  private:
    void run(ServerSettings const& settings, int entered, int release) const;

    std::string folder_;
    std::string address_;
    pid_t process_ = -1;
    std::optional<int> exit_code_;
    int entered_ = -1;
    int release_ = -1;
};
