#pragma once

#include <array>
#include <cstdint>

namespace db {

// The forms in which a statement may ask for its rows. All forms of a node give the same rows in
// the same order; which is quickest depends on the content (see FormChoice), and each is
// fit only for some nodes.
enum class Form : std::uint8_t {
    usual,
    // For the root, if filters go through relations: the server walks the entries in their order
    // and looks for the related rows of each, until the page is full. The usual form finds all
    // related rows first, then all entries, and sorts them; it is faster if few entries match.
    probe,
    // For a node with a limit for each parent: one SELECT with that LIMIT for each parent. The
    // usual form numbers all links of all parents, which is faster if the parents have few links.
    branches,
    // For a page of the root that is sorted, or does not begin the list: the ids of the page are
    // found first, then its rows. If an index has the columns that the list is filtered and sorted
    // by, the rows of the pages before it need not be read, nor does the server take an index that
    // finds the entries of a condition, and sort these. Without such an index the usual form is
    // faster.
    late_rows,
    // For a node that counts the entries of each parent that satisfy a condition: all links are
    // counted, less those to entries that do not satisfy it. The usual form looks at the entry of
    // each link, which is faster if few satisfy it.
    difference,
    // For the total of the root, if filters go through relations: the related rows are joined, and
    // each entry is counted once. The server may then begin with the rows that are fewest, as it
    // cannot with EXISTS; if most entries match, the usual form is faster.
    joined,
    // For the total of the root, if only entries with a value in some column are counted: that
    // column is, and the condition left out. The server may then read the narrowest index that has
    // all columns, instead of a range of a wider one; if few entries have a value, the usual form
    // is faster.
    values,
};

// The forms that a statement may have besides its usual one.
inline constexpr std::array other_forms{Form::probe,      Form::branches, Form::late_rows,
                                        Form::difference, Form::joined,   Form::values};

// The forms that statements may have.
enum class Forms : std::uint8_t {
    chosen, // the faster one, see FormChoice
    usual,
    other, // wherever a statement has another one
};

constexpr char const* name_of(Form form) {
    switch (form) {
    case Form::probe:
        return "probe";
    case Form::branches:
        return "branches";
    case Form::late_rows:
        return "late-rows";
    case Form::difference:
        return "difference";
    case Form::joined:
        return "joined";
    case Form::values:
        return "values";
    case Form::usual:
        break;
    }
    return "usual";
}

} // namespace db
