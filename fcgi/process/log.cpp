#include "fcgi/process/log.hpp"

#include "parser/base/javascript.hpp"
#include "parser/lexer.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fcgi {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t longest_text = 4'000;
constexpr std::size_t most_causes = 100;

std::atomic<LogFormat> log_format = LogFormat::logfmt;
std::atomic<LogLevel> least_level = LogLevel::info;
constexpr std::string_view level_names[] = {"error", "warning", "info"};
std::mutex mutex; // held while a line is written
std::atomic<std::uint64_t> dropped = 0;
std::uint64_t dropped_unsaid = 0;

// A pipe that other processes write to as well may be full although it had room a moment ago.
// Opened anew, it can be made non-blocking for this process alone.
int open_log() {
    struct stat status{};
    if (::fstat(STDERR_FILENO, &status) != 0 || !S_ISFIFO(status.st_mode)) return STDERR_FILENO;
    int const fd = ::open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    return fd < 0 ? STDERR_FILENO : fd;
}

// systemd says which file the journal reads; standard error may lead elsewhere since then.
bool is_read_by_journal() {
    char const* const stream = std::getenv("JOURNAL_STREAM");
    struct stat status{};
    return stream && ::fstat(STDERR_FILENO, &status) == 0 &&
           std::to_string(status.st_dev) + ':' + std::to_string(status.st_ino) == stream;
}

bool write_now(std::string_view line) {
    static int const fd = open_log();
    pollfd entry{.fd = fd, .events = POLLOUT, .revents = 0};
    if (::poll(&entry, 1, 0) != 1 || (entry.revents & POLLOUT) == 0) return false;
    return ::write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

// Returns the time as 2026-11-21T21:46:17.123Z.
std::string now() {
    auto const time = std::chrono::system_clock::now().time_since_epoch();
    std::time_t const seconds = std::chrono::floor<std::chrono::seconds>(time).count();
    auto const rest = static_cast<int>((time / 1ms) % 1'000);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::array<char, 40> text;
    auto size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S.", &parts);
    for (int digit : {rest / 100, rest / 10 % 10, rest % 10})
        text[size++] = static_cast<char>('0' + digit);
    return std::string(text.data(), size) + 'Z';
}

// Returns whether logfmt takes the text without quotes.
bool is_plain(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
        return c > ' ' && c != '"' && c != '=' && c != '\\' && c != 0x7F;
    });
}

} // namespace

void set_log(LogFormat format, LogLevel least) {
    log_format = format;
    least_level = least;
}

std::string_view journal_prefix(LogLevel level) {
    static bool const is_journal = is_read_by_journal();
    constexpr std::string_view prefixes[] = {"<3>", "<4>", "<6>"};
    return is_journal ? prefixes[static_cast<std::size_t>(level)] : "";
}

LogLine::LogLine(LogLevel level, std::string_view message) : level_(level) {
    add("time", now()).add("level", level_names[static_cast<std::size_t>(level)]);
    add("message", message);
}

void LogLine::begin(std::string_view name) {
    if (log_format == LogFormat::json)
        text_.append(text_.empty() ? "{\"" : ",\"").append(name).append("\":");
    else
        text_.append(text_.empty() ? "" : " ").append(name).append("=");
}

LogLine& LogLine::add(std::string_view name, std::string_view text) {
    begin(name);
    std::string utf8(text.substr(0, longest_text));
    parser::replace_invalid_utf8(utf8);
    if (log_format == LogFormat::json || !is_plain(utf8))
        parser::append_json_string(text_, utf8);
    else
        text_ += utf8;
    return *this;
}

LogLine& LogLine::add(std::string_view name, std::uint64_t number) {
    begin(name);
    text_ += std::to_string(number);
    return *this;
}

LogLine& LogLine::add_milliseconds(std::string_view name, double time) {
    begin(name);
    std::array<char, 40> digits;
    auto const end =
        std::to_chars(digits.begin(), digits.end(), time, std::chars_format::fixed, 3).ptr;
    text_.append(digits.begin(), end);
    return *this;
}

void LogLine::write() {
    if (level_ > least_level) return;
    std::uint64_t unsaid = 0;
    {
        std::lock_guard const lock(mutex);
        std::string line(journal_prefix(level_));
        line.append(text_).append(log_format == LogFormat::json ? "}\n" : "\n");
        if (!write_now(line)) {
            ++dropped;
            ++dropped_unsaid;
            return;
        }
        unsaid = std::exchange(dropped_unsaid, 0);
    }
    if (unsaid > 0)
        LogLine(LogLevel::warning, "log lines were dropped").add("times", unsaid).write();
}

void log_line(LogLevel level, std::string_view message, std::string_view rest) noexcept try {
    LogLine(level, std::string(message).append(rest)).write();
} catch (std::bad_alloc const&) {
    std::array<char, 256> line;
    auto const size = static_cast<int>(message.size());
    auto const rest_size = static_cast<int>(rest.size());
    bool const json = log_format == LogFormat::json;
    auto const length =
        std::snprintf(line.data(), line.size(),
                      json ? "%s{\"message\":\"%.*s%.*s\"}\n" : "%smessage=\"%.*s%.*s\"\n",
                      journal_prefix(level).data(), std::min(size, 100), message.data(),
                      std::min(rest_size, 100), rest.data());
    write_now({line.data(), static_cast<std::size_t>(length)});
}

void log_repeatable(LogLevel level, std::string_view message) {
    struct Repeated {
        std::chrono::steady_clock::time_point said;
        std::uint64_t unsaid = 0;
    };
    static std::mutex causes_mutex;
    static std::map<std::string, Repeated, std::less<>> causes;
    std::uint64_t times = 0;
    {
        std::lock_guard const lock(causes_mutex);
        auto const time = std::chrono::steady_clock::now();
        auto found = causes.find(message);
        if (found != causes.end() && time - found->second.said < 1s) {
            ++found->second.unsaid;
            return;
        }
        if (found == causes.end()) {
            if (causes.size() >= most_causes) causes.clear();
            found = causes.emplace(message, Repeated{}).first;
        }
        times = std::exchange(found->second.unsaid, 0) + 1;
        found->second.said = time;
    }
    LogLine line(level, message);
    if (times > 1) line.add("times", times);
    line.write();
}

std::uint64_t dropped_log_lines() {
    return dropped;
}

} // namespace fcgi
