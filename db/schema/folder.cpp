#include "db/schema/folder.hpp"

#include "db/schema/declaration.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>

namespace db {

namespace {

namespace fs = std::filesystem;

parser::Error unreadable(fs::path const& path, std::error_code const& error) {
    return schema_error(path.string() + ": " + error.message());
}

bool is_absence(std::error_code const& error) {
    return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
}

} // namespace

parser::Result<std::vector<fs::path>> entries(fs::path const& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        found.push_back(at->path());
    if (error && !is_absence(error)) return unreadable(folder, error);
    std::ranges::sort(found);
    return found;
}

parser::Result<std::vector<fs::path>> files_below(fs::path const& folder) {
    std::vector<fs::path> found;
    auto const all = entries(folder);
    if (!all) return all.error();
    for (auto const& path : *all) {
        std::error_code error;
        if (!fs::is_directory(path, error)) {
            found.push_back(path);
            continue;
        }
        auto const below = files_below(path);
        if (!below) return below;
        found.insert(found.end(), below->begin(), below->end());
    }
    return found;
}

parser::Result<std::string> read_text(fs::path const& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad() || errno != 0)
        return unreadable(path, {errno, std::generic_category()});
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    return text;
}

parser::Result<fs::path> find_source(fs::path const& folder) {
    for (auto const& source : {folder / "src", folder}) {
        std::error_code error;
        if (fs::is_directory(source / "api", error)) return source;
        if (error && !is_absence(error)) return unreadable(source / "api", error);
    }
    return schema_error(
        "schema: expected the folder of a Strapi 4 project, with src/api/ in it, not '" +
        folder.string() + "'");
}

} // namespace db
