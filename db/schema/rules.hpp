#pragma once

namespace db {

// What of binding depends on the version of the CMS: which names a request may use, which rows it
// gets, and what a comparison means.
struct Rules {
    // All names of all parameters are validated before anything is bound (db/strict).
    bool validates_names;
    // The column that the id in a path is compared with.
    char const* id_column;
    // An entry that is asked for by its id must satisfy the rest of the query too.
    bool one_obeys_query;
    // A `status` that means nothing is a mistake only where something has drafts.
    bool status_is_of_drafts;
    // A filter on the locale stands in the place of `locale`.
    bool filters_replace_locale;
    // The fragments of a zone show drafts or not as what is around them does.
    bool fragments_inherit_state;
    // What is populated of a polymorphic relation is said type by type: in `on`, whose types alone
    // are shown, or else of each content type the same, and nothing more; other options hide the
    // relation. Its rows can be counted. If not, options are those of all types, and a relation to
    // one shows those that `on` does not name as well.
    bool populates_by_type;
    // `fields` leaves out the columns that say which entry a row belongs to polymorphically: none
    // of them is found from there.
    bool fields_cut_polymorphic;
    // What belongs to an entry polymorphically is answered with its locale, whether its type has
    // locales or not. (Strapi 5.54 lets through all that is private there; this is no secret.)
    bool inverses_show_locale;
    // In a path of `populate`, what the caller may not see ends the text, and blanks around names
    // are none; else nothing comes of the text. See populate_paths.hpp.
    bool ends_text_at_unseen;
    // What is said of relations that the caller may not see is checked, but for its values.
    bool checks_unseen;
    // What belongs to an entry polymorphically can be counted from there.
    bool counts_polymorphic;
    // `%`, `_` and `\` of a value are signs like any other in `$contains` and the like.
    bool escapes_patterns;
    // `$eqi` and `$nei` compare whole texts, not patterns.
    bool equals_ignoring_case;
    // What is compared with a number is one, which an empty text is not, nor any other with a
    // biginteger.
    bool checks_numbers;
    // Values compared with JSON are texts, not JSON themselves.
    bool json_is_text;
    // Of a page, start and limit are made first, and the numbers of `meta` of these.
    bool pages_are_windows;
    // `page` without `pageSize` is a page of one entry.
    bool page_alone_has_one;
    // Of a list in all locales none is counted.
    bool counts_no_locales;
    // `sort` may name the status, of what has one, and nothing comes of it.
    bool sorts_by_status;
    // The texts in `populate` are cut at commas before their names are validated. If not, `a,b` is
    // one name, which nothing has.
    bool splits_populate;
    // What the caller may not find is taken out of `populate` before it is read, and with it all
    // that polymorphic relations are given but fragments.
    bool cuts_populate;
    // A filter on what belongs to an entry polymorphically, as media do, compares the entry's own
    // columns of those names.
    bool filters_inverses_by_owner;
    // What is asked for below all parts of a zone is what its first one has.
    bool first_part_names_all;
};

} // namespace db
