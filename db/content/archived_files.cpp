#include "db/content/archived_files.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace db {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

// Strapi adds these attributes to each type that needs them.
bool is_added(std::string_view attribute) {
    constexpr std::string_view added[] = {"createdAt", "updatedAt",    "publishedAt",
                                          "createdBy", "updatedBy",    "localizations",
                                          "locale",    "strapi_stage", "strapi_assignee"};
    return std::ranges::count(added, attribute) > 0;
}

json::object own_attributes(json::object const& schema) {
    json::object attributes;
    for (auto const& [name, attribute] : schema.at("attributes").as_object())
        if (!is_added(name)) attributes[name] = attribute;
    return attributes;
}

// Compares what an attribute is, where its values are, and who may see them.
bool is_same(json::value const& one, json::value const& other) {
    constexpr char const* members[] = {"type",       "relation",   "target",   "component",
                                       "components", "repeatable", "multiple", "enum",
                                       "inversedBy", "mappedBy",   "morphBy",  "useJoinTable",
                                       "columnType", "column",     "private",  "customField"};
    auto const* ours = one.if_object();
    auto const* theirs = other.if_object();
    return ours && theirs && std::ranges::all_of(members, [&](auto const* member) {
               auto const* left = ours->if_contains(member);
               auto const* right = theirs->if_contains(member);
               // Strapi may leave out what is false, or write it.
               auto const is_off = [](auto const* value) {
                   return !value || (value->is_bool() && !value->get_bool());
               };
               return (is_off(left) && is_off(right)) || (left && right && *left == *right);
           });
}

json::object file_of(json::object const& schema) {
    json::object file;
    for (auto const* member : {"kind", "collectionName", "info", "options", "pluginOptions"})
        if (auto const* value = schema.if_contains(member)) file[member] = *value;
    file["attributes"] = own_attributes(schema);
    return file;
}

bool is_name(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_';
    });
}

// Returns where the project has the file of the type; empty if it has none.
parser::Result<fs::path> path_of(std::string const& uid) {
    auto const colons = uid.find("::");
    auto const begin = colons == uid.npos ? 0 : colons + 2;
    auto const dot = uid.find('.', begin);
    auto const scope = uid.substr(0, colons == uid.npos ? 0 : colons);
    auto const owner = uid.substr(begin, dot - begin);
    auto const name = dot == uid.npos ? std::string() : uid.substr(dot + 1);
    if (!is_name(owner) || !is_name(name))
        return archive_error("expected the UID of a type, received one with other characters");
    auto const type = fs::path(owner) / "content-types" / name / "schema.json";
    if (scope == "api") return "src/api" / type;
    if (scope == "plugin") return "src/extensions" / type;
    if (scope.empty()) return fs::path("src/components") / owner / (name + ".json");
    return fs::path();
}

parser::Result<void> write_json(fs::path const& path, json::value const& content) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    std::ofstream file(path, std::ios::binary);
    file << json::serialize(content) << '\n';
    file.close();
    if (error || !file)
        return parser::Error{parser::ErrorKind::configuration,
                             path.string() + ": cannot be written"};
    return {};
}

constexpr std::string_view uploads = "assets/uploads/";
constexpr std::size_t upload_piece = 64 * 1024;

parser::Error cannot_write(fs::path const& path) {
    return {parser::ErrorKind::configuration, path.string() + ": " + std::strerror(errno)};
}

bool are_equal(fs::path const& one, fs::path const& other) {
    std::error_code error;
    if (!fs::is_regular_file(other, error) ||
        fs::file_size(one, error) != fs::file_size(other, error))
        return false;
    std::ifstream ones(one, std::ios::binary);
    std::ifstream others(other, std::ios::binary);
    return ones && others &&
           std::equal(std::istreambuf_iterator<char>(ones), {},
                      std::istreambuf_iterator<char>(others));
}

// A file that nobody else writes or reads until it takes its name.
class FileAside {
  public:
    explicit FileAside(fs::path const& folder)
        : path_(folder / ".populate-fcgi.XXXXXX"), file_(mkostemp(path_.data(), O_CLOEXEC)) {}
    FileAside(FileAside const&) = delete;
    FileAside& operator=(FileAside const&) = delete;
    ~FileAside() {
        if (file_ < 0) return;
        unlink(path_.c_str());
        close(file_);
    }

    std::string const& path() const { return path_; }
    bool is_open() const { return file_ >= 0; }
    bool write(char const* bytes, std::size_t size) const {
        errno = ENOSPC; // a short write sets no errno
        return ::write(file_, bytes, size) == static_cast<ssize_t>(size);
    }
    // From then on it is a file of the folder, and everybody may read it.
    bool take_name(fs::path const& name) const {
        constexpr mode_t for_all = 0644;
        return fchmod(file_, for_all) == 0 && std::rename(path_.c_str(), name.c_str()) == 0;
    }

  private:
    std::string path_;
    int const file_;
};

// Copies the file that the archive is at.
parser::Result<void> copy(Archive& archive, FileAside const& aside) {
    std::string bytes(upload_piece, '\0');
    for (;;) {
        auto const got = archive.read(bytes.data(), bytes.size());
        if (!got) return got.error();
        if (*got == 0) return {};
        if (!aside.write(bytes.data(), *got)) return cannot_write(aside.path());
    }
}

} // namespace

parser::Result<void> write_project(ArchiveContents const& contents, fs::path const& folder) {
    std::error_code error;
    fs::create_directories(folder / "src/api", error);
    if (error)
        return parser::Error{parser::ErrorKind::configuration,
                             folder.string() + ": " + error.message()};
    for (auto const& [uid, schema] : contents.schemas) {
        if (!is_exported(uid)) continue;
        auto const path = path_of(uid);
        if (!path) return path.error();
        if (path->empty()) continue;
        if (auto written = write_json(folder / *path, file_of(schema)); !written) return written;
    }
    return write_json(folder / "package.json",
                      {{"name", "site"}, {"dependencies", {{"@strapi/strapi", contents.release}}}});
}

std::vector<std::string> schema_differences(ArchiveContents const& contents, Schema const& schema) {
    std::vector<std::string> differences;
    for (auto const& [uid, archived] : contents.schemas) {
        if (!is_exported(uid)) continue;
        auto const* type = schema.find(uid);
        if (!type) {
            differences.push_back(uid + ": the archive has this type, but the project does not");
            continue;
        }
        if (type->declared.empty()) continue;
        auto const declared = json::parse(type->declared);
        auto const ours = own_attributes(declared.as_object());
        auto const theirs = own_attributes(archived);
        for (auto const& [name, attribute] : theirs) {
            auto const place = uid + ": " + std::string(name) + ": ";
            auto const* found = ours.if_contains(name);
            if (!found)
                differences.push_back(place +
                                      "the archive has this attribute, but the project does not");
            else if (!is_same(*found, attribute))
                differences.push_back(place + "the project declares it differently");
        }
        for (auto const& [name, attribute] : ours)
            if (!theirs.contains(name))
                differences.push_back(uid + ": " + std::string(name) +
                                      ": the project has this attribute, but the archive does not");
    }
    for (auto const& [uid, type] : schema.types)
        if (is_exported(uid) && !contents.schemas.contains(uid))
            differences.push_back(uid + ": the project has this type, but the archive does not");
    return differences;
}

parser::Result<void> check_uploads(fs::path const& folder) {
    if (!FileAside(folder).is_open()) return cannot_write(folder);
    return {};
}

parser::Result<UploadCount> write_uploads(Archive& archive, fs::path const& folder,
                                          std::function<void()> const& progress) {
    if (auto begun = archive.rewind(); !begun) return begun.error();
    UploadCount count;
    for (;;) {
        auto const more = archive.next();
        if (!more) return more.error();
        if (!*more) return count;
        progress();
        if (archive.section() != Section::assets || !archive.file().starts_with(uploads)) continue;
        auto const name = archive.file().substr(uploads.size());
        if (name.empty() || name.front() == '.' || name.find('/') != name.npos)
            return archive.error("expected a file in assets/uploads, not below it");
        auto const path = folder / name;
        FileAside const aside(folder);
        if (!aside.is_open()) return cannot_write(folder);
        if (auto copied = copy(archive, aside); !copied) return copied.error();
        bool const is_there = are_equal(aside.path(), path);
        ++(is_there ? count.equal : count.written);
        if (!is_there && !aside.take_name(path)) return cannot_write(path);
    }
}

} // namespace db
