#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace fcgi {

struct Options;

// Runs a command with the options of the program; returns its exit code.
using Run = std::function<int(Options const&)>;

// Declares what a command takes besides the program's options. It hides CLI11, which would be most
// of what each command takes to compile. Values must outlive the reading.
class CommandLine {
  public:
    explicit CommandLine(CLI::App& app) : app_(app) {}

    // Reads the words after the command. There must be at least one.
    void words(char const* name, std::vector<std::string>& values, char const* help);
    void option(char const* name, std::string& value, char const* help);
    void required(char const* name, std::string& value, char const* help,
                  std::vector<std::string> const& choices = {}); // empty: any text
    void list(char const* name, std::vector<std::string>& values, char const* help);
    void flag(char const* name, bool& value, char const* help);
    // Adds one of the words that must follow, and returns its arguments. Sets `chosen` to its name.
    CommandLine then(char const* name, char const* help, std::string& chosen);

  private:
    CLI::App& app_;
};

// A command of the program. `declare` adds the arguments and options that this command alone takes
// to its part of the command line, and returns what runs it once they are read.
struct Command {
    std::string_view name;
    std::string_view help;
    Run (*declare)(CommandLine command);
    bool takes_file = true; // needs what the configuration file sets
};

} // namespace fcgi
