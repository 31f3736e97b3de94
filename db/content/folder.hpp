#pragma once

#include "db/content/content_errors.hpp"
#include "db/schema/schema.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace db {

// Reads the entries of one type, one after the other, as JSON objects.
class ContentFile {
  public:
    ContentFile(std::filesystem::path path, ContentType const& type);
    virtual ~ContentFile() = default;

    ContentType const& type() const { return *type_; }
    std::uintmax_t size() const { return size_; } // bytes
    std::uintmax_t read() const { return read_; } // bytes, so far
    // Returns whether reading ended with an error of the system, so that more may be there.
    bool is_cut_off() const { return !stream_.is_open() || stream_.bad(); }

    // Returns the next entry, valid until the next call, or nullptr at the end. An error says what
    // was expected in the line; the next call continues behind it.
    virtual parser::Result<boost::json::object const*> next() = 0;
    // Returns the line in which the last entry begins.
    FilePlace place() const { return {path_.filename().string(), line_}; }
    // Starts again from the first line.
    virtual void rewind();

  protected:
    // Appends the next line, without its end, to `text`. Returns false if there is none. Fails if
    // an entry would be longer than any database accepts; the line is skipped then.
    parser::Result<bool> append_line(std::string& text);
    // Makes append_line() find no more lines.
    void skip_rest();
    // Says that the next line from append_line() is the first one of an entry.
    void begin_entry() { line_ = lines_ + 1; }

  private:
    std::filesystem::path path_;
    ContentType const* type_;
    std::uintmax_t size_ = 0;
    std::uintmax_t read_ = 0;
    std::ifstream stream_;
    std::size_t line_ = 0;
    std::size_t lines_ = 0; // lines read so far
};

// Opens a file of entries. `.ndjson` has an object in each line; empty lines are skipped. `.csv`,
// RFC 4180 in UTF-8, has the names of attributes in its first line. The cell of a text, date or
// time holds just that; any other cell holds JSON, or a text if it is not valid JSON. An empty cell
// is null.
//
// Returns null for any other ending.
std::unique_ptr<ContentFile> open_content(std::filesystem::path const& path,
                                          ContentType const& type);

// Returns the cells of a row of RFC 4180, or nothing if its quotes are wrong.
std::optional<std::vector<std::string>> parse_csv_row(std::string_view text);

// Returns whether a row that begins in the text ends within a quoted cell, and so continues in the
// next line. For a line that begins within such a cell, returns whether it ends outside of one.
bool is_open_csv(std::string_view text);

// Returns what a cell means as the value of the attribute of that name, or of `id`.
parser::Result<boost::json::value> csv_value(ContentType const& type, std::string_view name,
                                             std::string const& cell);

// A folder to import: <uid>.ndjson or <uid>.csv for each type, files.ndjson for uploaded files,
// access.json and locales.json. Any other file with such an ending or such a name is an error, so
// that a misspelt file is never ignored silently. `report` is called for <uid>.removed, which older
// versions read.
struct Folder {
    std::vector<std::unique_ptr<ContentFile>> contents; // sorted by file name
    std::optional<boost::json::value> access;
    std::optional<boost::json::value> locales;
};

parser::Result<Folder> open_folder(std::filesystem::path const& path, Schema const& schema,
                                   ContentErrors& errors,
                                   std::function<void(std::string const&)> const& report);

} // namespace db
