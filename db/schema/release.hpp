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

// Reads `5.30.1`, or `5.30`, which is 5.30.0; what follows the numbers is ignored. Absent if there
// is no minor number.
std::optional<Release> read_release(std::string_view text);

// The release that a project uses, and the file that says so.
struct ProjectRelease {
    Release release;
    std::string file;
};

// Returns the release that npm, yarn or pnpm has installed: that in node_modules of the project or
// of a folder above it, else that in a lock file, else the lowest that package.json accepts. Absent
// if none of them names one.
std::optional<ProjectRelease> project_release(std::filesystem::path const& folder);

} // namespace db
