#pragma once

#include <string_view>

namespace parser {

// What of a query's parameters depends on the version of the CMS that clients were written for.
struct Reading {
    // See TreeOptions::balances_brackets.
    bool balances_brackets;
    // `locale` that asks for all of them.
    std::string_view all_locales;
    // `locale` without a value asks for the default one.
    bool empty_locale_is_default;
    // `status` instead of `publicationState`.
    bool has_status;
    // `publicationFilter` and `hasPublishedVersion`.
    bool has_publication_filter;
    // `fields=title,slug`, as one text.
    bool splits_fields;
    // `populate=a&populate[b]=true&populate[c]=true`, which qs gives indices, is the union of all;
    // else what stands at an index is not read.
    bool unites_populates;
    // A `sort` or a direction without a text sorts by nothing, as does a list of lists; blanks
    // around a direction are none; and `filters` inside of populate may be an empty text.
    bool blank_says_nothing;
    // In `pagination`, what is no number is NaN, and null is as if it was not there.
    bool numbers_may_be_nan;
};

} // namespace parser
