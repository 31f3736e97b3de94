#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace db {

// A project, and the file of its description; empty: there is none.
struct ProjectPlace {
    std::filesystem::path folder;
    std::filesystem::path description = {};
};

// Changes when a file of the project that load_schema() looks at is written, replaced,
// added or removed, whatever its times are. It is a sum over path, size, mtime, ctime and inode of
// each file and folder. A sum needs no order and, unlike a list, no memory: there may be thousands
// of files, and it does not matter which of them changed.
struct ProjectStamp {
    std::uint64_t digest = 0;
    std::size_t files = 0;
    bool operator==(ProjectStamp const&) const = default;
};
ProjectStamp stamp_of(ProjectPlace const& project);

// Notices at once any change to the files that load_schema() reads. It watches the files and
// folders of the project, the next step to them in each folder above, and the targets of links, so
// that it notices a deploy however it replaces the project. It does not notice what another host
// does on a shared file system. Any thread may use it.
class ProjectWatch {
  public:
    ProjectWatch();
    ProjectWatch(ProjectWatch const&) = delete;
    ~ProjectWatch();

    // Watches what exists of the project now, and no longer anything else. Returns the first path
    // that cannot be watched, with the system's reason: "/srv: No space left on device". Empty if
    // all can be.
    std::string watch(ProjectPlace const& project);

    // Whether anything has changed since the last call.
    bool has_changed();

  private:
    // The entries of a folder that matter: all, or those with these names.
    struct Entries {
        bool all = false;
        std::set<std::string> names;
    };
    class Round;

    int const descriptor_; // -1: the system has none left, and nothing is watched
    int const error_;      // errno, if there is none
    std::mutex mutex_;
    std::map<int, Entries> watched_; // by watch descriptor
};

} // namespace db
