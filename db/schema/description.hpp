#pragma once

#include "db/schema/schema.hpp"
#include "parser/base/error.hpp"

#include <boost/json/object.hpp>

#include <ctime>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

// What a CMS says of its project: the document that nginx/strapi/describe.js prints, whose README
// explains each member. It is written by another user, so nothing in it is trusted to be more than
// data: a member that is missing, unknown or of another type is an error of the whole.

namespace db {

struct Description {
    Release release;         // of Strapi
    std::timespec written{}; // when the document was
    // Members as in the document. Settings of ours that follow from them: fcgi/options.
    boost::json::object settings;
    std::vector<std::string> handed_over;          // why the CMS has to answer all requests
    boost::json::object content_types, components; // by UID, each in the form of its schema.json
    // By UID and name: `api::page.page`, `findOne`.
    std::map<std::string, std::map<std::string, DescribedAction, std::less<>>, std::less<>> actions;
    std::map<std::string, std::string> files; // path from the project's folder -> digest
};

// Reads a regular file of at most 8 MB. An error names the file, and the member with what was
// expected there.
parser::Result<Description> read_description(std::filesystem::path const& path);

// Returns the described files that differ now from what was described, new and missing ones among
// them; sorted. None that leads out of the project is opened: it counts as changed. One that this
// process may not read has changed if it was written after the description.
std::vector<std::string> changed_files(Description const& description,
                                       std::filesystem::path const& project);

} // namespace db
