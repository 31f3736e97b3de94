#include "db/content/folder.hpp"

#include "db/schema/project_folder.hpp"

#include <boost/json.hpp>

#include <algorithm>

namespace db {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr char const* known_files = "expected access.json, locales.json, *.ndjson or *.csv";

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
    else if (ending == ".ndjson" || ending == ".csv") {
        if (!type)
            mistakes.add(place, "expected the UID of a content type as the name");
        else if (has_file_of(folder, *type))
            mistakes.add(place, "expected one file of the type");
        else
            folder.contents.push_back(open_content(path, *type));
    } else if (ending == ".json" || type)
        mistakes.add(place, known_files);
}

} // namespace

parser::Result<Folder> open_folder(fs::path const& path, Schema const& schema, Mistakes& mistakes,
                                   std::function<void(std::string const&)> const& tell) {
    std::error_code error;
    std::vector<fs::path> paths;
    for (auto const& entry : fs::directory_iterator(path, error))
        paths.push_back(entry.path());
    if (error)
        return parser::Error{parser::ErrorKind::invalid,
                             path.string() + ": expected a folder that can be read"};
    std::ranges::sort(paths);
    Folder folder;
    for (auto const& file : paths) {
        bool const is_removed = file.extension() == ".removed";
        if (is_removed && tell)
            tell(file.filename().string() +
                 ": is not read any more; entries that the folder does "
                 "not have are removed, of the types that it has files of");
        if (!is_removed) add_file(folder, file, schema, mistakes);
    }
    return folder;
}

} // namespace db
