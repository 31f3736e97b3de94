#pragma once

#include "db/import/mistakes.hpp"
#include "db/schema/schema.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace db {

// The entries of one type, one after the other, as objects of JSON.
class ContentFile {
  public:
    ContentFile(std::filesystem::path path, ContentType const& type);
    virtual ~ContentFile() = default;

    ContentType const& type() const { return *type_; }
    std::uintmax_t size() const { return size_; } // bytes
    std::uintmax_t read() const { return read_; } // bytes, so far
    // Whether the end is one that the system made: more of it may be there.
    bool is_cut_off() const { return !stream_.is_open() || stream_.bad(); }

    // The next entry, valid until the next call; nullptr at the end. An error says what was
    // expected in the line; the next call goes on behind it.
    virtual parser::Result<boost::json::object const*> next() = 0;
    // Of the line in which the last entry begins.
    Origin place() const { return {path_.filename().string(), line_}; }
    // Starts from the first line again.
    virtual void rewind();

  protected:
    // The next line without its end, after `text`; false: there is none. An error where an entry
    // would be longer than any database takes; the line is skipped then.
    parser::Result<bool> append_line(std::string& text);
    // There are no more lines then.
    void skip_rest();
    // The next line that append_line() gives is the first of an entry.
    void begin_entry() { line_ = lines_ + 1; }

  private:
    std::filesystem::path path_;
    ContentType const* type_;
    std::uintmax_t size_ = 0;
    std::uintmax_t read_ = 0;
    std::ifstream stream_;
    std::size_t line_ = 0;
    std::size_t lines_ = 0; // read
};

// `.ndjson` has an object in each line, empty lines are skipped. `.csv`, RFC 4180 in UTF-8, has
// names of attributes in its first line. A cell of a text, date or time has that; any other has
// JSON, and what is none is a text. An empty cell is null.
//
// Null for any other ending.
std::unique_ptr<ContentFile> open_content(std::filesystem::path const& path,
                                          ContentType const& type);

} // namespace db
