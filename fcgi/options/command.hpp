#pragma once

#include <functional>
#include <string_view>

namespace CLI {
class App;
} // namespace CLI

namespace fcgi {

struct Options;

// Runs a command with the options of the program; returns its exit code.
using Run = std::function<int(Options const&)>;

// A command of the program. Arguments and options that it alone takes are its own: `declare` adds
// them to its part of the command line, and gives what runs it once they are read.
struct Command {
    std::string_view name;
    std::string_view help;
    Run (*declare)(CLI::App& command);
    bool takes_file = true; // needs what the configuration file sets
};

} // namespace fcgi
