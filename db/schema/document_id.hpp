#pragma once

#include <array>
#include <string>
#include <string_view>

namespace db {

// A documentId in the form in which Strapi 5.54 makes them: a letter and 23 letters or digits.
std::string document_id(std::array<unsigned char, 24> const& bytes);

// One that is always the same for `key`, which names an entry among those of the type.
std::string stable_document_id(std::string_view uid, std::string_view key);

} // namespace db
