#include "fcgi/setup/run_program.hpp"

#include <cerrno>
#include <csignal>
#include <iostream>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fcgi {

namespace {

constexpr int interrupts[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

} // namespace

void outlive_interrupts() {
    for (int const signal : interrupts)
        std::signal(signal, SIG_IGN);
}

int run_program(std::vector<std::string> const& words) {
    constexpr int not_found = 127, killed = 128;
    std::vector<char*> arguments;
    for (std::string const& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::cout.flush();
    sigset_t ends;
    sigemptyset(&ends);
    for (int const signal : interrupts)
        sigaddset(&ends, signal);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &ends);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    pid_t child = 0;
    int const error =
        ::posix_spawnp(&child, arguments[0], nullptr, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) return not_found;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return not_found;
    return WIFEXITED(status) ? WEXITSTATUS(status) : killed + WTERMSIG(status);
}

} // namespace fcgi
