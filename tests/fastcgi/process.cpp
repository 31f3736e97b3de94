#include "process.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
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

void become(std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (auto& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
}

Process::Process(std::string const& address) {
    char folder[] = "/tmp/fcgi-test-XXXXXX";
    if (!::mkdtemp(folder)) throw std::runtime_error("mkdtemp");
    folder_ = folder;
    address_ = address.empty() ? "unix:" + folder_ + "/socket" : address;
}

void Process::start(std::vector<std::string> words, ProcessSettings const& settings) {
    process_ = ::fork();
    if (process_ == 0) run(words, settings);
}

// In the child.
void Process::run(std::vector<std::string>& words, ProcessSettings const& settings) const {
    for (int descriptor : settings.inherited)
        ::fcntl(descriptor, F_SETFD, 0);
    int const log =
        ::open((folder_ + "/log").c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0600);
    ::dup2(log, STDERR_FILENO);
    if (settings.stdin_fd >= 0) ::dup2(settings.stdin_fd, STDIN_FILENO);
    if (settings.max_files != 0) {
        rlimit const files{settings.max_files, settings.max_files};
        ::setrlimit(RLIMIT_NOFILE, &files);
    }
    for (auto const& variable : settings.environment) {
        auto const equals = variable.find('=');
        ::setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
    }
    if (sanitized) { // where frames are many times as large
        rlimit stack{};
        ::getrlimit(RLIMIT_STACK, &stack);
        stack.rlim_cur = std::min<rlim_t>(stack.rlim_max, 64 * 1024 * 1024);
        ::setrlimit(RLIMIT_STACK, &stack);
    }
    if (settings.before_start) settings.before_start();
    become(words);
}

void Process::stop() {
    if (process_ < 0) return;
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
    process_ = -1;
}

Process::~Process() {
    stop();
    std::filesystem::remove_all(folder_);
}

fastcgi::Response Process::ask(fastcgi::Parameters const& parameters) const {
    return connect().ask(parameters);
}

void Process::signal(int number) const {
    ::kill(process_, number);
}

std::optional<int> Process::exit_code() {
    eventually([&] {
        int status = 0;
        if (exit_code_ || ::waitpid(process_, &status, WNOHANG) != process_)
            return exit_code_.has_value();
        exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        return true;
    });
    return exit_code_;
}

std::size_t Process::open_files() const {
    auto const folder = "/proc/" + std::to_string(process_) + "/fd";
    std::size_t count = 0;
    for ([[maybe_unused]] auto const& entry : std::filesystem::directory_iterator(folder))
        ++count;
    return count;
}

std::string Process::log() const {
    std::ostringstream text;
    text << std::ifstream(folder_ + "/log").rdbuf();
    auto lines = text.str();
    lines.resize(lines.rfind('\n') + 1);
    return lines;
}
