#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace db {

// Hears at once of what happens to the files that load_schema() reads: to files and folders of the
// project, to the folders above it as far as their next step leads there, and to the targets of
// links. So a deploy is heard however it replaces the project. What another host does on a shared
// file system is not. Any thread.
class ProjectWatch {
  public:
    ProjectWatch();
    ProjectWatch(ProjectWatch const&) = delete;
    ~ProjectWatch();

    // Watches what is there of the project by now, and nothing else any more. Returns the first
    // path that cannot be watched, with the system's reason: "/srv: No space left on device". Empty
    // where there is none.
    std::string watch(std::filesystem::path const& folder);

    // Whether anything happened since this was asked last.
    bool has_changed();

  private:
    // Of the entries of a folder those that count: all, or some by name.
    struct Entries {
        bool all = false;
        std::set<std::string> names;
    };
    class Round;

    int const descriptor_; // -1: the system has none left, and nothing is heard
    int const error_;      // why
    std::mutex mutex_;
    std::map<int, Entries> watched_; // by watch descriptor
};

} // namespace db
