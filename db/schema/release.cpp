#include "db/schema/release.hpp"

#include "db/schema/declaration.hpp"
#include "db/schema/folder.hpp"

#include <boost/json.hpp>

#include <charconv>

namespace db {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::string_view package = "@strapi/strapi";

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

std::string Release::text() const {
    return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

std::optional<Release> read_release(std::string_view text) {
    Release release;
    std::uint16_t* const numbers[] = {&release.major, &release.minor, &release.patch};
    std::size_t known = 0;
    for (char const* at = text.data(); known < std::size(numbers); ++at) {
        auto const [end, status] = std::from_chars(at, text.data() + text.size(), *numbers[known]);
        if (status != std::errc()) break;
        ++known;
        at = end;
        if (end == text.data() + text.size() || *end != '.') break;
    }
    return known < 2 ? std::nullopt : std::optional(release);
}

std::optional<ProjectRelease> project_release(fs::path const& folder) {
    auto const source = find_source(folder);
    if (!source) return std::nullopt;
    std::error_code error;
    auto const project =
        fs::absolute(source->filename() == "src" ? source->parent_path() : *source, error);
    for (fs::path above = project;; above = above.parent_path()) {
        if (auto const release = installed(above))
            return ProjectRelease{*release, (above / "node_modules").string()};
        if (above == above.parent_path()) break;
    }
    struct Lock {
        char const* name;
        std::optional<Release> (*read)(fs::path const&);
    };
    for (auto const& [name, read] :
         {Lock{"package-lock.json", locked_by_npm}, Lock{"yarn.lock", locked_by_others},
          Lock{"pnpm-lock.yaml", locked_by_others}})
        if (auto const release = read(project / name)) return ProjectRelease{*release, name};
    if (auto const release = asked_for(*source)) return ProjectRelease{*release, "package.json"};
    return std::nullopt;
}

} // namespace db
