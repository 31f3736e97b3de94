#pragma once

#include <cstdint>

namespace db {

// In which of its forms a statement asks for its rows. All forms of a node give the same rows in
// the same order; which is quickest depends on the content (db/form_choice.hpp), and each is fit
// for some nodes alone.
enum class Form : std::uint8_t {
    usual,
    // Of the root, where filters go through relations: the entries are walked in their order, and
    // related rows looked for in each, until the page is full. Usually the server finds all related
    // rows first, then all entries, and sorts them: better where few entries match.
    probe,
    // Of a node with a limit for each parent: a SELECT with that LIMIT for each of them. Usually
    // all links of all parents are numbered: better where parents have few.
    branches,
};

// Which forms statements are asked in.
enum class Forms : std::uint8_t {
    chosen, // by what was quicker, see db/form_choice.hpp
    usual,
    other, // wherever there is another
};

constexpr char const* name_of(Form form) {
    switch (form) {
    case Form::probe:
        return "probe";
    case Form::branches:
        return "branches";
    case Form::usual:
        break;
    }
    return "usual";
}

} // namespace db
