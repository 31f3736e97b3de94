#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// Commands for root that let this account read a file. The folders on the way then let everybody
// pass, but still not list them.

namespace fcgi {

// Returns the command for a file that may contain secrets, or a folder of such, without what is
// below it. It lets the group of this account read.
std::string command_to_read_file(std::filesystem::path const& file);
// Does the same for a file of another program. If a group may read it, this account joins that
// group, so others can go on reading. If folders hide the file, the command lets pass through them
// alone: after that the file can be looked at.
std::string command_to_read_file_of_others(std::filesystem::path const& file);
// Returns the command for a folder with all below it, which contains no secrets.
std::string command_to_read_folder(std::filesystem::path const& folder);

// Returns the text as a shell takes it for one word.
std::string shell_word(std::string_view text);

} // namespace fcgi
