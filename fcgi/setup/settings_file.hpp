#pragma once

#include "fcgi/options/configuration_file.hpp"
#include "parser/base/error.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace fcgi {

// The text of a configuration file, in which values are set and everything else stays, comments
// too.
class SettingsText {
  public:
    // Of a file that is not there it is empty. An error where it is no regular file, as a link.
    static parser::Result<SettingsText> read(std::filesystem::path const& path);

    // As it was read; empty: it is not set.
    std::string value(std::string_view name) const;
    // On the line that has another value, or below a commented one of that name, or at the end. An
    // error of a value that no line can hold.
    parser::Result<void> set(std::string const& name, std::string const& value);
    void remove(std::string_view name);

    std::string str() const;

  private:
    std::vector<std::string> lines_; // without their ends
    std::vector<Setting> settings_;
};

// A file that is to take the place of another, as a whole or not at all. While it is there nobody
// else can make one. It is written beside that place, follows no link, and goes with this object
// unless it was put in its place.
class Replacement {
  public:
    // Readable for the group, too.
    static parser::Result<Replacement> write(std::filesystem::path const& path,
                                             std::string const& text, gid_t group);
    Replacement(Replacement&& other) noexcept;
    Replacement& operator=(Replacement&&) = delete;
    ~Replacement();

    std::filesystem::path path() const; // where it is until then
    parser::Result<void> put_in_place();

  private:
    Replacement(std::filesystem::path place, int folder)
        : place_(std::move(place)), folder_(folder) {}
    parser::Result<void> fill(std::string const& text, gid_t group);

    std::filesystem::path place_;
    int folder_; // open and locked; -1: it is another's
    bool is_waiting_ = false;
};

} // namespace fcgi
