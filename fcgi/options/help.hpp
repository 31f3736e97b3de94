#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace fcgi {

// Sets the text of --help: for the program, its commands and examples; for a command, what it alone
// takes. The many options of all commands are in --help-all. Call it before commands are added.
void describe_commands(CLI::App& app);
// Call it after the commands are added: else each of them would have --help-all, too.
void describe_program(CLI::App& app);

} // namespace fcgi
