#pragma once

#include <array>
#include <string>
#include <string_view>

namespace db {

// Returns a documentId as Strapi 5.54 makes them: a letter and 23 letters or digits.
std::string document_id(std::array<unsigned char, 24> const& bytes);

// Returns one that is always the same for `key`, which identifies an entry of the type.
std::string stable_document_id(std::string_view uid, std::string_view key);

} // namespace db
