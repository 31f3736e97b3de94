#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_set>
#include <utility>

namespace db {

// A place in a folder, for messages.
struct FilePlace {
    std::string file;
    std::size_t line = 0; // 0: the file as a whole
};

inline constexpr char const* unreadable_file = "expected a file that can be read";

// Collects the errors in a folder and reports each as it is found. Code that finds one goes on, so
// that all can be fixed at once. Nothing stays in the database if there is any.
class ContentErrors {
  public:
    using Report = std::function<void(std::string const& error)>;
    explicit ContentErrors(Report report) : report_(std::move(report)) {}

    // Further errors are only counted, since nobody reads so many.
    static constexpr std::size_t most_reported = 1'000;

    // Reports equal messages once: the rows of a document come from one line.
    void add(std::string const& error) {
        bool const is_new = reported_.insert(error).second;
        if (is_new && report_ && reported_.size() <= most_reported) report_(error);
    }
    // Adds `api::tag.tag.ndjson:17: <message>`.
    void add(FilePlace const& place, std::string const& message) {
        add(place.file + (place.line > 0 ? ':' + std::to_string(place.line) : "") + ": " + message);
    }
    std::size_t count() const { return reported_.size(); }
    bool any() const { return !reported_.empty(); }

  private:
    Report report_;
    std::unordered_set<std::string> reported_;
};

} // namespace db
