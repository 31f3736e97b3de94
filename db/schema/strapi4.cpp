#include "db/schema/cms.hpp"

// Strapi 4.26.2.

namespace db {

namespace {

constexpr std::string_view list_names_4[] = {"fields",     "populate",         "filters", "sort",
                                             "pagination", "publicationState", "locale",  "_q"};
constexpr std::string_view entry_names_4[] = {"id", "fields", "populate"};
constexpr std::string_view single_names_4[] = {"fields",           "populate", "filters", "sort",
                                               "publicationState", "locale",   "_q"};

constexpr InitialRows::Grant authenticated_4[] = {
    {"'plugin::users-permissions.user.me'", 1},
    {"'plugin::users-permissions.auth.changePassword'", 1},
};
constexpr InitialRows::Grant public_4[] = {
    {"'plugin::users-permissions.auth.callback'", 1},
    {"'plugin::users-permissions.auth.connect'", 1},
    {"'plugin::users-permissions.auth.resetPassword'", 1},
    {"'plugin::users-permissions.auth.register'", 1},
    {"'plugin::users-permissions.auth.forgotPassword'", 1},
    {"'plugin::users-permissions.auth.emailConfirmation'", 1},
    {"'plugin::users-permissions.auth.sendEmailConfirmation'", 1},
};

// Found in Strapi's published packages; each release is the first without the difference.
constexpr ReleaseDifference until_4[] = {
    {{4, 23, 0},
     "filters on media and on the inverse side of polymorphic relations compare the entry's own "
     "columns",
     [](Cms& cms) { cms.rules.filters_inverses_by_owner = true; }},
    {{4, 16, 0},
     "in a dynamic zone, the first component determines what `populate=*` means",
     [](Cms& cms) { cms.rules.first_part_names_all = true; }},
    // 4.10.8 is recorded to do what 4.16 does; between it and 4.15.5 nothing is known.
    {{4, 15, 0},
     "in a dynamic zone, each component determines what `populate=*` means",
     [](Cms& cms) { cms.rules.first_part_names_all = false; }},
    {{4, 15, 0},
     "the inverse side of a polymorphic relation to several entries has the form {\"data\":[…]}",
     nullptr},
    {{4, 15, 0}, "`fields=id` selects all fields", nullptr},
    {{4, 13, 1},
     "names in `fields`, `filters` and `sort` that do not exist, or that the caller may not use, "
     "are ignored",
     nullptr},
    {{4, 10, 0},
     "Strapi shows private attributes of components, and populate-fcgi never does",
     nullptr},
};

} // namespace

constinit Cms const strapi4{
    .version = Version::strapi4,
    .newest = {4, 26, 2},
    .oldest_exact = {4, 15, 5},
    .differences = until_4,
    .layout = {.links = "links",
               .morphs = "morphs",
               .components = "components",
               .component = "component",
               .order = "order",
               .keys = {.foreign = "fk",
                        .inverse = "inv_fk",
                        .unique = "unique",
                        .index = "index",
                        .order = "order_fk",
                        .inverse_order = "order_inv_fk",
                        .morph_order = "order_index",
                        .morph_id = "id_column_index"},
               .uids_are_unique = true,
               .longest_name = 0,
               .has_documents = false},
    .reading = {.balances_brackets = false,
                .all_locales = "all",
                .empty_locale_is_default = false,
                .has_status = false,
                .has_publication_filter = false,
                .splits_fields = false,
                .unites_populates = true,
                .blank_says_nothing = false,
                .numbers_may_be_nan = false},
    .rules = {.validates_names = false,
              .id_column = "id",
              .one_obeys_query = false,
              .status_is_of_drafts = false,
              .filters_replace_locale = false,
              .fragments_inherit_state = false,
              .populates_by_type = false,
              .fields_cut_polymorphic = false,
              .inverses_show_locale = false,
              .ends_text_at_unseen = true,
              .checks_unseen = true,
              .escapes_patterns = false,
              .equals_ignoring_case = false,
              .checks_numbers = false,
              .json_is_text = false,
              .pages_are_windows = false,
              .page_alone_has_one = false,
              .counts_no_locales = false,
              .sorts_by_status = false,
              .splits_populate = true,
              .cuts_populate = false,
              .filters_inverses_by_owner = false,
              .first_part_names_all = false},
    .json = {.has_attributes = true,
             .sets_document_apart = false,
             .type_is_last = false,
             .one_says_type = false,
             .empty_can_be_null = true,
             .empty_can_be_absent = true,
             .wraps_flat_counts = true},
    .json_of_v4 = {},
    .accounts = {.permission_role = "up_permissions_role_links",
                 .permission_order = "permission_order",
                 .user_role = "up_users_role_links",
                 .token_permission = "strapi_api_token_permissions_token_links",
                 .token_permission_order = "api_token_permission_order",
                 .takes_longer_hashes = true},
    .routes = {.list = list_names_4,
               .entry = entry_names_4,
               .single = single_names_4,
               .files_say_signed = false,
               .has_file_pages = false},
    .entries = {.is_draft_by_default = false,
                .drafts_are_free = false,
                .published_are_unique = false},
    .builtin = {.declared = "{}", .recent = {}, .relations_say_required = false},
    .initial = {.authenticated = authenticated_4, .everybody = public_4, .migrations = {}},
    .drops_other_indexes = true};

} // namespace db
