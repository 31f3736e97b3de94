#include "server_process.hpp"

#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

fastcgi::Parameters needs_no_worker(int number) {
    return fastcgi::get("/_health", {{"HTTP_ORIGIN", std::to_string(number)}});
}

int number_of(fastcgi::Answer const& answer) {
    return std::stoi("0" + answer.header("Access-Control-Allow-Origin"));
}

ServerProcess::ServerProcess(ServerSettings const& settings) : Process(settings.address) {
    int entered[2];
    int release[2];
    if (::pipe2(entered, O_CLOEXEC) < 0 || ::pipe2(release, O_CLOEXEC) < 0)
        throw std::runtime_error("pipe2");
    entered_ = entered[0];
    release_ = release[1];
    std::vector<std::string> words{TEST_SERVER, settings.default_address ? "" : address(),
                                   std::to_string(entered[1]), std::to_string(release[0])};
    words.insert(words.end(), settings.limits.begin(), settings.limits.end());
    start(words, {.max_files = settings.max_files,
                  .stdin_fd = settings.stdin_fd,
                  .inherited = {entered[1], release[0]},
                  .environment = settings.environment});
    ::close(entered[1]);
    ::close(release[0]);
}

ServerProcess::~ServerProcess() {
    stop(); // a handler at the gate would abort if it found it closed
    ::close(entered_);
    ::close(release_);
}

bool ServerProcess::serves() const {
    return ask(fastcgi::get("/echo")).status == 200;
}

void ServerProcess::wait_for_blocked(int count) {
    for (; count > 0; --count) {
        pollfd entry{entered_, POLLIN, 0};
        char byte;
        auto const time = fastcgi::Client::patience / std::chrono::milliseconds(1);
        if (::poll(&entry, 1, static_cast<int>(time)) != 1 || ::read(entered_, &byte, 1) != 1)
            throw std::runtime_error("a request did not come to the handler");
    }
}

void ServerProcess::release(int count) {
    std::string const bytes(static_cast<std::size_t>(count), 'x');
    if (::write(release_, bytes.data(), bytes.size()) != count) throw std::runtime_error("write");
}
