#include "db/schema/description.hpp"

#include "db/schema/declaration.hpp"
#include "db/schema/project_folder.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <functional>
#include <set>
#include <tuple>

#include <sys/stat.h>

namespace db {

namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

constexpr std::size_t megabyte = 1'000'000;
constexpr std::size_t longest_document = 8 * megabyte;
constexpr std::size_t longest_file = 64 * megabyte; // that is described: a lock file, for example
// The most levels of objects and lists; a populated relation takes two or three.
constexpr std::size_t deepest_document = 128;
constexpr std::size_t digest_size = 16;

parser::Tree query_value(json::value const& value);

parser::Object query_object(json::object const& object) {
    std::vector<parser::Object::Member> members;
    for (auto const& [name, member] : object)
        members.emplace_back(name, query_value(member));
    return parser::Object(std::move(members));
}

parser::Tree query_value(json::value const& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return parser::Tree(std::string(value.get_string()));
    if (value.is_array()) {
        parser::List list;
        for (auto const& item : value.get_array())
            list.push_back(query_value(item));
        return parser::Tree(std::move(list));
    }
    if (value.is_object()) return parser::Tree(query_object(value.get_object()));
    return parser::Tree(json::serialize(value));
}

// No header may end the line that it is in.
bool is_header(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != '\x7f');
    });
}

// Reads one document, and keeps the first error.
class DocumentReader {
  public:
    explicit DocumentReader(std::string path) : path_(std::move(path)) {}

    parser::Result<Description> read(json::value const& root) {
        Description description;
        read_members(
            root, "",
            {{"format", [&](auto& value, auto& at) { read_format(value, at); }},
             {"strapi", [&](auto& value, auto& at) { description.release = release(value, at); }},
             {"node", [&](auto& value, auto& at) { text(value, at); }, false},
             {"environment", [](auto&, auto&) {}, false},
             {"settings", [&](auto& value, auto& at) { description.settings = object(value, at); }},
             {"handedOver",
              [&](auto& value, auto& at) { description.handed_over = texts(value, at); }, false},
             {"contentTypes",
              [&](auto& value, auto& at) { description.content_types = objects(value, at); }},
             {"components",
              [&](auto& value, auto& at) { description.components = objects(value, at); }},
             {"actions",
              [&](auto& value, auto& at) {
                  for (auto const& [uid, actions] : object(value, at))
                      for (auto const& [name, action] : object(actions, member(at, uid)))
                          description.actions[uid][name] =
                              read_action(action, member(member(at, uid), name));
              }},
             {"files", [&](auto& value, auto& at) {
                  for (auto const& [name, digest] : object(value, at))
                      description.files[name] = text(digest, member(at, name));
              }}});
        if (!problem_.empty()) return schema_error(problem_);
        return description;
    }

  private:
    struct Member {
        std::string_view name;
        std::function<void(json::value const&, std::string const&)> read;
        bool is_required = true;
    };

    void read_members(json::value const& value, std::string const& place,
                      std::vector<Member> const& known) {
        auto const& members = object(value, place);
        for (auto const& [name, own] : members)
            if (auto const found = std::ranges::find(known, std::string_view(name), &Member::name);
                found != known.end())
                found->read(own, member(place, name));
            else
                expected(member(place, name), "no member of this name");
        for (Member const& each : known)
            if (each.is_required && !members.contains(each.name))
                expected(place, "a member `" + std::string(each.name) + "`");
    }

    DescribedAction read_action(json::value const& value, std::string const& place) {
        DescribedAction action;
        read_members(
            value, place,
            {{"path", [&](auto& path, auto& at) { text(path, at); }},
             {"auth",
              [&](auto& auth, auto& at) {
                  action.needs_permission = false;
                  if (auth != false) expected(at, "false");
              },
              false},
             {"parameters", [&](auto& names, auto& at) { action.parameters = texts(names, at); },
              false},
             {"handedOver",
              [&](auto& reasons, auto& at) {
                  for (auto const& reason : texts(reasons, at))
                      action.handed_over.append(action.handed_over.empty() ? "" : "; ")
                          .append(reason);
                  if (action.handed_over.empty()) expected(at, "a reason");
              },
              false},
             {"effect", [&](auto& effect, auto& at) { action.effect = read_effect(effect, at); },
              false}});
        return action;
    }

    parser::QueryEffect read_effect(json::value const& value, std::string const& place) {
        parser::QueryEffect effect;
        auto const optional = [](std::string_view name, auto read) {
            return Member{name, std::move(read), false};
        };
        read_members(
            value, place,
            {optional("default",
                      [&](auto& own, auto& at) { effect.absent = query_object(object(own, at)); }),
             optional("emptyIsAbsent",
                      [&](auto& own, auto& at) { effect.empty_is_absent = texts(own, at); }),
             optional("always",
                      [&](auto& own, auto& at) { effect.always = query_object(object(own, at)); }),
             optional("dropped", [&](auto& own, auto& at) { effect.dropped = texts(own, at); }),
             optional("keep", [&](auto& own, auto& at) { effect.keep = texts(own, at); }),
             optional("pick",
                      [&](auto& own, auto& at) {
                          for (auto const& [name, names] : object(own, at))
                              effect.pick.emplace_back(name, texts(names, member(at, name)));
                      }),
             optional("watched", [&](auto& own, auto& at) { effect.watched = pairs(own, at); }),
             optional("headers", [&](auto& own, auto& at) {
                 effect.headers = pairs(own, at);
                 for (auto const& [name, header] : effect.headers)
                     if (name.empty() || !is_header(name + header) || name.find(':') != name.npos)
                         expected(at, "headers");
             })});
        return effect;
    }

    void read_format(json::value const& value, std::string const& place) {
        if (value != 1) expected(place, "1");
    }

    Release release(json::value const& value, std::string const& place) {
        auto const release = read_release(text(value, place));
        if (!release) expected(place, "a release");
        return release.value_or(Release());
    }

    json::object objects(json::value const& value, std::string const& place) {
        for (auto const& [name, own] : object(value, place))
            object(own, member(place, name));
        return object(value, place);
    }

    std::vector<std::pair<std::string, std::string>> pairs(json::value const& value,
                                                           std::string const& place) {
        std::vector<std::pair<std::string, std::string>> list;
        for (auto const& [name, own] : object(value, place))
            list.emplace_back(name, text(own, member(place, name)));
        return list;
    }

    std::vector<std::string> texts(json::value const& value, std::string const& place) {
        std::vector<std::string> list;
        if (!value.is_array())
            expected(place, "a list");
        else
            for (auto const& item : value.get_array())
                list.push_back(text(item, place));
        return list;
    }

    json::object const& object(json::value const& value, std::string_view place) {
        static json::object const none;
        if (value.is_object()) return value.get_object();
        expected(place, "an object");
        return none;
    }

    std::string text(json::value const& value, std::string_view place) {
        if (value.is_string()) return std::string(value.get_string());
        expected(place, "a text");
        return {};
    }

    static std::string member(std::string const& place, std::string_view name) {
        return place.empty() ? std::string(name) : place + '.' + std::string(name);
    }

    void expected(std::string_view place, std::string_view what) {
        if (!problem_.empty()) return;
        problem_.append(path_).append(": ").append(place).append(place.empty() ? "" : ": ");
        problem_.append("expected ").append(what);
    }

    std::string const path_;
    std::string problem_;
};

bool is_code(fs::path const& path) {
    constexpr std::array endings{".json", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"};
    return std::ranges::find(endings, path.extension()) != endings.end();
}

// Adds the files below a folder of the project that a description has.
void add_files(fs::path const& project, fs::path const& folder, std::set<std::string>& names) {
    constexpr std::array elsewhere{"node_modules", "admin", "documentation"};
    std::error_code error, ignored;
    fs::recursive_directory_iterator at(project / folder,
                                        fs::directory_options::skip_permission_denied, error);
    for (fs::recursive_directory_iterator const end; !error && at != end; at.increment(error)) {
        auto const name = at->path().filename();
        if (at->is_directory(ignored) && std::ranges::find(elsewhere, name) != elsewhere.end())
            at.disable_recursion_pending();
        else if (at->is_regular_file(ignored) && !at->is_symlink(ignored) &&
                 (folder == "patches" || is_code(name)))
            names.insert(at->path().lexically_relative(project));
    }
}

// Whether the path leads to a file of the project: by no link out of it, nor by `..`.
bool is_inside(fs::path const& name, fs::path const& project) {
    std::error_code error;
    if (name.is_absolute() || std::ranges::find(name, "..") != name.end()) return false;
    auto const found = fs::canonical(project / name, error).lexically_relative(project);
    return !error && found == name.lexically_normal();
}

bool is_unchanged(Description const& description, fs::path const& project,
                  std::string const& name) {
    auto const described = description.files.find(name);
    std::error_code error;
    if (described == description.files.end()) return !fs::exists(project / name, error);
    if (!is_inside(name, project)) return false;
    auto const text = read_regular(project / name, longest_file);
    if (text) return sha256_of(*text).substr(0, digest_size) == described->second;
    struct stat is{};
    if (text.error().kind != parser::ErrorKind::not_granted ||
        ::stat((project / name).c_str(), &is) != 0)
        return false;
    auto const& written = description.written;
    return std::tie(is.st_ctim.tv_sec, is.st_ctim.tv_nsec) <=
           std::tie(written.tv_sec, written.tv_nsec);
}

} // namespace

parser::Result<Description> read_description(fs::path const& path) {
    auto const text = read_regular(path, longest_document);
    if (!text) return text.error();
    json::error_code error;
    auto const root = json::parse(*text, error, {}, {.max_depth = deepest_document});
    if (error) return schema_error(path.string() + ": expected JSON: " + error.message());
    auto description = DocumentReader(path.string()).read(root);
    struct stat is{};
    if (description && ::stat(path.c_str(), &is) == 0) description->written = is.st_mtim;
    return description;
}

std::vector<std::string> changed_files(Description const& description, fs::path const& project) {
    std::error_code error;
    auto const folder = fs::canonical(project, error);
    std::set<std::string> names{"package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml",
                                ".env"};
    for (auto const& [name, digest] : description.files)
        names.insert(name);
    if (!error)
        for (auto const* below : {"src", "config", "dist/src", "dist/config", "patches"})
            add_files(folder, below, names);
    std::vector<std::string> changed;
    for (std::string const& name : names)
        if (error || !is_unchanged(description, folder, name)) changed.push_back(name);
    return changed;
}

} // namespace db
