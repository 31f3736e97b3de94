#pragma once

#include <filesystem>

namespace db {

// Tells at once that something happened to the files that load_schema() reads, as far as the system
// knows: not what another host does on a shared file system, nor that a folder above them is
// another now. Any thread.
class ProjectWatch {
  public:
    ProjectWatch();
    ProjectWatch(ProjectWatch const&) = delete;
    ~ProjectWatch();

    // Watches what is there of the project by now, folders that are new included.
    void watch(std::filesystem::path const& folder);

    // Whether anything happened since this was asked last.
    bool has_changed();

  private:
    int const descriptor_; // -1: the system has none left, and nothing is told
};

} // namespace db
