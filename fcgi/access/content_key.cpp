#include "fcgi/access/content_key.hpp"

#include <cstdint>

namespace fcgi {

std::string ContentKey::text(std::size_t more) const {
    auto const address = reinterpret_cast<std::uintptr_t>(permissions.get());
    std::string text;
    text.reserve(sizeof address + path.size() + query.size() + 2 + more);
    text.append(reinterpret_cast<char const*>(&address), sizeof address);
    text += static_cast<char>(document_format);
    return text.append(path).append("?").append(query);
}

} // namespace fcgi
