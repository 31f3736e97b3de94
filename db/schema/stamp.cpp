#include "db/schema/folder.hpp"
#include "db/schema/project_watch.hpp"
#include "db/schema/schema.hpp"

#include <array>
#include <memory>
#include <string_view>

#include <fts.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

namespace db {

namespace {

// What changes with a file even where its times were set back, as archives and images do: nobody
// sets the time of the change itself (ctime), and a file that takes its place has another inode.
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

// Calls `visit` with each file and folder that load_schema() reads. By fts(3): the iterators of
// std::filesystem end the process where memory runs out.
void for_each_file(std::filesystem::path const& folder, auto visit) {
    struct Close {
        void operator()(FTS* files) const { ::fts_close(files); }
    };
    auto const found = find_source(folder);
    auto const& source = found ? *found : folder;
    std::array<std::string, 4> parts{source / "api", source / "components", source / "extensions",
                                     source / ".." / "package.json"};
    std::array<char*, 5> paths{};
    for (std::size_t i = 0; i < parts.size(); ++i)
        paths[i] = parts[i].data();
    std::unique_ptr<FTS, Close> const files(
        ::fts_open(paths.data(), FTS_LOGICAL | FTS_NOCHDIR, nullptr));
    while (FTSENT const* file = files ? ::fts_read(files.get()) : nullptr)
        // What can't be read now is what load_schema() will complain about.
        if (file->fts_info == FTS_F || file->fts_info == FTS_D) visit(*file);
}

} // namespace

ProjectStamp stamp_of(std::filesystem::path const& folder) {
    ProjectStamp stamp;
    for_each_file(folder, [&](FTSENT const& file) {
        stamp.digest += digest_of(file);
        ++stamp.files;
    });
    return stamp;
}

ProjectWatch::ProjectWatch() : descriptor_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
}

ProjectWatch::~ProjectWatch() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

// A folder tells of the files in it; package.json stands in one that has others.
void ProjectWatch::watch(std::filesystem::path const& folder) {
    constexpr std::uint32_t events = IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE |
                                     IN_DELETE | IN_MOVE | IN_DELETE_SELF | IN_MOVE_SELF;
    if (descriptor_ < 0) return;
    for_each_file(folder, [&](FTSENT const& file) {
        if (file.fts_info == FTS_D || file.fts_level == FTS_ROOTLEVEL)
            ::inotify_add_watch(descriptor_, file.fts_path, events);
    });
}

bool ProjectWatch::has_changed() {
    alignas(inotify_event) std::array<char, 4096> events;
    bool is_changed = false;
    while (descriptor_ >= 0 && ::read(descriptor_, events.data(), events.size()) > 0)
        is_changed = true;
    return is_changed;
}

} // namespace db
