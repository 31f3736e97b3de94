#include "application.hpp"

#include "tests/fastcgi/client.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hammer {

namespace {

std::filesystem::path new_folder() {
    char folder[] = "/tmp/hammer-XXXXXX";
    if (!::mkdtemp(folder)) throw std::runtime_error("mkdtemp");
    return folder;
}

} // namespace

Application::Application(Options const& options, std::string const& database)
    : options_(options), database_(database), folder_(new_folder()) {
    start();
}

Application::~Application() {
    if (process_ > 0) stop();
    std::filesystem::remove_all(folder_);
}

void Application::start() {
    std::vector<std::string> words{options_.program,
                                   "serve",
                                   "--schema=" + options_.schema,
                                   "--database=" + database_,
                                   "--listen=" + address(),
                                   "--metrics-listen=unix:" + (folder_ / "metrics").string()};
    if (options_.cache != "off")
        words.insert(words.end(),
                     {"--cache=" + options_.cache, "--cache-user=" + options_.cache_user,
                      "--cache-password-file=" + options_.cache_password_file});
    words.insert(words.end(), options_.more.begin(), options_.more.end());
    std::vector<char*> arguments;
    for (auto& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    auto const log_file = folder_ / "log";
    process_ = ::fork();
    if (process_ == 0) {
        int const log = ::open(log_file.c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0600);
        ::dup2(log, STDOUT_FILENO); // who waits for the end of ours waits for us alone
        ::dup2(log, STDERR_FILENO);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }
    // Once it answers it takes signals, too.
    fastcgi::Client::connect(address()).ask(fastcgi::get("/_health"));
}

void Application::stop() {
    ::kill(process_, SIGTERM);
    int status = 0;
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (::waitpid(process_, &status, WNOHANG) != process_) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (std::chrono::steady_clock::now() < end) continue;
        ::kill(process_, SIGKILL);
        ::waitpid(process_, &status, 0);
        break;
    }
    process_ = -1;
    if (status != 0) failed_ = true;
}

void Application::reload() {
    std::lock_guard const lock(mutex_);
    ::kill(process_, SIGHUP);
}

void Application::restart() {
    std::lock_guard const lock(mutex_);
    counted_ = count();
    stop();
    start();
}

bool Application::end() {
    std::lock_guard const lock(mutex_);
    counted_ = count();
    stop();
    auto const text = log();
    return !failed_ && text.find("Sanitizer") == text.npos &&
           text.find("runtime error") == text.npos;
}

cache_test::Counts Application::count() try {
    auto counts = counted_;
    if (process_ < 0) return counts;
    for (auto const& [name, count] :
         cache_test::read_metrics("unix:" + (folder_ / "metrics").string()))
        if (name.starts_with("populate_cache_")) counts[name] += count;
    return counts;
} catch (std::exception const&) {
    failed_ = true;
    return counted_;
}

cache_test::Counts Application::counted() {
    std::lock_guard const lock(mutex_);
    return count();
}

std::string Application::log() const {
    std::ostringstream text;
    text << std::ifstream(folder_ / "log").rdbuf();
    return text.str();
}

} // namespace hammer
