#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace db {

// The whole of a file, without a byte order mark; nothing if it can't be read.
inline std::optional<std::string> read_text(std::filesystem::path const& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad()) return std::nullopt;
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    return text;
}

} // namespace db
