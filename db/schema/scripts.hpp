#pragma once

#include "db/schema/schema.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// What the scripts of a project say.

namespace db {

// Returns the words, strings and single characters of a file in JavaScript or TypeScript, without
// comments, white space, semicolons and a leading 'use strict'. A string is written 'in single
// quotes' whatever quotes it had. Regular expressions are not recognised as such.
std::vector<std::string> script_tokens(std::string_view text);

// Returns the read actions that a type of the project has: `find`, and `findOne` of a collection.
std::vector<std::string> actions_of(ContentType const& type);

// What the JavaScript and TypeScript files of a project mean for one type.
struct TypeCode {
    std::vector<std::string> actions; // `find` and `findOne`, if a router file has them
    std::string customised;           // as ContentType::not_served
};

// `code` is the folder of the type's API or plugin extension; it may be empty or missing.
//
// A project's code can't be run here, so any file with more than what Strapi generates counts as
// custom code: of the type it is named after, or of all types of the folder if it has another name.
// If only code decides which routes exist, those that it does not name do not exist. An error names
// a file or folder that can't be read.
parser::Result<TypeCode> read_code(std::filesystem::path const& code, ContentType const& type);

// Whether a file holds just the generated line for `uid`, `factory` being createCoreRouter,
// createCoreController or createCoreService. Comments, quotes, white space, semicolons,
// 'use strict', and `as const` or `as any` behind the UID do not matter.
bool is_generated(std::string_view source, std::string_view factory, std::string_view uid);

// Whether a file holds no code at all.
bool is_blank(std::string_view source);

} // namespace db
