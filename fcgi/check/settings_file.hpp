#pragma once

#include "fcgi/options/option_sources.hpp"
#include "parser/base/error.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace fcgi {

// The text of a configuration file, in which values are set while everything else stays, comments
// too.
class SettingsText {
  public:
    // Returns an empty text if there is no file. Fails if it is not a regular file, or is a link.
    static parser::Result<SettingsText> read(std::filesystem::path const& path);

    // Returns the value as it was read; empty if it is not set.
    std::string value(std::string_view name) const;
    // Writes the value into the line that has another one, or below a comment with that name, or at
    // the end. Fails if no line can hold the value.
    parser::Result<void> set(std::string const& name, std::string const& value);
    void remove(std::string_view name);

    std::string str() const;

  private:
    std::vector<std::string> lines_; // without their ends
    std::vector<Setting> settings_;
};

// A file that is to replace another as a whole or not at all. While it exists nobody else can make
// one. It is written beside that place, follows no link, and is removed with this object unless it
// was put in its place.
class StagedFile {
  public:
    // The group may read the file, too.
    static parser::Result<StagedFile> write(std::filesystem::path const& path,
                                            std::string const& text, gid_t group);
    StagedFile(StagedFile&& other) noexcept;
    StagedFile& operator=(StagedFile&&) = delete;
    ~StagedFile();

    std::filesystem::path path() const; // where the file is until then
    parser::Result<void> put_in_place();

  private:
    StagedFile(std::filesystem::path place, int folder)
        : place_(std::move(place)), folder_(folder) {}
    parser::Result<void> fill(std::string const& text, gid_t group);

    std::filesystem::path place_;
    int folder_; // open and locked; -1: moved to another object
    bool is_waiting_ = false;
};

} // namespace fcgi
