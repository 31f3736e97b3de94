#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Writes lines to standard error: `time`, `level`, `message` and further fields, as logfmt or JSON.
// Any thread may do so.
//
// The reader of the log may stop reading or be gone. A line that cannot be written at once is
// dropped; after the next line that can be written, another one reports how many were dropped.

namespace fcgi {

enum class LogFormat : std::uint8_t { logfmt, json };

// error: requests fail, or somebody has to fix something. warning: no or few requests fail, and it
// passes by itself or somebody else has to fix it. info: everything else.
enum class LogLevel : std::uint8_t { error, warning, info };

// Applies to the whole process. Lines of a level below `least` are not written.
void set_log(LogFormat format, LogLevel least);

class LogLine {
  public:
    LogLine(LogLevel level, std::string_view message);

    // Takes any bytes: what is not UTF-8 becomes U+FFFD, and text is cut after 4,000 bytes.
    LogLine& add(std::string_view name, std::string_view text);
    LogLine& add(std::string_view name, std::uint64_t number);
    LogLine& add_milliseconds(std::string_view name, double time);

    void write();

  private:
    void begin(std::string_view name);
    LogLevel level_;
    std::string text_;
};

// Writes `message` and `rest` as one text; if no memory is left, without the other fields.
void log_line(LogLevel level, std::string_view message, std::string_view rest = {}) noexcept;

// Logs an error that may occur many times: the same message at most once a second, with the field
// `times` if it stands for more than one.
void log_repeatable(LogLevel level, std::string_view message);

// Returns the prefix that tells the journal the priority of a line on standard error
// (sd-daemon(3)): `<3>`, `<4>` or `<6>`. It is empty if the journal does not read standard error.
std::string_view journal_prefix(LogLevel level);

// Returns the number of lines that this process could not write.
std::uint64_t dropped_log_lines();

} // namespace fcgi
