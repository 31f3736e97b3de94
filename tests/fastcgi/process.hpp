#pragma once

#include "client.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true; // takes address space and stack for itself
#else
inline constexpr bool sanitized = false;
#endif

// True once `condition` is; false if it is not within `Client::patience`.
bool eventually(std::function<bool()> const& condition);

// False for one that has ended, whether or not its parent knows.
bool is_running(pid_t process);

// Goes on as this program; words[0] is its file.
[[noreturn]] void become(std::vector<std::string>& words);

struct ProcessSettings {
    unsigned max_files = 0;                       // 0: as the system has it
    int stdin_fd = -1;                            // what becomes descriptor 0
    std::vector<int> inherited = {};              // descriptors that stay open in it
    std::vector<std::string> environment = {};    // "NAME=value", besides our own
    std::function<void()> before_start = nullptr; // called in it
};

// A program that serves FastCGI, in a process and with a folder of its own. Where a test does not
// end it, it is stopped in the end and has to exit with 0; a sanitizer's complaint in its log fails
// the test in any case.
class Process {
  public:
    Process(Process const&) = delete;
    Process& operator=(Process const&) = delete;
    ~Process();

    std::string const& address() const { return address_; }
    fastcgi::Client connect() const { return fastcgi::Client::connect(address_); }
    // Response to a new connection, which is closed again.
    fastcgi::Response ask(fastcgi::Parameters const& parameters) const;

    void signal(int number) const;
    // 128 + signal if one killed it; empty if it runs on.
    std::optional<int> exit_code();

    pid_t id() const { return process_; }
    std::size_t open_files() const;
    std::string log() const; // its whole lines: the last one may be half written

  protected:
    // `address` empty: a unix socket in the folder.
    explicit Process(std::string const& address = {});
    // words[0] is the program.
    void start(std::vector<std::string> words, ProcessSettings const& settings);
    void stop();
    std::string const& folder() const { return folder_; }

  private:
    void run(std::vector<std::string>& words, ProcessSettings const& settings) const;

    std::string folder_;
    std::string address_;
    pid_t process_ = -1;
    std::optional<int> exit_code_;
};
