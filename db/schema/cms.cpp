#include "db/schema/cms.hpp"

#include <charconv>
#include <cstdlib>
#include <iterator>

namespace db {

std::string Release::text() const {
    return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

std::optional<Release> read_release(std::string_view text) {
    Release release;
    std::uint16_t* const numbers[] = {&release.major, &release.minor, &release.patch};
    std::size_t known = 0;
    for (char const* at = text.data(); known < std::size(numbers); ++at) {
        auto const [end, status] = std::from_chars(at, text.data() + text.size(), *numbers[known]);
        if (status != std::errc()) break;
        ++known;
        at = end;
        if (end == text.data() + text.size() || *end != '.') break;
    }
    return known < 2 ? std::nullopt : std::optional(release);
}

// A version that is left out does not compile.
Cms const& cms_of(Version version) {
    switch (version) {
    case Version::strapi4:
        return strapi4;
    case Version::strapi5:
        return strapi5;
    }
    std::abort();
}

Cms cms_at(Version version, std::optional<Release> const& release) {
    Cms cms = cms_of(version);
    if (!release || release->major != cms.newest.major) return cms;
    for (ReleaseDifference const& difference : cms.differences)
        if (*release < difference.until && difference.apply) difference.apply(cms);
    return cms;
}

} // namespace db
