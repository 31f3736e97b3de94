#pragma once

#include <mutex>
#include <string>
#include <thread>

namespace faults {

// Stands in a database server's place and is none: who comes to log in is asked for the password,
// by the way (a plugin of the client's) that it names. It offers no TLS.
class FalseServer {
  public:
    // It names `way` with its first words, or as another than it named first.
    enum class When { at_once, later };
    // Listens at a port of 127.0.0.1 that nobody else has, or at `path`.
    FalseServer(std::string way, When when, std::string path = {});
    FalseServer(FalseServer const&) = delete;
    ~FalseServer();

    unsigned port() const;
    // All that it was told so far, and what that is without the encryption by its own key.
    std::string told() const;

  private:
    void accept_until_stopped(std::stop_token const& stopped);
    void ask(int client);
    bool send(int client, unsigned char number, std::string const& payload) const;
    std::string receive(int client, unsigned char& number);
    void take(std::string const& payload);

    std::string const way_;
    When const when_;
    std::string const path_; // empty: it has a port
    int listener_;
    mutable std::mutex mutex_;
    std::string told_;
    std::jthread acceptor_;
};

} // namespace faults
