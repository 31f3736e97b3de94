#pragma once

#include <string>
#include <string_view>

// JavaScript's strings may hold half of a surrogate pair, which UTF-8 can't express but JSON can
// (\ud800). Here such a half is written as UTF-8 would write its number, in three bytes.

namespace fcgi {

// Turns each escape of a lone half in JSON text into three bytes, and each pair into its character.
std::string unescape_surrogates(std::string_view json);

// Makes, from `begin` on, each pair of such halves one character and each lone half an escape
// again, as JSON.stringify prints it.
void escape_surrogates(std::string& out, std::size_t begin);

} // namespace fcgi
