#pragma once

#include "db/schema/layout.hpp"
#include "parser/reading.hpp"

namespace fcgi {

// How parameters are read of a site of this version.
inline parser::Reading const& reading_of(db::Version version) {
    return version == db::Version::strapi4 ? parser::strapi4_reading : parser::strapi5_reading;
}

} // namespace fcgi
