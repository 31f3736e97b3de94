#include "db/import/folder.hpp"

#include "db/schema/folder.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace db {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr char const* known_files =
    "expected access.json, locales.json, *.ndjson, *.csv or *.removed";

ContentType const* type_of(std::string const& name, Schema const& schema) {
    auto const* type = schema.find(name == "files" ? "plugin::upload.file" : name);
    return type && type->kind != ContentType::Kind::component ? type : nullptr;
}

std::optional<json::value> read_json(fs::path const& path, Mistakes& mistakes) {
    Origin const place{path.filename().string()};
    auto const text = read_text(path);
    json::error_code error;
    auto value = text ? json::parse(*text, error) : json::value();
    if (!text) mistakes.add(place, unreadable_file);
    if (error) mistakes.add(place, "expected JSON, found " + error.message());
    if (!text || error) return std::nullopt;
    return value;
}

bool has_file_of(Folder const& folder, ContentType const& type) {
    return std::ranges::any_of(folder.contents,
                               [&](auto const& file) { return &file->type() == &type; });
}

void read_removed(Folder& folder, fs::path const& path, ContentType const& type,
                  Mistakes& mistakes) {
    Origin place{path.filename().string()};
    auto const all = read_text(path);
    if (!all) return mistakes.add(place, unreadable_file);
    std::istringstream lines(*all);
    for (std::string text; std::getline(lines, text);) {
        ++place.line;
        if (text.ends_with('\r')) text.pop_back();
        if (text.empty()) continue;
        Removed removed{&type, 0, place};
        auto const* const end = text.data() + text.size();
        auto const [read, error] = std::from_chars(text.data(), end, removed.id);
        if (error != std::errc() || read != end)
            mistakes.add(place, "expected an id, found " + text);
        else
            folder.removed.push_back(removed);
    }
}

void add_file(Folder& folder, fs::path const& path, Schema const& schema, Mistakes& mistakes) {
    Origin const place{path.filename().string()};
    std::string const name = path.stem().string();
    auto const* type = type_of(name, schema);
    auto const ending = path.extension();
    // A pipe may have no end, and a link would show lines of files outside the folder.
    std::error_code ignored;
    auto const is = fs::symlink_status(path, ignored);
    if (!fs::is_regular_file(is) && !fs::is_directory(is)) {
        if (type || ending == ".json") mistakes.add(place, "expected a regular file, not a link");
        return;
    }
    if (ending == ".json" && name == "access")
        folder.access = read_json(path, mistakes);
    else if (ending == ".json" && name == "locales")
        folder.locales = read_json(path, mistakes);
    else if (ending == ".ndjson" || ending == ".csv" || ending == ".removed") {
        if (!type)
            mistakes.add(place, "expected the UID of a content type as the name");
        else if (ending == ".removed")
            read_removed(folder, path, *type, mistakes);
        else if (has_file_of(folder, *type))
            mistakes.add(place, "expected one file of the type");
        else
            folder.contents.push_back(open_content(path, *type));
    } else if (ending == ".json" || type)
        mistakes.add(place, known_files);
}

} // namespace

parser::Result<Folder> open_folder(fs::path const& path, Schema const& schema, Mistakes& mistakes) {
    std::error_code error;
    std::vector<fs::path> paths;
    for (auto const& entry : fs::directory_iterator(path, error))
        paths.push_back(entry.path());
    if (error)
        return parser::Error{parser::ErrorKind::invalid,
                             path.string() + ": expected a folder that can be read"};
    std::ranges::sort(paths);
    Folder folder;
    for (auto const& file : paths)
        add_file(folder, file, schema, mistakes);
    return folder;
}

} // namespace db
