#pragma once

#include "db/schema/schema.hpp"

#include <boost/json/value.hpp>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace db {

// Where in a folder something stands, for messages.
struct Origin {
    std::string file;
    std::size_t line = 0; // 0: the file as a whole
};

// `api::tag.tag.ndjson:17: <message>`
parser::Error import_error(Origin const& place, std::string const& message);

// The entries of one type: a file with a JSON object in each line. Empty lines are skipped.
class ContentFile {
  public:
    ContentFile(std::filesystem::path path, ContentType const& type);

    ContentType const& type() const { return *type_; }
    std::uintmax_t size() const { return size_; } // bytes
    std::uintmax_t read() const { return read_; } // bytes, so far

    // The object of the next line, valid until the next call; nullptr at the end.
    parser::Result<boost::json::object const*> next();
    // Of the line that was read last.
    Origin place() const { return {path_.filename().string(), line_}; }
    // Starts from the first line again.
    void rewind();

  private:
    std::filesystem::path path_;
    ContentType const* type_;
    std::uintmax_t size_ = 0;
    std::uintmax_t read_ = 0;
    std::ifstream stream_;
    std::size_t line_ = 0;
    std::string text_;
    boost::json::value value_;
};

// A folder to import: <uid>.ndjson for each type, files.ndjson for uploaded files, access.json and
// locales.json. Any other file named *.ndjson or *.json is an error, so that no misspelt name is
// passed over in silence.
struct Folder {
    std::vector<std::unique_ptr<ContentFile>> contents; // by name
    std::optional<boost::json::value> access;
    std::optional<boost::json::value> locales;
};

parser::Result<Folder> open_folder(std::filesystem::path const& path, Schema const& schema);

} // namespace db
