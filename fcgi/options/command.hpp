#pragma once

#include "parser/base/error.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace fcgi {

struct Options;

// Exit codes of sysexits.h, which service managers know.
enum ExitCode : int {
    exit_ok = 0,
    exit_failed = 1,
    exit_data = 65,          // EX_DATAERR
    exit_database = 69,      // EX_UNAVAILABLE
    exit_cannot_create = 73, // EX_CANTCREAT
    exit_configuration = 78, // EX_CONFIG
};

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

// Adds the commands and the text of --help: for the program, its commands and examples; for a
// command, what it alone takes. The many options of all commands are in --help-all. Reading the
// command line sets `chosen` and `run`; the first command runs if it names none.
void add_commands(CLI::App& app, std::span<Command const> commands, Command const*& chosen,
                  Run& run);

// Prints a sentence on standard error. Control characters, which text from a file or a database may
// contain and which would move a terminal's cursor, become `?`.
void report_sentence(std::string sentence);
// Print what is wrong there and return the exit code; for an error, that of its kind.
int fail(parser::Error const& error);
int fail(std::string const& message, int code);

} // namespace fcgi
