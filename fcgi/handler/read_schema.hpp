#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/project_watch.hpp"
#include "db/schema/schema.hpp"
#include "fcgi/options/options.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace fcgi {

// Reads the schema of the files, without what `handed-over` leaves to the CMS. `version` is what
// the database says; absent: what the files say.
parser::Result<std::shared_ptr<db::Schema>>
read_schema(Options const& options, std::optional<db::Version> version = std::nullopt);

// Returns the version of the database's tables; none: they are not those of a CMS. It is an error
// if `strapi` names another version.
parser::Result<std::optional<db::Version>> read_version(Options const& options,
                                                        db::Connection& connection);

// Reads the schema as it is for the database of `connection`: in the layout of its version, with
// the types of custom fields and what follows from there being a CMS or none. It is not fitted to
// the columns.
parser::Result<std::shared_ptr<db::Schema>> read_schema(Options const& options,
                                                        db::Connection& connection);

// Knows whether the files of the project are those that the schema was read from. A look is valid
// until the system reports that something happened to them, and for 5 seconds at most. Any thread.
class ProjectFiles {
  public:
    using Clock = std::chrono::steady_clock;

    explicit ProjectFiles(Options const& options) : project_{options.schema, options.description} {}

    // Asks the system for such reports from now on. Call once, after the last fork.
    void watch();

    // stamp() says which files are there; note_read() records that a schema was read from them.
    db::ProjectStamp stamp() const { return db::stamp_of(project_); }
    void note_read(db::ProjectStamp const& stamp);

    // Returns whether the files need no look before that time. You may call this often.
    bool are_known(Clock::time_point at);
    // Returns whether are_known() was called after the last look.
    bool is_asked() const { return is_asked_; }

    struct Look {
        db::ProjectStamp found;
        bool are_others = false; // than those that were read
        std::string unwatched;   // path and reason, if they differ from the last look's
        Clock::time_point at{};
        std::uint64_t happened = 0; // `happened_` at that time
    };
    // Only one thread at a time may look.
    Look look();
    // Records that what follows from the look is done.
    void note_look(Look const& look);

  private:
    db::ProjectPlace const project_;
    std::optional<db::ProjectWatch> watch_;
    std::string unwatched_;
    std::atomic<std::uint64_t> happened_ = 0;
    std::atomic<bool> is_asked_ = false;
    std::mutex mutex_; // guards all members below
    db::ProjectStamp read_;
    Clock::time_point looked_at_{};
    std::uint64_t looked_at_after_ = 0; // `happened_` at that time
};

} // namespace fcgi
