#pragma once

#include "parser/base/error.hpp"
#include "parser/query_tree.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

// A site's file of the parameters that take the place of middlewares of its routes:
//
//     {"api::page.page": {"find": {"middleware": "api::page.populate", "sha256": "9f86…",
//                                  "always": {"populate": {"seo": true}}}}}
//
// `always` acts as `ctx.query.populate = …` in the middleware; `default` is for requests that do
// not name the parameter. Values have the form that they have in a middleware.

namespace db {

// The most levels of objects and lists; a populated relation takes two or three.
inline constexpr std::size_t deepest_defaults = 128;

struct ActionDefaults {
    std::string middleware; // its UID
    std::string sha256;     // of its file, in hexadecimal digits
    parser::DefaultParameters parameters;
};

// The keys are UID and action: `api::page.page.find`.
using DefaultsFile = std::map<std::string, ActionDefaults, std::less<>>;

// An error names the file and the member, and what was expected.
parser::Result<DefaultsFile> read_defaults(std::filesystem::path const& path);

// Returns the file of the middleware with this UID: api::page.populate is
// api/page/middlewares/populate.ts below the folder `source` that holds api/, global::populate is
// middlewares/populate.ts there.
parser::Result<std::filesystem::path> find_middleware(std::filesystem::path const& source,
                                                      std::string_view uid);

std::string sha256_of(std::string_view bytes);

// Says why the parameters do not fit the middleware as it is now; empty if they do.
std::string why_outdated(ActionDefaults const& defaults, std::filesystem::path const& source,
                         std::string_view middleware);

} // namespace db
