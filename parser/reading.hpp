#pragma once

#include <string_view>

namespace parser {

// The rules of a query's parameters that depend on the version of the CMS that clients were written
// for.
struct Reading {
    // See TreeOptions::balances_brackets.
    bool balances_brackets;
    // The value of `locale` that asks for all locales.
    std::string_view all_locales;
    // `locale` without a value asks for the default one.
    bool empty_locale_is_default;
    // `status` is read instead of `publicationState`.
    bool has_status;
    // `publicationFilter` and `hasPublishedVersion` are read.
    bool has_publication_filter;
    // A text, `fields=title,slug`, may name several fields.
    bool splits_fields;
    // `populate=a&populate[b]=true&populate[c]=true`, to which qs gives indices, means the union of
    // all; otherwise what stands at an index is not read.
    bool unites_populates;
    // A `sort` or a direction without a text sorts by nothing, and so does a list in a list; blanks
    // around a direction are ignored; `on` inside of populate may be null.
    bool blank_says_nothing;
    // In pagination, a value that is not a number is NaN, and null counts as absent.
    bool numbers_may_be_nan;
};

} // namespace parser
