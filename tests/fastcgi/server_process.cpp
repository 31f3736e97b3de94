#include "server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

bool eventually(std::function<bool()> const& condition) {
    auto const end = std::chrono::steady_clock::now() + fastcgi::Client::patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

bool is_running(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string number, name, state;
    return file >> number >> name >> state && state != "Z";
}

ServerProcess::ServerProcess(ServerSettings const& settings) {
    char folder[] = "/tmp/fcgi-test-XXXXXX";
    if (!::mkdtemp(folder)) throw std::runtime_error("mkdtemp");
    folder_ = folder;
    address_ = settings.address.empty() ? "unix:" + folder_ + "/socket" : settings.address;
    int entered[2];
    int release[2];
    if (::pipe2(entered, O_CLOEXEC) < 0 || ::pipe2(release, O_CLOEXEC) < 0)
        throw std::runtime_error("pipe2");
    entered_ = entered[0];
    release_ = release[1];
    process_ = ::fork();
    if (process_ == 0) run(settings, entered[1], release[0]);
    ::close(entered[1]);
    ::close(release[0]);
}

// In the child.
void ServerProcess::run(ServerSettings const& settings, int entered, int release) const {
    ::fcntl(entered, F_SETFD, 0);
    ::fcntl(release, F_SETFD, 0);
    int const log =
        ::open((folder_ + "/log").c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0600);
    ::dup2(log, STDERR_FILENO);
    if (settings.stdin_fd >= 0) ::dup2(settings.stdin_fd, STDIN_FILENO);
    for (auto const& variable : settings.environment)
        ::putenv(const_cast<char*>(variable.c_str()));
    if (settings.max_files != 0) {
        rlimit const files{settings.max_files, settings.max_files};
        ::setrlimit(RLIMIT_NOFILE, &files);
    }
    std::vector<std::string> words{TEST_SERVER, settings.default_address ? "" : address_,
                                   std::to_string(entered), std::to_string(release)};
    words.insert(words.end(), settings.limits.begin(), settings.limits.end());
    std::vector<char*> arguments;
    for (auto& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(TEST_SERVER, arguments.data());
    ::_exit(127);
}

ServerProcess::~ServerProcess() {
    if (!exit_code_) {
        signal(SIGTERM);
        BOOST_TEST(exit_code().value_or(-1) == 0, "the server ends with 0\n" << log());
    }
    if (!exit_code_) {
        signal(SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    for (auto complaint : {"Sanitizer", "runtime error"})
        BOOST_TEST(log().find(complaint) == std::string::npos, log());
    ::close(entered_);
    ::close(release_);
    std::filesystem::remove_all(folder_);
}

fastcgi::Answer ServerProcess::ask(fastcgi::Parameters const& parameters) const {
    return connect().ask(parameters);
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

void ServerProcess::signal(int number) const {
    ::kill(process_, number);
}

std::optional<int> ServerProcess::exit_code() {
    eventually([&] {
        int status = 0;
        if (exit_code_ || ::waitpid(process_, &status, WNOHANG) != process_)
            return exit_code_.has_value();
        exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        return true;
    });
    return exit_code_;
}

std::vector<pid_t> ServerProcess::children() const {
    auto const process = std::to_string(process_);
    std::ifstream list("/proc/" + process + "/task/" + process + "/children");
    std::vector<pid_t> found;
    for (pid_t child; list >> child;)
        if (is_running(child)) found.push_back(child);
    return found;
}

std::size_t ServerProcess::open_files() const {
    auto const folder = "/proc/" + std::to_string(process_) + "/fd";
    std::size_t count = 0;
    for ([[maybe_unused]] auto const& entry : std::filesystem::directory_iterator(folder))
        ++count;
    return count;
}

std::string ServerProcess::log() const {
    std::ostringstream text;
    text << std::ifstream(folder_ + "/log").rdbuf();
    return text.str();
}
