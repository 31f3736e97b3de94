#pragma once

#include <boost/json/value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace db {

// Reads the tokens of a script (script_tokens.hpp) from the first to the last. If a take…() does
// not find what it is for, it takes nothing.
class ScriptReader {
  public:
    explicit ScriptReader(std::string_view source);

    bool is_at_end() const { return at_ == tokens_.size(); }
    // The next token; empty at the end.
    std::string_view next() const;
    std::string_view take_next();
    // Takes the tokens of `text`, if they are next.
    bool take(std::string_view text);
    bool take_string();
    // Takes a value that is written out: strings, whole numbers, true, false, null, lists, and
    // objects with each name once. Absent if it is more than data: a spread, a computed or short
    // name, a call, an escape or a substitution in a string; then next() is what could not be
    // taken.
    std::optional<boost::json::value> take_literal() { return take_value(0); }

  private:
    std::optional<boost::json::value> take_value(std::size_t depth);
    std::optional<boost::json::value> take_list(std::size_t depth);
    std::optional<boost::json::value> take_object(std::size_t depth);

    std::vector<std::string> const tokens_;
    std::size_t at_ = 0;
};

} // namespace db
