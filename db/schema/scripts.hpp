#pragma once

#include "db/schema/schema.hpp"

#include <boost/json/value.hpp>

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What the scripts of a project say.

namespace db {

// Returns the words, strings and single characters of a file in JavaScript or TypeScript, without
// comments, white space, semicolons and a leading 'use strict'. A string is written 'in single
// quotes' whatever quotes it had. Regular expressions are not recognised as such.
std::vector<std::string> script_tokens(std::string_view text);

// Reads the tokens of a script from the first to the last. If a take…() does
// not find what it is for, it takes nothing.
class ScriptReader {
  public:
    explicit ScriptReader(std::string_view source);

    bool is_at_end() const { return at_ == tokens_.size(); }
    // The next token; empty at the end.
    std::string_view next() const;
    std::string_view take_next();
    // Takes the tokens of `text`, if they are next.
    bool take(std::string_view text);
    bool take_string();
    // Takes a value that is written out: strings, whole numbers, true, false, null, lists, and
    // objects with each name once. Absent if it is more than data: a spread, a computed or short
    // name, a call, an escape or a substitution in a string; then next() is what could not be
    // taken.
    std::optional<boost::json::value> take_literal() { return take_value(0); }

  private:
    std::optional<boost::json::value> take_value(std::size_t depth);
    std::optional<boost::json::value> take_list(std::size_t depth);
    std::optional<boost::json::value> take_object(std::size_t depth);

    std::vector<std::string> const tokens_;
    std::size_t at_ = 0;
};

// The router of a type, which is the generated one with a configuration:
//
//     createCoreRouter('api::page.page',
//                      { config: { find: { middlewares: ['api::page.populate'] } } })
struct Router {
    std::string uid;
    // The UIDs of the middlewares of `find` and `findOne`, by action.
    std::map<std::string, std::string> middlewares;
};

// Absent if the file is more than that: a read action has a policy, several middlewares or another
// setting. What it says of write actions does not matter here.
std::optional<Router> read_router(std::string_view source);

// What the JavaScript and TypeScript files of a project mean for one type.
struct TypeCode {
    std::vector<std::string> actions; // `find` and `findOne`, if a router file has them
    std::string customised;           // as ContentType::not_served
    // The UIDs of the middlewares of read routes, by action.
    std::map<std::string, std::string> middlewares;
};

// `code` is the folder of the type's API or plugin extension; it may be empty or missing.
//
// A project's code can't be run here, so any file with more than what Strapi generates counts as
// custom code: of the type it is named after, or of all types of the folder if it has another name.
// A middleware belongs to the routes that name it. If only code decides which routes exist, those
// that it does not name do not exist. An error names a file or folder that can't be read.
parser::Result<TypeCode> read_code(std::filesystem::path const& code, ContentType const& type);

// Whether a file holds just the generated line for `uid`, `factory` being createCoreRouter,
// createCoreController or createCoreService. Comments, quotes, white space, semicolons,
// 'use strict', and `as const` or `as any` behind the UID do not matter.
bool is_generated(std::string_view source, std::string_view factory, std::string_view uid);

// Whether a file holds no code at all.
bool is_blank(std::string_view source);

} // namespace db
