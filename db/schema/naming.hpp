#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

// Names of columns and tables, and ids of documents, as Strapi makes them.

namespace db {

// snake() of lodash 4, with which Strapi names columns and link tables (`h1_pages` -> `h_1_pages`).
std::string snake_case(std::string_view name);

// kebab() of lodash 4 (`h1-page` -> `h-1-page`).
std::string kebab_case(std::string_view name);

// Turns the name of a folder or file in src/api/ into a part of a UID, as Strapi does: kebab case
// stays as it is, all else goes through kebab_case().
std::string normalized_name(std::string_view name);

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

    struct NamePart {
        std::string text;
        bool is_fixed = false; // never shortened
    };
    std::string name(std::initializer_list<NamePart> parts) const;
};

// Returns a documentId as Strapi 5.54 makes them: a letter and 23 letters or digits.
std::string document_id(std::array<unsigned char, 24> const& bytes);

// Returns one that is always the same for `key`, which identifies an entry of the type.
std::string stable_document_id(std::string_view uid, std::string_view key);

} // namespace db
