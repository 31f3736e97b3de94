#include "db/schema/folder.hpp"

#include "db/schema/declaration.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>

namespace db {

namespace {

namespace fs = std::filesystem;

bool is_absence(std::error_code const& error) {
    return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
}

} // namespace

parser::Error unreadable(fs::path const& path, std::error_code const& error) {
    auto refused = schema_error(path.string() + ": " + error.message());
    if (error == std::errc::permission_denied) refused.kind = parser::ErrorKind::not_granted;
    return refused;
}

parser::Result<std::vector<fs::path>> entries_of(fs::path const& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        found.push_back(at->path());
    if (error && !is_absence(error)) return unreadable(folder, error);
    std::ranges::sort(found);
    return found;
}

parser::Result<std::vector<fs::path>> files_below(fs::path const& folder, bool follow_links) {
    std::vector<fs::path> found;
    auto const all = entries_of(folder);
    if (!all) return all.error();
    for (auto const& path : *all) {
        std::error_code error;
        bool const is_link = fs::is_symlink(path, error);
        if (!fs::is_directory(path, error)) {
            found.push_back(path);
        } else if (follow_links || !is_link) {
            auto const below = files_below(path, follow_links && !is_link);
            if (!below) return below;
            found.insert(found.end(), below->begin(), below->end());
        }
    }
    return found;
}

parser::Result<std::string> read_text(fs::path const& path) {
    errno = 0;
    std::ifstream const file(path, std::ios::binary);
    std::ostringstream copy;
    copy << file.rdbuf();
    // An empty file leaves nothing to copy, which sets `fail` but is no error.
    if (!file.is_open() || (copy.fail() && errno != 0))
        return unreadable(path, {errno != 0 ? errno : EIO, std::generic_category()});
    auto text = std::move(copy).str();
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    return text;
}

parser::Result<fs::path> find_source(fs::path const& folder) {
    for (auto const& source : {folder / "src", folder}) {
        std::error_code error;
        if (fs::is_directory(source / "api", error)) return source;
        if (error && !is_absence(error)) return unreadable(source / "api", error);
    }
    auto none =
        schema_error("schema: expected the folder of a Strapi project, with src/api/ in it, not '" +
                     folder.string() + "'");
    none.subject = std::make_shared<parser::Error::Subject const>(
        parser::Error::Subject{.place = "schema", .received = folder.string()});
    return none;
}

} // namespace db
