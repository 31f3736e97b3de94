#include "server_process.hpp"

#include <array>
#include <chrono>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

using namespace std::chrono_literals;

fastcgi::Parameters needs_no_worker(int number) {
    return fastcgi::get("/_health", {{"HTTP_ORIGIN", std::to_string(number)}});
}

int number_of(fastcgi::Response const& response) {
    return std::stoi("0" + response.header("Access-Control-Allow-Origin"));
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
        auto const time = fastcgi::Client::patience / 1ms;
        if (::poll(&entry, 1, static_cast<int>(time)) != 1 || ::read(entered_, &byte, 1) != 1)
            throw std::runtime_error("a request did not come to the handler");
    }
}

fastcgi::Client ServerProcess::blocked(std::string_view uri) {
    using fastcgi::Client;
    using Clock = std::chrono::steady_clock;
    for (auto const end = Clock::now() + Client::patience; Clock::now() < end;) {
        auto client = connect();
        client.send(fastcgi::request(fastcgi::get(uri)));
        std::array<pollfd, 2> ends{pollfd{entered_, POLLIN, 0}, pollfd{client.socket(), POLLIN, 0}};
        ::poll(ends.data(), ends.size(), static_cast<int>(Client::patience / 1ms));
        if (ends[0].revents == 0) continue;
        wait_for_blocked(1);
        return client;
    }
    throw std::runtime_error("a request did not come to the handler");
}

void ServerProcess::wait_for_arrivals() const {
    auto client = connect();
    client.send(fastcgi::record(fastcgi::get_values, 0, fastcgi::pair("FCGI_MPXS_CONNS", "")));
    auto const response = client.read_record();
    if (!response || response->type != fastcgi::get_values_result)
        throw std::runtime_error("no answer of the thread that reads");
}

void ServerProcess::release(int count) {
    std::string const bytes(static_cast<std::size_t>(count), 'x');
    if (::write(release_, bytes.data(), bytes.size()) != count) throw std::runtime_error("write");
}
