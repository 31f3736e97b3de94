#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_set>
#include <utility>

namespace db {

// Where in a folder something stands, for messages.
struct Origin {
    std::string file;
    std::size_t line = 0; // 0: the file as a whole
};

inline constexpr char const* unreadable_file = "expected a file that can be read";

// What is wrong with a folder, told as it is found. Whoever finds a mistake goes on, so that all of
// them can be mended at once; nothing stays in the database once there is one.
class Mistakes {
  public:
    using Tell = std::function<void(std::string const& mistake)>;
    explicit Mistakes(Tell tell) : tell_(std::move(tell)) {}

    // Of more nobody reads each; they are counted.
    static constexpr std::size_t most_told = 1'000;

    // The same again is told once: of the rows of a document, which have one line.
    void add(std::string const& mistake) {
        bool const is_new = told_.insert(mistake).second;
        if (is_new && tell_ && told_.size() <= most_told) tell_(mistake);
    }
    // `api::tag.tag.ndjson:17: <message>`
    void add(Origin const& place, std::string const& message) {
        add(place.file + (place.line > 0 ? ':' + std::to_string(place.line) : "") + ": " + message);
    }
    std::size_t count() const { return told_.size(); }
    bool any() const { return !told_.empty(); }

  private:
    Tell tell_;
    std::unordered_set<std::string> told_;
};

} // namespace db
