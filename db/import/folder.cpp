#include "db/import/folder.hpp"

#include "db/import/json_line.hpp"
#include "db/schema/folder.hpp"

#include <boost/json.hpp>

#include <algorithm>

namespace db {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

ContentType const* type_of(std::string const& name, Schema const& schema) {
    auto const* type = schema.find(name == "files" ? "plugin::upload.file" : name);
    return type && type->kind != ContentType::Kind::component ? type : nullptr;
}

parser::Result<json::value> read_json(fs::path const& path) {
    Origin const place{path.filename().string()};
    auto const text = read_text(path);
    if (!text) return import_error(place, "expected a file that can be read");
    json::error_code error;
    auto value = json::parse(*text, error);
    if (error) return import_error(place, "expected JSON, found " + error.message());
    return value;
}

} // namespace

parser::Error import_error(Origin const& place, std::string const& message) {
    std::string text = place.file;
    if (place.line > 0) text += ':' + std::to_string(place.line);
    return {parser::ErrorKind::invalid, text + ": " + message};
}

ContentFile::ContentFile(fs::path path, ContentType const& type)
    : path_(std::move(path)), type_(&type), stream_(path_, std::ios::binary) {
    std::error_code ignored;
    auto const size = fs::file_size(path_, ignored);
    if (!ignored) size_ = size;
}

parser::Result<json::object const*> ContentFile::next() {
    if (!stream_.is_open()) return import_error(place(), "expected a file that can be read");
    while (std::getline(stream_, text_)) {
        ++line_;
        read_ += text_.size() + 1;
        if (text_.find_first_not_of(" \t\r") == std::string::npos) continue;
        json::error_code error;
        value_ = parse_line(text_, error);
        if (error) return import_error(place(), "expected JSON, found " + error.message());
        if (!value_.is_object()) return import_error(place(), "expected a JSON object");
        return &value_.get_object();
    }
    return nullptr;
}

void ContentFile::rewind() {
    stream_.clear();
    stream_.seekg(0);
    line_ = 0;
    read_ = 0;
}

parser::Result<Folder> open_folder(fs::path const& path, Schema const& schema) {
    std::error_code error;
    std::vector<fs::path> paths;
    for (auto const& entry : fs::directory_iterator(path, error))
        paths.push_back(entry.path());
    if (error) return import_error({path.string()}, "expected a folder that can be read");
    std::ranges::sort(paths);

    Folder folder;
    for (auto const& file : paths) {
        Origin const place{file.filename().string()};
        std::string const name = file.stem().string();
        if (file.extension() == ".ndjson") {
            auto const* type = type_of(name, schema);
            if (!type) return import_error(place, "expected the UID of a content type as the name");
            folder.contents.push_back(std::make_unique<ContentFile>(file, *type));
        } else if (file.extension() == ".json") {
            if (name != "access" && name != "locales")
                return import_error(place, "expected access.json, locales.json or *.ndjson");
            auto value = read_json(file);
            if (!value) return value.error();
            (name == "access" ? folder.access : folder.locales) = *std::move(value);
        }
    }
    return folder;
}

} // namespace db
