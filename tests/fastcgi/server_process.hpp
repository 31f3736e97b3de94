#pragma once

#include "process.hpp"

#include <string>
#include <string_view>
#include <vector>

struct ServerSettings {
    std::vector<std::string> limits = {}; // "read=200", times in milliseconds, see test_server.cpp
    unsigned max_files = 0;               // 0: as the system has it
    std::string address = {};             // empty: a unix socket in a new folder
    int stdin_fd = -1;                    // what becomes descriptor 0
    bool default_address = false;         // let the server find its socket by itself
    std::vector<std::string> environment = {}; // "NAME=value", added to our own
};

// The test server, whose handler a test controls.
// A request that needs no worker, and the number that its response has of it.
fastcgi::Parameters needs_no_worker(int number);
int number_of(fastcgi::Response const& response);

class ServerProcess : public Process {
  public:
    explicit ServerProcess(ServerSettings const& settings = {});
    ~ServerProcess();

    bool serves() const; // a new client gets its response

    // Waits until `count` requests (or reloads) more have come to the handler's gate.
    void wait_for_blocked(int count);
    // A client whose request has come to the gate. Where a busy machine is later than a short limit
    // of the server's, and the request is refused, it asks again.
    fastcgi::Client blocked(std::string_view uri);
    // Waits until everything that was sent before has been read.
    void wait_for_arrivals() const;
    void release(int count);

  private:
    int entered_ = -1;
    int release_ = -1;
};

// A server, and a client that has not asked it anything.
struct Connected {
    ServerProcess server;
    fastcgi::Client client = server.connect();
};
