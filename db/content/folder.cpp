#include "db/content/folder.hpp"

#include "db/content/json_text.hpp"
#include "db/content/record.hpp"
#include "db/schema/project_folder.hpp"

#include <boost/json.hpp>
#include <boost/spirit/home/x3.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace db {

namespace {

namespace json = boost::json;
namespace x3 = boost::spirit::x3;

auto const quoted = x3::rule<class Quoted, std::string>() = '"' >> *(~x3::char_('"') |
                                                                     ("\"\"" >> x3::attr('"'))) >>
                                                            '"';
auto const plain = x3::rule<class Plain, std::string>() = *~x3::char_(",\"");
auto const csv_record = (quoted | plain) % ',';

// Returns whether cells of the attribute are texts, whatever they look like.
bool is_text(ContentType const& type, std::string_view name) {
    auto const* attribute = type.find(name);
    switch (attribute ? attribute->scalar() : ScalarClass::none) {
    case ScalarClass::text:
    case ScalarClass::date:
    case ScalarClass::time:
    case ScalarClass::datetime:
    case ScalarClass::timestamp:
        return true;
    case ScalarClass::none:
    case ScalarClass::integer:
    case ScalarClass::biginteger:
    case ScalarClass::number:
    case ScalarClass::boolean:
    case ScalarClass::json:
        break;
    }
    return false;
}

namespace fs = std::filesystem;

// Bytes: four times MariaDB's default limit of a statement. An entry takes a multiple in memory.
constexpr std::size_t longest_entry = 64 * 1024 * 1024;

parser::Error expected(std::string const& what) {
    return {parser::ErrorKind::invalid, "expected " + what};
}

class JsonLines : public ContentFile {
  public:
    using ContentFile::ContentFile;

    parser::Result<json::object const*> next() override {
        for (;;) {
            text_.clear();
            begin_entry();
            auto const line = append_line(text_);
            if (!line) return line.error();
            if (!*line) return nullptr;
            if (text_.find_first_not_of(" \t\r") != std::string::npos) break;
        }
        json::error_code error;
        value_ = parse_line(text_, error);
        if (error) return expected("JSON, found " + error.message());
        if (!value_.is_object()) return expected("a JSON object");
        return &value_.get_object();
    }

  private:
    std::string text_;
    json::value value_;
};

class CsvFile : public ContentFile {
  public:
    using ContentFile::ContentFile;

    parser::Result<json::object const*> next() override {
        if (names_.empty()) {
            auto names = read_row();
            if (!names) skip_rest();
            if (!names) return names.error();
            if (names->empty()) return nullptr;
            names_ = *std::move(names);
            if (auto const wrong = wrong_names(); !wrong.empty())
                return parser::Error{parser::ErrorKind::invalid, wrong};
        }
        auto const cells = read_row();
        if (!cells) return cells.error();
        if (cells->empty()) return nullptr;
        if (cells->size() != names_.size())
            return expected(std::to_string(names_.size()) + " cells, as in the first line, found " +
                            std::to_string(cells->size()));
        object_.clear();
        for (std::size_t i = 0; i < names_.size(); ++i) {
            if (!is_known(names_[i])) continue;
            auto value = csv_value(type(), names_[i], (*cells)[i]);
            if (!value) return value.error();
            object_[names_[i]] = *std::move(value);
        }
        return &object_;
    }

    void rewind() override {
        ContentFile::rewind();
        names_.clear();
    }

  private:
    // Returns no cells at the end. Empty lines are skipped. A quoted cell may contain line ends.
    parser::Result<std::vector<std::string>> read_row() {
        std::string text;
        while (text.empty()) {
            begin_entry();
            auto const first = append_line(text);
            if (!first) return first.error();
            if (!*first) return std::vector<std::string>();
            if (text == "\r") text.clear();
        }
        for (bool is_open = is_open_csv(text); is_open;) {
            text += '\n';
            auto const begin = text.size();
            auto const line = append_line(text);
            if (!line) return line.error();
            if (!*line) return expected("a quote at the end of the cell");
            if (is_open_csv(std::string_view(text).substr(begin))) is_open = false;
        }
        auto cells = parse_csv_row(text);
        if (!cells)
            return expected(
                "cells separated by commas, with quotes around cells that contain quotes");
        return *std::move(cells);
    }

    bool is_known(std::string const& name) const { return name == "id" || type().find(name); }

    std::string wrong_names() const {
        std::string wrong;
        for (auto name = names_.begin(); name != names_.end(); ++name) {
            bool const is_repeated = std::find(names_.begin(), name, *name) != name;
            if (is_known(*name) && !is_repeated) continue;
            wrong += (wrong.empty() ? "" : "; ") + *name;
            wrong += is_repeated ? ": expected once" : ": not an attribute of " + type().uid;
        }
        return wrong;
    }

    std::vector<std::string> names_; // from the first line
    json::object object_;
};

ContentType const* type_of(std::string const& name, Schema const& schema) {
    auto const* type = schema.find(name == "files" ? "plugin::upload.file" : name);
    return type && !is_component(*type) ? type : nullptr;
}

std::optional<json::value> read_json(fs::path const& path, ContentErrors& errors) {
    FilePlace const place{path.filename().string()};
    auto const text = read_text(path);
    json::error_code error;
    auto value = text ? json::parse(*text, error) : json::value();
    if (!text) errors.add(place, unreadable_file);
    if (error) errors.add(place, "expected JSON, found " + error.message());
    if (!text || error) return std::nullopt;
    return value;
}

bool has_file_of(Folder const& folder, ContentType const& type) {
    return std::ranges::any_of(folder.contents,
                               [&](auto const& file) { return &file->type() == &type; });
}

void add_file(Folder& folder, fs::path const& path, Schema const& schema, ContentErrors& errors) {
    FilePlace const place{path.filename().string()};
    std::string const name = path.stem().string();
    auto const* type = type_of(name, schema);
    auto const ending = path.extension();
    // A pipe may have no end, and a link would show lines of files outside the folder.
    std::error_code ignored;
    auto const is = fs::symlink_status(path, ignored);
    if (!fs::is_regular_file(is) && !fs::is_directory(is)) {
        if (type || ending == ".json") errors.add(place, "expected a regular file, not a link");
        return;
    }
    if (ending == ".json" && name == "access")
        folder.access = read_json(path, errors);
    else if (ending == ".json" && name == "locales")
        folder.locales = read_json(path, errors);
    else if (ending == ".ndjson" || ending == ".csv") {
        if (!type)
            errors.add(place, "expected the UID of a content type as the name");
        else if (has_file_of(folder, *type))
            errors.add(place, "expected one file of the type");
        else
            folder.contents.push_back(open_content(path, *type));
    } else if (ending == ".json" || type)
        errors.add(place, "expected access.json, locales.json, *.ndjson or *.csv");
}

} // namespace

std::optional<std::vector<std::string>> parse_csv_row(std::string_view text) {
    if (text.ends_with('\r')) text.remove_suffix(1);
    std::vector<std::string> cells;
    auto begin = text.begin();
    if (!x3::parse(begin, text.end(), csv_record, cells) || begin != text.end())
        return std::nullopt;
    return cells;
}

bool is_open_csv(std::string_view text) {
    return std::ranges::count(text, '"') % 2 == 1;
}

parser::Result<json::value> csv_value(ContentType const& type, std::string_view name,
                                      std::string const& cell) {
    if (cell.empty()) return json::value();
    json::error_code error;
    auto value = parse_line(cell, error);
    if (!error && !is_text(type, name)) return value;
    value = parse_line(json_text(cell), error); // checks the encoding
    if (error) return parser::invalid_value(name, "UTF-8");
    return value;
}

ContentFile::ContentFile(fs::path path, ContentType const& type)
    : path_(std::move(path)), type_(&type), stream_(path_, std::ios::binary) {
    std::error_code ignored;
    auto const size = fs::file_size(path_, ignored);
    if (!ignored) size_ = size;
}

parser::Result<bool> ContentFile::append_line(std::string& text) {
    if (is_cut_off()) return false;
    std::array<char, 64 * 1024> part;
    auto const begin = text.size();
    for (bool is_whole = false; !is_whole;) {
        stream_.getline(part.data(), part.size());
        if (stream_.eof() && stream_.gcount() == 0 && text.size() == begin) return false;
        // A stream reports an error if a line does not fit into the part.
        is_whole = stream_.eof() || !stream_.fail();
        if (is_cut_off()) return false;
        if (!is_whole) stream_.clear();
        auto const has_end = is_whole && !stream_.eof();
        text.append(part.data(), static_cast<std::size_t>(stream_.gcount()) - (has_end ? 1 : 0));
        if (text.size() <= longest_entry || is_whole) continue;
        stream_.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
        read_ += static_cast<std::uintmax_t>(stream_.gcount());
        break;
    }
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (lines_ == 0 && std::string_view(text).substr(begin).starts_with(byte_order_mark))
        text.erase(begin, byte_order_mark.size());
    ++lines_;
    read_ += text.size() - begin + 1;
    if (text.size() > longest_entry) return expected("an entry of at most 64 MiB");
    return true;
}

void ContentFile::skip_rest() {
    stream_.seekg(0, std::ios::end);
}

void ContentFile::rewind() {
    stream_.clear();
    stream_.seekg(0);
    line_ = lines_ = 0;
    read_ = 0;
}

std::unique_ptr<ContentFile> open_content(fs::path const& path, ContentType const& type) {
    if (path.extension() == ".ndjson") return std::make_unique<JsonLines>(path, type);
    if (path.extension() == ".csv") return std::make_unique<CsvFile>(path, type);
    return nullptr;
}

parser::Result<Folder> open_folder(fs::path const& path, Schema const& schema,
                                   ContentErrors& errors,
                                   std::function<void(std::string const&)> const& report) {
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
        if (is_removed)
            report(file.filename().string() +
                   ": is not read any more; entries that the folder does "
                   "not have are removed, of the types that it has files of");
        if (!is_removed) add_file(folder, file, schema, errors);
    }
    return folder;
}

} // namespace db
