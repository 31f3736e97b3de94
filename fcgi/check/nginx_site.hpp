#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fcgi {

// A location of nginx that passes requests to the CMS.
struct CmsLocation {
    std::string name; // as in the file: `location /api/`
    std::string file;
    std::size_t line = 0;
    std::vector<std::size_t> ifs;      // the lines of these in it
    std::vector<std::size_t> rewrites; // likewise
};

// Returns the locations that pass requests to this port, of a configuration as `nginx -T` prints
// it.
std::vector<CmsLocation> cms_locations(std::string_view configuration, std::string_view port);

} // namespace fcgi
