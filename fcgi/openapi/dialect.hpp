#pragma once

#include "db/schema/layout.hpp"

#include <string_view>

namespace fcgi {

// What of a document depends on the version of the CMS, beside what db/schema/cms.hpp
// has. Texts are JSON where it is not said
// otherwise; members of objects join those that both versions have.
struct Dialect {
    std::string_view about;      // the whole of it, plain text
    std::string_view parameters; // by name: `#/components/parameters`
    std::string_view schemas;    // by name: `#/components/schemas`
    std::string_view error;      // members of every error
    // The parameter that says the locale of one entry; plain text.
    std::string_view one_locale;
    // Options of whatever is populated; of what is polymorphic besides; of a zone besides.
    std::string_view options;
    std::string_view polymorphic_options;
    std::string_view zone_options;
    // The order of what is populated may go through relations of it.
    bool populated_sort_leads_on;
};

Dialect const& dialect_of(db::Version version);

} // namespace fcgi
