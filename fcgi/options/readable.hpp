#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// Commands for root that let this account read a file. The folders on the way then let everybody
// pass, but still not list them.

namespace fcgi {

// Returns the command for a file that may contain secrets, or for a folder of such files, without
// what is below the folder. It lets the group of this account read.
std::string command_to_read_file(std::filesystem::path const& file);
// Does the same for a file of another program. If a group may read it, this account joins that
// group, so that others can still read it. If folders hide the file, the command only opens these
// folders; after that, call this again.
std::string command_to_read_file_of_others(std::filesystem::path const& file);
// Returns the command for a folder without secrets, with everything below it.
std::string command_to_read_folder(std::filesystem::path const& folder);

// Returns the group of this account, as a word for a shell.
std::string own_group();
// Returns the text quoted so that a shell takes it for one word.
std::string shell_word(std::string_view text);

} // namespace fcgi
