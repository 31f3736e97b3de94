#include "fcgi/log.hpp"

#include <string>

#include <unistd.h>

namespace fcgi {

void log_line(std::string_view text) {
    std::string line = "populate-fcgi: ";
    line.append(text).append("\n");
    // A log that cannot be written is no reason to stop serving.
    [[maybe_unused]] auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

} // namespace fcgi
