#include "db/schema/cms.hpp"

#include <cstdlib>

namespace db {

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
    for (Difference const& difference : cms.differences)
        if (*release < difference.until && difference.apply) difference.apply(cms);
    return cms;
}

} // namespace db
