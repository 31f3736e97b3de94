#include "fcgi/check/run_program.hpp"

#include <cerrno>
#include <csignal>
#include <iostream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fcgi {

namespace {

constexpr int interrupts[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
constexpr int not_found = 127, killed = 128;

// Returns the process, or 0 if there is no such program.
pid_t start(std::vector<std::string> const& words, posix_spawn_file_actions_t const* streams) {
    std::vector<char*> arguments;
    for (std::string const& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
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
        ::posix_spawnp(&child, arguments[0], streams, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    return error == 0 ? child : 0;
}

int wait_for(pid_t child) {
    if (child == 0) return not_found;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return not_found;
    return WIFEXITED(status) ? WEXITSTATUS(status) : killed + WTERMSIG(status);
}

} // namespace

void outlive_interrupts() {
    for (int const signal : interrupts)
        std::signal(signal, SIG_IGN);
}

int run_program(std::vector<std::string> const& words) {
    std::cout.flush();
    return wait_for(start(words, nullptr));
}

std::string output_of(std::vector<std::string> const& words) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return {};
    posix_spawn_file_actions_t streams;
    posix_spawn_file_actions_init(&streams);
    posix_spawn_file_actions_adddup2(&streams, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t const child = start(words, &streams);
    posix_spawn_file_actions_destroy(&streams);
    ::close(ends[1]);
    std::string output;
    char buffer[4096];
    for (ssize_t size; (size = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        output.append(buffer, static_cast<std::size_t>(size));
    ::close(ends[0]);
    wait_for(child);
    return output;
}

} // namespace fcgi
