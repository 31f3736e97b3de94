#pragma once

#include "db/schema/cms.hpp"

#include <string_view>

namespace fcgi {

// What in a document depends on the version of the CMS, besides what db/schema/cms.hpp has. Texts
// are JSON unless noted; members of objects are added to those that both versions have.
struct Dialect {
    std::string_view about;      // describes the whole document; plain text
    std::string_view parameters; // by name: `#/components/parameters`
    std::string_view schemas;    // by name: `#/components/schemas`
    std::string_view error;      // members of every error
    // The parameter that selects the locale of one entry; plain text.
    std::string_view one_locale;
    // Options of all that is populated, further ones of polymorphic attributes, and of zones.
    std::string_view options;
    std::string_view polymorphic_options;
    bool polymorphic_windows; // these take `start` and `limit`
    std::string_view zone_options;
    // Populated entries may be sorted by attributes of their relations.
    bool populated_sort_leads_on;
};

Dialect const& dialect_of(db::Version version);

} // namespace fcgi
