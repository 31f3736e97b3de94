#include "db/schema/project_folder.hpp"

#include "db/schema/declaration.hpp"
#include "parser/lexer.hpp"

#include <boost/algorithm/hex.hpp>
#include <boost/json.hpp>

#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace db {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

bool is_absence(std::error_code const& error) {
    return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
}

constexpr std::string_view package = "@strapi/strapi";

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

parser::Result<std::string> read_regular(fs::path const& path, std::size_t most) {
    // A pipe that nobody writes to is not waited for.
    int const file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    auto const failed = [&](int error) {
        return unreadable(path, {error, std::generic_category()});
    };
    if (file < 0) return failed(errno);
    using Close = decltype([](int const* open) { ::close(*open); });
    std::unique_ptr<int const, Close> const closed(&file);
    struct stat is{};
    if (::fstat(file, &is) != 0) return failed(errno);
    if (!S_ISREG(is.st_mode)) return schema_error(path.string() + ": expected a regular file");
    if (static_cast<std::size_t>(is.st_size) > most)
        return schema_error(path.string() + ": expected at most " + std::to_string(most) +
                            " bytes");
    std::string text(static_cast<std::size_t>(is.st_size), '\0');
    std::size_t size = 0;
    for (ssize_t read = 0; (read = ::read(file, text.data() + size, text.size() - size)) != 0;) {
        if (read < 0 && errno != EINTR) return failed(errno);
        size += static_cast<std::size_t>(std::max<ssize_t>(read, 0));
    }
    text.resize(size);
    return text;
}

std::string sha256_of(std::string_view bytes) {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(reinterpret_cast<unsigned char const*>(bytes.data()), bytes.size(), digest.data());
    std::string digits;
    boost::algorithm::hex_lower(digest, std::back_inserter(digits));
    return digits;
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

fs::path project_of(fs::path const& source) {
    return source.filename() == "src" ? source.parent_path() : source;
}

parser::Result<json::object> read_object(fs::path const& path) {
    auto text = read_text(path);
    if (!text) return text.error();
    parser::replace_invalid_utf8(*text);
    json::stream_parser parsed;
    json::error_code error;
    std::size_t const end = parsed.write_some(*text, error);
    if (!error && end < text->size()) error = json::error::extra_data;
    if (!error) parsed.finish(error);
    if (error) {
        auto const line = 1 + std::count(text->begin(), text->begin() + std::ptrdiff_t(end), '\n');
        return schema_error(path.string() + ':' + std::to_string(line) + ": expected JSON, found " +
                            error.message());
    }
    auto value = parsed.release();
    if (!value.is_object()) return schema_error(path.string() + ": expected a JSON object");
    return std::move(value.get_object());
}

std::map<std::string, std::string, std::less<>> read_dependencies(fs::path const& source) {
    std::map<std::string, std::string, std::less<>> dependencies;
    // A project of Strapi 3 has package.json beside api/.
    auto package = read_object(source / "package.json");
    if (!package) package = read_object(source / ".." / "package.json");
    auto const* listed = package ? package->if_contains("dependencies") : nullptr;
    if (!listed || !listed->is_object()) return dependencies;
    for (auto const& [name, version] : listed->get_object())
        if (version.is_string()) dependencies.emplace(name, version.get_string());
    return dependencies;
}

// A version as npm takes it (`5.54.0`, `^5`, `~5.1`) begins with the major one, or says nothing.
std::optional<Version> project_version(fs::path const& folder) {
    auto const source = find_source(folder);
    if (!source) return std::nullopt;
    auto const dependencies = read_dependencies(*source);
    auto const found = dependencies.find(package);
    if (found == dependencies.end()) return std::nullopt;
    auto const digit = found->second.find_first_of("0123456789");
    if (digit == found->second.npos) return std::nullopt;
    return version_up_to(std::atoi(found->second.c_str() + digit));
}

namespace {

std::optional<json::value> read_json(fs::path const& file) {
    auto const text = read_text(file);
    if (!text) return std::nullopt;
    boost::system::error_code error;
    auto value = json::parse(*text, error);
    return error ? std::nullopt : std::optional(std::move(value));
}

json::value const* member(json::value const* object, std::string_view name) {
    auto const* members = object ? object->if_object() : nullptr;
    return members ? members->if_contains(name) : nullptr;
}

std::optional<Release> release_of(json::value const* version) {
    auto const* text = version ? version->if_string() : nullptr;
    return text ? read_release(*text) : std::nullopt;
}

std::optional<Release> installed(fs::path const& folder) {
    auto const file = read_json(folder / "node_modules" / package / "package.json");
    return release_of(file ? member(&*file, "version") : nullptr);
}

// npm lists packages by folder since version 2 of the format, and by name before.
std::optional<Release> locked_by_npm(fs::path const& file) {
    auto const lock = read_json(file);
    if (!lock) return std::nullopt;
    auto const* packages = member(&*lock, "packages");
    auto const* found = packages ? member(packages, "node_modules/" + std::string(package))
                                 : member(member(&*lock, "dependencies"), package);
    return release_of(member(found, "version"));
}

// yarn and pnpm write the version after the name, in its line or in one of the next.
//
//     "@strapi/strapi@^5.30.0":       '@strapi/strapi':
//       version "5.30.1"                specifier: ^5.30.0
//                                       version: 5.30.1(react@18.3.1)
std::optional<Release> locked_by_others(fs::path const& file) {
    auto const text = read_text(file);
    if (!text) return std::nullopt;
    constexpr std::size_t most_between = 400;
    for (auto at = text->find(package); at != text->npos; at = text->find(package, at + 1)) {
        char const next = (*text)[std::min(at + package.size(), text->size() - 1)];
        if (next != '@' && next != '\'' && next != '"' && next != ':') continue; // another package
        auto const version = text->find("version", at);
        if (version == text->npos || version - at > most_between) continue;
        auto const digit = text->find_first_of("0123456789\n", version);
        if (digit == text->npos) continue;
        if (auto const release = read_release(std::string_view(*text).substr(digit)))
            return release;
    }
    return std::nullopt;
}

std::optional<Release> asked_for(fs::path const& source) {
    auto const dependencies = read_dependencies(source);
    auto const found = dependencies.find(package);
    if (found == dependencies.end()) return std::nullopt;
    auto const digit = found->second.find_first_of("0123456789");
    return digit == found->second.npos
               ? std::nullopt
               : read_release(std::string_view(found->second).substr(digit));
}

} // namespace

std::optional<ProjectRelease> project_release(fs::path const& folder) {
    auto const source = find_source(folder);
    if (!source) return std::nullopt;
    std::error_code error;
    auto const project = fs::absolute(project_of(*source), error);
    for (fs::path above = project;; above = above.parent_path()) {
        if (auto const release = installed(above))
            return ProjectRelease{*release, (above / "node_modules").string()};
        if (above == above.parent_path()) break;
    }
    constexpr std::pair<char const*, std::optional<Release> (*)(fs::path const&)> locks[] = {
        {"package-lock.json", locked_by_npm},
        {"yarn.lock", locked_by_others},
        {"pnpm-lock.yaml", locked_by_others}};
    for (auto const& [name, read] : locks)
        if (auto const release = read(project / name)) return ProjectRelease{*release, name};
    if (auto const release = asked_for(*source)) return ProjectRelease{*release, "package.json"};
    return std::nullopt;
}

} // namespace db
