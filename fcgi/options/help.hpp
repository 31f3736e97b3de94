#pragma once

#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace fcgi {

// What --help says: of the program its commands, with examples; of a command what it alone takes.
// The options of all commands are many, and --help-all has them. Before the commands are added.
void describe_commands(CLI::App& app);
// After they are: each would have it, too.
void describe_program(CLI::App& app);

} // namespace fcgi
