#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Lines on standard error: `time`, `level`, `message` and further fields, as logfmt or JSON. Any
// thread.
//
// Who reads the log may stop reading or be gone: a line that cannot be written at once is dropped,
// and the next one that can tells how many were.

namespace fcgi {

enum class LogFormat : std::uint8_t { logfmt, json };

// error: requests fail, or somebody has to mend something. warning: they do not, or few; it passes
// by itself, or is somebody else's. info: all else.
enum class LogLevel : std::uint8_t { error, warning, info };

// For the whole process. Lines of a level behind `least` are not written.
void set_log(LogFormat format, LogLevel least);

class LogLine {
  public:
    LogLine(LogLevel level, std::string_view message);

    // Any bytes: what is not UTF-8 becomes U+FFFD, and what is longer than 4,000 bytes is cut.
    LogLine& add(std::string_view name, std::string_view text);
    LogLine& add(std::string_view name, std::uint64_t number);
    LogLine& add_milliseconds(std::string_view name, double time);

    void write();

  private:
    void begin(std::string_view name);
    LogLevel level_;
    std::string text_;
};

// `message` and `rest` are one text. Where there is no memory left, just that is written.
void log_line(LogLevel level, std::string_view message, std::string_view rest = {}) noexcept;

// For what may go wrong many times over: the same message at most once a second, then with the
// field `times` if it was more than once.
void log_repeatable(LogLevel level, std::string_view message);

// What begins a line on standard error where the journal reads it, which takes its priority of that
// (sd-daemon(3)): `<3>`, `<4>` or `<6>`. Elsewhere empty.
std::string_view journal_prefix(LogLevel level);

// Lines that this process could not write.
std::uint64_t dropped_log_lines();

} // namespace fcgi
