#include "db/schema/cms.hpp"

// Strapi 5.54.0.

namespace db {

namespace {

// An entry takes the parameters of a list, except those for sorting and pages.
constexpr std::string_view list_names_5[] = {
    "fields",     "populate", "filters",           "sort",
    "pagination", "status",   "publicationFilter", "hasPublishedVersion",
    "locale",     "_q"};
constexpr std::string_view entry_names_5[] = {
    "documentId",          "fields", "populate", "filters", "status", "publicationFilter",
    "hasPublishedVersion", "locale", "_q"};
constexpr std::string_view single_names_5[] = {
    "fields", "populate", "filters", "status", "publicationFilter", "hasPublishedVersion",
    "locale", "_q"};

constexpr std::string_view list_names_until_5_47[] = {"fields",     "populate", "filters", "sort",
                                                      "pagination", "status",   "locale",  "_q"};
constexpr std::string_view entry_names_until_5_47[] = {
    "documentId", "fields", "populate", "filters", "status", "locale", "_q"};
constexpr std::string_view single_names_until_5_47[] = {"fields", "populate", "filters",
                                                        "status", "locale",   "_q"};

constexpr std::string_view attributes_5 = R"json({
"plugin::upload.file": {
  "alternativeText": {"type": "text", "configurable": false},
  "caption": {"type": "text", "configurable": false},
  "focalPoint": {"type": "json", "configurable": false},
  "url": {"type": "text", "configurable": false, "required": true},
  "previewUrl": {"type": "text", "configurable": false},
  "folderPath": {"type": "string", "minLength": 1, "required": true, "private": true,
                 "searchable": false}
},
"admin::user": {
  "resetPasswordToken": {"type": "string", "private": true, "searchable": false},
  "resetPasswordTokenExpiresAt": {"type": "datetime", "private": true, "searchable": false}
},
"admin::api-token": {
  "description": {"type": "string"},
  "kind": {"type": "string"},
  "accessKey": {"type": "string", "private": true, "searchable": false},
  "encryptedKey": {"type": "text", "private": true, "searchable": false}
}
})json";

// Attributes that later releases added.
constexpr std::pair<std::string_view, std::string_view> recent_5[] = {
    {"plugin::upload.file", "focalPoint"},
    {"admin::user", "resetPasswordTokenExpiresAt"},
    {"admin::api-token", "kind"},
    {"admin::api-token", "encryptedKey"},
};

constexpr InitialRows::Grant authenticated_5[] = {
    {"'plugin::users-permissions.auth.logout'", 1},
    {"'plugin::users-permissions.auth.getSessions'", 1},
    {"'plugin::users-permissions.auth.revokeSession'", 1},
    {"'plugin::users-permissions.user.me'", 2},
    {"'plugin::users-permissions.auth.changePassword'", 2},
};
constexpr InitialRows::Grant public_5[] = {
    {"'plugin::users-permissions.auth.callback'", 1},
    {"'plugin::users-permissions.auth.connect'", 1},
    {"'plugin::users-permissions.auth.forgotPassword'", 1},
    {"'plugin::users-permissions.auth.resetPassword'", 1},
    {"'plugin::users-permissions.auth.register'", 1},
    {"'plugin::users-permissions.auth.emailConfirmation'", 1},
    {"'plugin::users-permissions.auth.sendEmailConfirmation'", 1},
    {"'plugin::users-permissions.auth.refresh'", 1},
};
constexpr SqlPiece migrations_5[] = {
    "'5.0.0-rename-identifiers-longer-than-max-length'",
    "'5.0.0-02-created-document-id'",
    "'5.0.0-03-created-locale'",
    "'5.0.0-04-created-published-at'",
    "'5.0.0-05-drop-slug-fields-index'",
    "'5.0.0-06-add-document-id-indexes'",
    "'core::5.0.0-discard-drafts'",
    "'admin::migrate-prefered-language-dk-to-da'",
};

// Found in Strapi's published packages; each release is the first without the difference.
constexpr ReleaseDifference until_5[] = {
    {{5, 53, 0},
     "`populate` leaves out only the relations that the caller may not find",
     [](Cms& cms) { cms.rules.cuts_populate = false; }},
    {{5, 51, 2},
     "`%` and `_` are wildcards in `$contains` and the like, and in `$eqi`; a `page` without "
     "`pageSize` has one entry",
     [](Cms& cms) {
         cms.rules.escapes_patterns = false;
         cms.rules.equals_ignoring_case = false;
         cms.rules.page_alone_has_one = true;
     }},
    {{5, 51, 1},
     "empty lists of media, and of entries with a polymorphic relation to this one, are null",
     [](Cms& cms) {
         cms.json.empty_can_be_null = true;
         cms.json_of_v4->empty_can_be_null = true;
     }},
    {{5, 50, 0}, "`populate=a,b` is refused", [](Cms& cms) { cms.rules.splits_populate = false; }},
    {{5, 48, 1},
     "upload/files/page is not served",
     [](Cms& cms) { cms.routes.has_file_pages = false; }},
    {{5, 48, 0},
     "filters on numbers accept an empty text",
     [](Cms& cms) { cms.rules.checks_numbers = false; }},
    {{5, 47, 0},
     "there is no `publicationFilter`",
     [](Cms& cms) {
         cms.reading.has_publication_filter = false;
         cms.routes.list = list_names_until_5_47;
         cms.routes.entry = entry_names_until_5_47;
         cms.routes.single = single_names_until_5_47;
     }},
    {{5, 46, 0},
     "`__type` and `__component` come right after the id, and polymorphic relations to one entry "
     "have no `__type`",
     [](Cms& cms) {
         for (JsonRules* json : {&cms.json, &*cms.json_of_v4}) {
             json->type_is_last = false;
             json->one_says_type = false;
         }
     }},
    {{5, 45, 0},
     "`sort` may not name the status",
     [](Cms& cms) { cms.rules.sorts_by_status = false; }},
    {{5, 30, 1},
     "with `locale=*`, the total is 0",
     [](Cms& cms) { cms.rules.counts_no_locales = true; }},
    {{5, 19, 0},
     "files do not say whether their URL is signed",
     [](Cms& cms) { cms.routes.files_say_signed = false; }},
    {{5, 12, 0},
     "types without locales have `locale` in responses, too, and with `populate=*` also "
     "`localizations`",
     nullptr},
    {{5, 12, 0}, "`populate[relation]=*` is allowed", nullptr},
};

} // namespace

constinit Cms const strapi5{
    .version = Version::strapi5,
    .newest = {5, 54, 0},
    .oldest_exact = {5, 12, 0},
    .differences = until_5,
    .layout = {.links = "lnk",
               .morphs = "mph",
               .components = "cmps",
               .component = "cmp",
               .order = "ord",
               .keys = {.foreign = "fk",
                        .inverse = "ifk",
                        .unique = "uq",
                        .index = "idx",
                        .order = "ofk",
                        .inverse_order = "oifk",
                        .morph_order = "oidx",
                        .morph_id = "idix"},
               .uids_are_unique = false,
               .longest_name = 55,
               .has_documents = true},
    .reading = {.balances_brackets = true,
                .all_locales = "*",
                .empty_locale_is_default = true,
                .has_status = true,
                .has_publication_filter = true,
                .splits_fields = true,
                .unites_populates = false,
                .blank_says_nothing = true,
                .numbers_may_be_nan = true},
    .rules = {.validates_names = true,
              .id_column = "document_id",
              .one_obeys_query = true,
              .status_is_of_drafts = true,
              .filters_replace_locale = true,
              .fragments_inherit_state = true,
              .populates_by_type = true,
              .fields_cut_polymorphic = true,
              .inverses_show_locale = true,
              .ends_text_at_unseen = false,
              .checks_unseen = false,
              .escapes_patterns = true,
              .equals_ignoring_case = true,
              .checks_numbers = true,
              .json_is_text = true,
              .pages_are_windows = true,
              .page_alone_has_one = false,
              .counts_no_locales = false,
              .sorts_by_status = true,
              .splits_populate = true,
              .cuts_populate = true,
              .filters_inverses_by_owner = false,
              .first_part_names_all = false},
    .json = {.has_attributes = false,
             .sets_document_apart = false,
             .type_is_last = true,
             .one_says_type = true,
             .empty_can_be_null = false,
             .empty_can_be_absent = false,
             .wraps_flat_counts = false},
    .json_of_v4 = JsonRules{.has_attributes = true,
                            .sets_document_apart = true,
                            .type_is_last = true,
                            .one_says_type = true,
                            .empty_can_be_null = false,
                            .empty_can_be_absent = false,
                            .wraps_flat_counts = false},
    .accounts = {.permission_role = "up_permissions_role_lnk",
                 .permission_order = "permission_ord",
                 .user_role = "up_users_role_lnk",
                 .token_permission = "strapi_api_token_permissions_token_lnk",
                 .token_permission_order = "api_token_permission_ord",
                 .takes_longer_hashes = false},
    .routes = {.list = list_names_5,
               .entry = entry_names_5,
               .single = single_names_5,
               .files_say_signed = true,
               .has_file_pages = true},
    .entries = {.is_draft_by_default = true, .drafts_are_free = true, .published_are_unique = true},
    .builtin = {.declared = attributes_5, .recent = recent_5, .relations_say_required = true},
    .initial = {.authenticated = authenticated_5,
                .everybody = public_5,
                .migrations = migrations_5},
    .drops_other_indexes = false};

} // namespace db
