#include "fcgi/access/content_key.hpp"

#include <cstdint>

namespace fcgi {

std::string ContentKey::text() const {
    auto const address = reinterpret_cast<std::uintptr_t>(permissions.get());
    std::string text(reinterpret_cast<char const*>(&address), sizeof address);
    text.reserve(text.size() + path.size() + query.size() + 2);
    text += static_cast<char>(document_format);
    return text.append(path).append("?").append(query);
}

} // namespace fcgi
