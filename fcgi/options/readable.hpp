#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// What root types to let this account read what it may not. The folders on the way let everybody
// pass then, who may still not list them.

namespace fcgi {

// A file that may hold secrets, or a folder of such, without what is below it: for the group of
// this account.
std::string command_to_read_file(std::filesystem::path const& file);
// The same of another program's: who reads it by its group goes on to, since this account joins
// that group. Behind folders that let nobody pass only these are named: what is there shows then.
std::string command_to_read_file_of_others(std::filesystem::path const& file);
// A folder with all below it, which holds none.
std::string command_to_read_folder(std::filesystem::path const& folder);

// As a shell takes it for one word.
std::string shell_word(std::string_view text);

} // namespace fcgi
