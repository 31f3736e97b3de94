#include "db/mysql/option_file.hpp"

#include <cerrno>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

namespace db {

OptionFile::OptionFile(std::string_view text)
    : descriptor_(::memfd_create("client-options", MFD_CLOEXEC)) {
    bool const is_written =
        ::write(descriptor_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (is_written && ::access(path().c_str(), R_OK) == 0) return;
    std::system_error const error(errno, std::generic_category(), path());
    ::close(descriptor_);
    throw error;
}

OptionFile::~OptionFile() {
    ::close(descriptor_);
}

std::string OptionFile::path() const {
    return "/proc/self/fd/" + std::to_string(descriptor_);
}

} // namespace db
