#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace db {

// A release of the CMS.
struct Release {
    std::uint16_t major = 0;
    std::uint16_t minor = 0;
    std::uint16_t patch = 0;
    auto operator<=>(Release const&) const = default;

    std::string text() const; // `5.30.1`
};

// Of `5.30.1` or `5.30`, which is 5.30.0; what follows the numbers is passed over. Absent: there is
// no minor number.
std::optional<Release> read_release(std::string_view text);

// The release that a project uses, and the file that says so.
struct ProjectRelease {
    Release release;
    std::string file;
};

// As npm, yarn or pnpm has installed it: node_modules of the project or of a folder above it, else
// a lock file, else the least that package.json takes. Absent: none of them says it.
std::optional<ProjectRelease> project_release(std::filesystem::path const& folder);

} // namespace db
