#pragma once

#include "db/schema/project_watch.hpp"
#include "db/schema/schema.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

namespace fcgi {

// Whether the files of the project are those that the schema was read from. What was found holds
// until the system says that something happened to them, and 5 seconds at most. Any thread.
class ProjectFiles {
  public:
    using Clock = std::chrono::steady_clock;

    explicit ProjectFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // From now on the system is asked to say so. Once, after the last fork.
    void watch();

    // What is there; and that a schema was read from it.
    db::ProjectStamp stamp() const { return db::stamp_of(folder_); }
    void note_read(db::ProjectStamp const& stamp);

    // Whether nobody has to look before that time. Who asks may need an answer again soon.
    bool are_known(Clock::time_point at);
    // Whether anybody asked since somebody looked.
    bool is_asked() const { return is_asked_; }

    struct Look {
        bool are_others = false;
        std::string unwatched; // path and reason, if it was not so at the last look
        Clock::time_point at{};
        std::uint64_t happened = 0; // so much had
    };
    // For one thread at a time.
    Look look();
    // What followed from it is done.
    void note_look(Look const& look);

  private:
    std::filesystem::path const folder_;
    std::optional<db::ProjectWatch> watch_;
    std::string unwatched_;
    std::atomic<std::uint64_t> happened_ = 0;
    std::atomic<bool> is_asked_ = false;
    std::mutex mutex_; // of all below
    db::ProjectStamp read_;
    Clock::time_point looked_at_{};
    std::uint64_t looked_at_after_ = 0; // so much had happened
};

} // namespace fcgi
