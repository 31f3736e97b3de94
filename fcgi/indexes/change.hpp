#pragma once

#include "fcgi/options/options.hpp"

#include <string>

// Both change one index at a time, without locking its table. Before each they make sure that no
// transaction has been open for seconds, which the change would wait for. They return the exit
// code.

namespace fcgi {

struct ApplyArguments {
    std::string file;
    bool yes = false; // create, not only print
    bool changes_order = false;
    bool strapi_keeps_them = false;
};
// Creates the indexes of a file, all that are missing or none. One with which the CMS's lists
// without a sort begin with other entries is dropped again, unless `changes_order`.
int apply_indexes(ApplyArguments const& arguments, Options const& options);

struct DropArguments {
    std::string file; // empty: all indexes whose names begin with pf_
    bool yes = false;
};
int drop_indexes(DropArguments const& arguments, Options const& options);

} // namespace fcgi
