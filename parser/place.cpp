#include "parser/place.hpp"

namespace parser {

std::string Place::text() const {
    std::string text = parent ? parent->text() : std::string();
    if (text.empty()) return std::string(key);
    return text.append("[").append(key).append("]");
}

} // namespace parser
