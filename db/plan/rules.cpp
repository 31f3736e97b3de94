#include "db/plan/rules.hpp"

#include "db/schema/schema.hpp"

namespace db {

namespace {

constexpr Rules strapi4{.id_column = "id",
                        .one_obeys_query = false,
                        .status_is_of_drafts = false,
                        .filters_replace_locale = false,
                        .fragments_inherit_state = false,
                        .populates_by_type = false,
                        .fields_cut_polymorphic = false,
                        .inverses_show_locale = false,
                        .counts_polymorphic = true,
                        .escapes_patterns = false,
                        .equals_ignoring_case = false,
                        .checks_numbers = false,
                        .json_is_text = false,
                        .pages_are_windows = false,
                        .sorts_by_status = false};

constexpr Rules strapi5{.id_column = document_column,
                        .one_obeys_query = true,
                        .status_is_of_drafts = true,
                        .filters_replace_locale = true,
                        .fragments_inherit_state = true,
                        .populates_by_type = true,
                        .fields_cut_polymorphic = true,
                        .inverses_show_locale = true,
                        .counts_polymorphic = false,
                        .escapes_patterns = true,
                        .equals_ignoring_case = true,
                        .checks_numbers = true,
                        .json_is_text = true,
                        .pages_are_windows = true,
                        .sorts_by_status = true};

} // namespace

Rules const& rules_of(Version version) {
    return version == Version::strapi4 ? strapi4 : strapi5;
}

} // namespace db
