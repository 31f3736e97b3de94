#pragma once

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

// Where the options get a value that the command line does not give: each source sets what those
// before it have left open. An empty value sets nothing. Problems are sentences for the operator,
// with the place of the value; those of a secret do not show it.
class OptionSources {
  public:
    explicit OptionSources(CLI::App& app) : app_(app) {}

    std::optional<std::string> take_environment();
    std::optional<std::string> take_file(std::filesystem::path const& path);

    // `populate-fcgi.conf:12: ` or `POPULATE_NAME: `; empty for the command line and a default.
    std::string place_of(std::string const& option) const;
    // Of the environment, POPULATE_… without an option, with the variable that may be meant.
    std::map<std::string, std::string> unknown_variables() const;

  private:
    std::optional<std::string> set(CLI::Option& option, std::string const& value,
                                   std::string const& place);

    CLI::App& app_;
    std::map<std::string, std::string> places_; // by the name of the option
};

// Of commands that read an encrypted archive, beside the options: its key.
inline constexpr char const* archive_key_variable = "POPULATE_ARCHIVE_KEY";

// `POPULATE_MAX_LIMIT` for `max-limit`.
std::string environment_name(std::string const& option);

// What is wrong with a command line that has one; none: nothing.
std::optional<std::string> secret_on_command_line(std::vector<std::string> const& arguments);

// What can be set: the long names of all options but --help and the like.
std::vector<std::string> option_names(CLI::App const& app);
// The value of each as it was written, in whichever source counts; empty: in none.
std::map<std::string, std::string> written_options(CLI::App const& app);

} // namespace fcgi
