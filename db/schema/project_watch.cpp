#include "db/schema/project_watch.hpp"

#include "db/schema/project_folder.hpp"

#include <array>
#include <cerrno>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include <fts.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

namespace db {

namespace fs = std::filesystem;

namespace {

// Returns what load_schema() reads, each of which may be absent: of a project with a description
// also the places of code that may make it stale.
std::vector<std::string> project_parts(ProjectPlace const& project) {
    auto const found = find_source(project.folder);
    auto const& source = found ? *found : project.folder;
    std::vector<std::string> parts{source / "api", source / "components", source / "extensions",
                                   source / ".." / "package.json"};
    if (!project.description.empty())
        for (auto const& part :
             {project.description, source / "middlewares", source / "policies", source / "index.js",
              source / "index.ts", source / ".." / "config"})
            parts.push_back(part);
    return parts;
}

// Calls `visit` with the FTSENT of each file and folder that load_schema() reads, following links.
// It uses fts(3) because the iterators of std::filesystem end the process when memory runs out.
void for_each_file(ProjectPlace const& project, auto visit) {
    using Close = decltype([](FTS* files) { ::fts_close(files); });
    auto parts = project_parts(project);
    std::vector<char*> paths;
    for (std::string& part : parts)
        paths.push_back(part.data());
    paths.push_back(nullptr);
    std::unique_ptr<FTS, Close> const files(
        ::fts_open(paths.data(), FTS_LOGICAL | FTS_NOCHDIR, nullptr));
    while (FTSENT const* file = files ? ::fts_read(files.get()) : nullptr)
        // load_schema() reports what can't be read now.
        if (file->fts_info == FTS_F || file->fts_info == FTS_D) visit(*file);
}

// Returns a digest that changes with the file even if its times are set back, as archives and
// images do: nobody can set the time of the change itself (ctime), and a file that replaces it has
// another inode.
std::uint64_t digest_of(FTSENT const& file) {
    auto const& is = *file.fts_statp;
    std::int64_t const facts[] = {
        is.st_size,        is.st_mtim.tv_sec,  is.st_mtim.tv_nsec,
        is.st_ctim.tv_sec, is.st_ctim.tv_nsec, static_cast<std::int64_t>(is.st_ino),
    };
    std::string bytes(reinterpret_cast<char const*>(facts), sizeof facts);
    bytes += file.fts_path;
    return std::hash<std::string>()(bytes);
}

constexpr std::uint32_t watched_events = IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE |
                                         IN_DELETE | IN_MOVE | IN_DELETE_SELF | IN_MOVE_SELF;

bool is_link(std::string const& path) {
    struct stat is{};
    return ::lstat(path.c_str(), &is) == 0 && S_ISLNK(is.st_mode);
}

} // namespace

ProjectStamp stamp_of(ProjectPlace const& project) {
    ProjectStamp stamp;
    for_each_file(project, [&](FTSENT const& file) {
        stamp.digest += digest_of(file);
        ++stamp.files;
    });
    return stamp;
}

// One walk over what exists of the project.
class ProjectWatch::Round {
  public:
    explicit Round(int descriptor) : descriptor_(descriptor) {}

    void watch(std::string const& path) {
        if (auto* const entries = add(path)) entries->all = true;
    }

    // For each step of a path, and of the links on it, watches the folder that holds the step.
    void watch_path(fs::path const& path) {
        std::error_code error;
        auto const way = fs::absolute(path, error);
        if (error || !ways_.insert(way.string()).second) return;
        fs::path reached = way.root_path();
        for (auto const& step : way.relative_path()) {
            if (step == ".." || step == "." || step.empty()) {
                reached = fs::weakly_canonical(reached / step, error);
                continue;
            }
            if (auto* const entries = add(reached.string())) entries->names.insert(step.string());
            auto const next = reached / step;
            if (is_link(next.string())) watch_path(reached / fs::read_symlink(next, error));
            reached = next;
        }
    }

    std::map<int, Entries> watched;
    std::string obstacle;

  private:
    Entries* add(std::string const& path) {
        int const number =
            ::inotify_add_watch(descriptor_, path.c_str(), watched_events | IN_MASK_ADD);
        if (number >= 0) return &watched[number];
        // The watch on the folder above notices a path that does not exist yet.
        if (errno != ENOENT && errno != ENOTDIR && obstacle.empty())
            obstacle = path + ": " + std::generic_category().message(errno);
        return nullptr;
    }

    int const descriptor_;
    std::set<std::string> ways_;
};

ProjectWatch::ProjectWatch()
    : descriptor_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)), error_(descriptor_ < 0 ? errno : 0) {
}

ProjectWatch::~ProjectWatch() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

std::string ProjectWatch::watch(ProjectPlace const& project) {
    if (descriptor_ < 0)
        return project.folder.string() + ": " + std::generic_category().message(error_);
    std::lock_guard const lock(mutex_);
    Round round(descriptor_);
    for (auto const& part : project_parts(project))
        round.watch_path(part);
    for_each_file(project, [&](FTSENT const& file) {
        // A watch on a folder covers the files in it; package.json is in a folder that has others.
        if (file.fts_info == FTS_D || file.fts_level == FTS_ROOTLEVEL) round.watch(file.fts_path);
        if (is_link(file.fts_path)) round.watch_path(file.fts_path);
    });
    for (auto const& [number, entries] : watched_)
        if (!round.watched.contains(number)) ::inotify_rm_watch(descriptor_, number);
    watched_ = std::move(round.watched);
    return std::move(round.obstacle);
}

bool ProjectWatch::has_changed() {
    alignas(inotify_event) std::array<char, 4096> events;
    bool is_changed = false;
    for (ssize_t size = 0;
         descriptor_ >= 0 && (size = ::read(descriptor_, events.data(), events.size())) > 0;) {
        std::lock_guard const lock(mutex_);
        for (ssize_t at = 0; at < size;) {
            auto const& event = *reinterpret_cast<inotify_event const*>(events.data() + at);
            at += static_cast<ssize_t>(sizeof event + event.len);
            if (event.mask & IN_IGNORED) continue; // a watch that ended
            auto const found = watched_.find(event.wd);
            is_changed = is_changed || (event.mask & IN_Q_OVERFLOW) != 0 ||
                         (found != watched_.end() && (event.len == 0 || found->second.all ||
                                                      found->second.names.contains(event.name)));
        }
    }
    return is_changed;
}

} // namespace db
