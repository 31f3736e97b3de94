#pragma once

namespace db {

// The parts of binding that depend on the version of the CMS: which names a request may use, which
// rows it gets, and what a comparison means.
struct Rules {
    // All names of all parameters are validated before anything is bound (db/plan).
    bool validates_names;
    // The column that the id in a path is compared with.
    char const* id_column;
    // An entry that is requested by its id must satisfy the rest of the query too.
    bool one_obeys_query;
    // An invalid `status` is an error only if something that is read has drafts.
    bool status_is_of_drafts;
    // A filter on the locale replaces `locale`.
    bool filters_replace_locale;
    // Fragments (`on`) show drafts if the entries around them do.
    bool fragments_inherit_state;
    // A polymorphic relation is populated type by type: `on` names the types that are shown, each
    // with its options. Without `on` every content type is shown, without options; with
    // cuts_populate, other options hide the relation. Its rows can be counted. If not, options
    // apply to all types, and a relation to one also shows types that `on` does not name.
    bool populates_by_type;
    // `fields` leaves out the columns that say which entry a row belongs to polymorphically, so
    // that populating it from that entry finds no rows.
    bool fields_cut_polymorphic;
    // Rows that belong to an entry polymorphically, and all that is populated below them, are
    // returned with their locale, localized or not. (Strapi 5.54 shows all private attributes
    // there; the locale is no secret.)
    bool inverses_show_locale;
    // In a path of `populate`, a name that the caller may not see ends the text, and blanks around
    // names are ignored. If not, such a text has no effect. See named_members().
    bool ends_text_at_unseen;
    // Options of relations that the caller may not see are checked, except for their values.
    bool checks_unseen;
    // `%`, `_` and `\` of a value have no special meaning in `$contains` and the like.
    bool escapes_patterns;
    // `$eqi` and `$nei` compare whole texts, not patterns.
    bool equals_ignoring_case;
    // Values compared with a number are numbers: an empty text is refused, and for a biginteger
    // every text that is no whole number.
    bool checks_numbers;
    // Values compared with JSON are texts, not JSON themselves.
    bool json_is_text;
    // A page is first turned into start and limit, from which the numbers of `meta` follow.
    bool pages_are_windows;
    // `page` without `pageSize` is a page of one entry.
    bool page_alone_has_one;
    // The total of a list in all locales is 0.
    bool counts_no_locales;
    // `sort` may name the status of types that have one, without effect.
    bool sorts_by_status;
    // The texts in `populate` are split at commas before their names are validated. Otherwise `a,b`
    // is one name, which no attribute has.
    bool splits_populate;
    // Before `populate` is read, relations to types that the caller may not read are removed from
    // it, and so are all options of polymorphic relations except fragments.
    bool cuts_populate;
    // A filter on the inverse side of a polymorphic relation, as media have, compares the entry's
    // own columns of the same names.
    bool filters_inverses_by_owner;
    // Below a zone, `populate=*` populates in all components what the first one has.
    bool first_part_names_all;
};

} // namespace db
