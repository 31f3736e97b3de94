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

// What a command takes beside the options of the program, without the library that reads it, which
// would be most of what each command takes to compile. Values outlive the reading.
class CommandLine {
  public:
    explicit CommandLine(CLI::App& app) : app_(app) {}

    // Words behind the command: one at least.
    void words(char const* name, std::vector<std::string>& values, char const* help);
    void option(char const* name, std::string& value, char const* help);
    void required(char const* name, std::string& value, char const* help,
                  std::vector<std::string> const& choices = {}); // empty: any text
    void list(char const* name, std::vector<std::string>& values, char const* help);
    void flag(char const* name, bool& value, char const* help);
    // One of the words that have to follow, and what it takes; `chosen` says which it was.
    CommandLine then(char const* name, char const* help, std::string& chosen);

  private:
    CLI::App& app_;
};

// A command of the program. Arguments and options that it alone takes are its own: `declare` adds
// them to its part of the command line, and gives what runs it once they are read.
struct Command {
    std::string_view name;
    std::string_view help;
    Run (*declare)(CommandLine command);
    bool takes_file = true; // needs what the configuration file sets
};

} // namespace fcgi
