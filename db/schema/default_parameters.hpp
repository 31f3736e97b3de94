#pragma once

#include "parser/base/error.hpp"
#include "parser/default_parameters.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

// What stands for middlewares of routes that give requests their parameters, as a site says it:
//
//     {"api::page.page": {"find": {"middleware": "api::page.populate", "sha256": "9f86…",
//                                  "always": {"populate": {"seo": true}}}}}
//
// `always`, as `ctx.query.populate = …` in the middleware; `default`, for requests that do not name
// the parameter. Values are in the form that a middleware has them.

namespace db {

// Levels of objects and lists; a populated relation takes two or three.
inline constexpr std::size_t deepest_defaults = 128;

struct ActionDefaults {
    std::string middleware; // its UID
    std::string sha256;     // of its file, in hexadecimal digits
    parser::DefaultParameters parameters;
};

// By UID and action: `api::page.page.find`.
using DefaultsFile = std::map<std::string, ActionDefaults, std::less<>>;

// An error names the file and the member, and what was expected.
parser::Result<DefaultsFile> read_defaults(std::filesystem::path const& path);

// The file of the middleware with this UID: api::page.populate is api/page/middlewares/populate.ts
// below the folder `source` that holds api/, global::populate is middlewares/populate.ts there.
parser::Result<std::filesystem::path> find_middleware(std::filesystem::path const& source,
                                                      std::string_view uid);

std::string sha256_of(std::string_view bytes);

// Why the parameters do not stand for the middleware as it is now; empty: they do.
std::string why_outdated(ActionDefaults const& defaults, std::filesystem::path const& source,
                         std::string_view middleware);

} // namespace db
