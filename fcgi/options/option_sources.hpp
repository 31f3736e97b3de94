#pragma once

#include "parser/base/error.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace fcgi {

// Options by name, each as it is written; empty: it is not.
using WrittenOptions = std::map<std::string, std::string>;

// A line of a configuration file:
//
//     line    = [name "=" value] [comment]
//     value   = '"' … '"' | "'" … "'" | text without quotes, without blanks at its ends
//     comment = "#" …, at the start of the line or after a blank
//
// A `#` in text without quotes is an error: as a comment it would cut off a secret silently.
struct Setting {
    std::string name;
    std::string value;
    std::size_t line; // from 1
};

// Returns the settings of a file; setting a name twice is an error. The message of an error begins
// with the path, and the line if it is about one. It shows no value, which may be a secret.
parser::Result<std::vector<Setting>> read_configuration(std::filesystem::path const& path);

// Sets the options that the command line does not: each source sets what those before it have left
// open. An empty value sets nothing. Problems are sentences for the operator that begin with the
// place of the value; those about a secret do not show it.
class OptionSources {
  public:
    explicit OptionSources(CLI::App& app) : app_(app) {}

    std::optional<std::string> take_environment();
    std::optional<std::string> take_file(std::filesystem::path const& path);
    // Adds these to lists that are set.
    std::optional<std::string> take_values(WrittenOptions const& values, std::string const& place);

    // Returns `populate-fcgi.conf:12: ` or `POPULATE_NAME: `; empty: command line or default.
    std::string place_of(std::string const& option) const;
    // Returns variables POPULATE_… without an option, each with the one that may be meant; but none
    // that others set.
    std::map<std::string, std::string> unknown_variables() const;

  private:
    std::optional<std::string> set(CLI::Option& option, std::string const& value,
                                   std::string const& place);
    std::optional<std::string> add(CLI::Option& option, std::string const& value,
                                   std::string const& place);

    CLI::App& app_;
    std::map<std::string, std::string> places_; // by option name
};

// The variable with the key of an encrypted archive, for commands that read one. It is no option.
inline constexpr char const* archive_key_variable = "POPULATE_ARCHIVE_KEY";

// Returns `POPULATE_MAX_LIMIT` for `max-limit`.
std::string environment_name(std::string const& option);

// Returns what is wrong if the command line has a secret, else nothing.
std::optional<std::string> secret_on_command_line(std::vector<std::string> const& arguments);

// Returns what can be set: the long names of all options but --help and the like, and without those
// of settings that have ended.
std::vector<std::string> option_names(CLI::App const& app);
// Returns the value of each as it is written in the source that counts.
WrittenOptions written_options(CLI::App const& app);

} // namespace fcgi
