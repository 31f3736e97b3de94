#pragma once

#include <string>
#include <vector>

namespace fcgi {

// From now on who wants this process to end ends what it runs alone, and it can take back what it
// has made.
void outlive_interrupts();

// Runs a program that is found as the shell finds it, with the same standard streams, and waits for
// it. Its exit code; 127 if there is no such program, 128 and more if it was killed.
int run_program(std::vector<std::string> const& words);

} // namespace fcgi
