#include "fcgi/log.hpp"

#include <iterator>

#include <sys/uio.h>
#include <unistd.h>

namespace fcgi {

void log_line(std::string_view text, std::string_view rest) {
    std::string_view const texts[] = {"populate-fcgi: ", text, rest, "\n"};
    iovec parts[std::size(texts)];
    for (std::size_t i = 0; i < std::size(texts); ++i)
        parts[i] = {const_cast<char*>(texts[i].data()), texts[i].size()};
    // A log that cannot be written is no reason to stop serving.
    [[maybe_unused]] auto written = ::writev(STDERR_FILENO, parts, std::size(parts));
}

} // namespace fcgi
