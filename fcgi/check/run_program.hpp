#pragma once

#include <string>
#include <vector>

namespace fcgi {

// From now on a signal that would end this process ends only the program that it runs, so that it
// can undo what it has done.
void outlive_interrupts();

// Runs a program, found as the shell finds it, with the same standard streams, and waits for it.
// Returns its exit code; 127 if there is no such program, 128 and more if it was killed.
int run_program(std::vector<std::string> const& words);

// Runs a program likewise, but for its output, which it returns, and its errors, which are dropped.
std::string output_of(std::vector<std::string> const& words);

} // namespace fcgi
