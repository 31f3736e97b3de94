#include "fcgi/options/readable.hpp"

#include <boost/algorithm/string/replace.hpp>

#include <algorithm>

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./-+=:@").find(c) != std::string_view::npos;
}

// Returns `chmod o+x` of the folders above `path`, from the first that does not let this account
// pass: what is below that one cannot be seen.
std::string letting_pass(fs::path const& path) {
    std::string folders;
    fs::path above;
    auto const parent = path.parent_path();
    for (fs::path const& name : parent) {
        above /= name;
        if (!folders.empty() || ::access(above.c_str(), X_OK) != 0)
            folders += ' ' + shell_word(above.string());
    }
    return folders.empty() ? folders : "chmod o+x" + folders + " && ";
}

std::string name_of_group(gid_t number) {
    auto const* const group = ::getgrgid(number);
    return group ? std::string(group->gr_name) : std::to_string(number);
}

std::string own_name() {
    auto const* const user = ::getpwuid(::geteuid());
    return user ? std::string(user->pw_name) : std::to_string(::geteuid());
}

fs::path from_root(fs::path const& path) {
    std::error_code error;
    return fs::absolute(path, error).lexically_normal();
}

} // namespace

std::string shell_word(std::string_view text) {
    std::string const word(text);
    if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
    return '\'' + boost::replace_all_copy(word, "'", "'\\''") + '\'';
}

std::string own_group() {
    return shell_word(name_of_group(::getegid()));
}

std::string command_to_read_file(fs::path const& file) {
    auto const path = from_root(file);
    auto const word = shell_word(path.string());
    return letting_pass(path) + "chgrp " + own_group() + ' ' + word + " && chmod g+rX " + word;
}

std::string command_to_read_file_of_others(fs::path const& file) {
    struct stat status{};
    auto folders = letting_pass(from_root(file));
    if (::stat(file.c_str(), &status) != 0 && !folders.empty())
        return folders.substr(0, folders.rfind(" && "));
    bool const is_read_by_group = (status.st_mode & S_IRGRP) != 0 && status.st_gid != 0;
    if (!is_read_by_group) return command_to_read_file(file);
    return folders + "usermod -a -G " + name_of_group(status.st_gid) + ' ' + own_name();
}

std::string command_to_read_folder(fs::path const& folder) {
    auto const path = from_root(folder);
    return letting_pass(path) + "chmod -R o+rX " + shell_word(path.string());
}

} // namespace fcgi
