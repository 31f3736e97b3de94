#pragma once

#include <string_view>

namespace parser {

// What of a query's parameters depends on the version of the CMS that clients were written for.
struct Reading {
    // `locale` that asks for all of them.
    std::string_view all_locales;
    // `locale` without a value asks for the default one.
    bool empty_locale_is_default;
    // `status` and `publicationFilter` instead of `publicationState`.
    bool has_status;
    // `populate[a]=*` asks for all that is below `a`, not for `a` alone.
    bool star_is_below;
    // `fields=title,slug`, as one text.
    bool splits_fields;
};

inline constexpr Reading strapi4_reading{.all_locales = "all",
                                         .empty_locale_is_default = false,
                                         .has_status = false,
                                         .star_is_below = false,
                                         .splits_fields = false};
inline constexpr Reading strapi5_reading{.all_locales = "*",
                                         .empty_locale_is_default = true,
                                         .has_status = true,
                                         .star_is_below = true,
                                         .splits_fields = true};

} // namespace parser
