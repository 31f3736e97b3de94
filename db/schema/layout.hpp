#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace db {

// The major version of the CMS that made the tables.
enum class Version : std::uint8_t { strapi4 = 4, strapi5 = 5 };
inline constexpr Version all_versions[] = {Version::strapi4, Version::strapi5}; // ascending

// Returns the newest version that is not above this major one, else the first.
constexpr Version version_up_to(long major) {
    Version found = all_versions[0];
    for (Version const version : all_versions)
        if (static_cast<long>(version) <= major) found = version;
    return found;
}

// How a version of the CMS names tables and columns. A name is made of parts with `_` between them:
// names of types and attributes, and the fixed parts below.
struct Layout {
    std::string_view links;      // end of a link table's name
    std::string_view morphs;     // the same for a polymorphic relation
    std::string_view components; // the same for the components of a type
    std::string_view component;  // start of the name of the column with a component's id
    std::string_view order;      // end of the name of the column that orders a link
    // Ends of the names of keys and indexes.
    struct Keys {
        std::string_view foreign; // foreign key to the owner, or of a column
        std::string_view inverse; // foreign key to the related entry
        std::string_view unique;
        std::string_view index;
        std::string_view order; // index of the column that orders a link
        std::string_view inverse_order;
        std::string_view morph_order; // the same for a polymorphic relation
        std::string_view morph_id;    // index of its related entries
    };
    Keys keys;
    bool uids_are_unique; // by an index
    // Longer names are shortened so that they fit and still differ; 0: names are never shortened.
    std::size_t longest_name;
    // Strapi 5: what a client sees as an entry is a document. It has rows for each of its locales:
    // one for the draft and one for what is published. Every content type has the columns that
    // distinguish these rows.
    bool has_documents;

    struct Part {
        std::string text;
        bool is_fixed = false; // never shortened
    };
    std::string name(std::initializer_list<Part> parts) const;
};

} // namespace db
