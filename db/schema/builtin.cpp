#include "db/schema/declaration.hpp"

#include <boost/json.hpp>

namespace db {

namespace {

// The types as Strapi 4.26 declares them. Cms::builtin has what a version declares differently; a
// project's extension may replace a type's attributes.
constexpr std::string_view builtin_types = R"json({
"plugin::upload.file": {
  "collectionName": "files",
  "info": {"singularName": "file", "pluralName": "files", "displayName": "File"},
  "pluginOptions": {"content-manager": {"visible": false},
                    "content-type-builder": {"visible": false}},
  "indexes": [
    {"name": "upload_files_folder_path_index", "columns": ["folder_path"]},
    {"name": "upload_files_created_at_index", "columns": ["created_at"]},
    {"name": "upload_files_updated_at_index", "columns": ["updated_at"]},
    {"name": "upload_files_name_index", "columns": ["name"]},
    {"name": "upload_files_size_index", "columns": ["size"]},
    {"name": "upload_files_ext_index", "columns": ["ext"]}
  ],
  "attributes": {
    "name": {"type": "string", "configurable": false, "required": true},
    "alternativeText": {"type": "string", "configurable": false},
    "caption": {"type": "string", "configurable": false},
    "width": {"type": "integer", "configurable": false},
    "height": {"type": "integer", "configurable": false},
    "formats": {"type": "json", "configurable": false},
    "hash": {"type": "string", "configurable": false, "required": true},
    "ext": {"type": "string", "configurable": false},
    "mime": {"type": "string", "configurable": false, "required": true},
    "size": {"type": "decimal", "configurable": false, "required": true},
    "url": {"type": "string", "configurable": false, "required": true},
    "previewUrl": {"type": "string", "configurable": false},
    "provider": {"type": "string", "configurable": false, "required": true},
    "provider_metadata": {"type": "json", "configurable": false},
    "related": {"type": "relation", "relation": "morphToMany", "configurable": false},
    "folder": {"type": "relation", "relation": "manyToOne", "target": "plugin::upload.folder",
               "inversedBy": "files", "private": true},
    "folderPath": {"type": "string", "min": 1, "required": true, "private": true,
                   "searchable": false}
  }
},
"plugin::upload.folder": {
  "collectionName": "upload_folders",
  "info": {"singularName": "folder", "pluralName": "folders"},
  "indexes": [
    {"name": "upload_folders_path_id_index", "columns": ["path_id"], "type": "unique"},
    {"name": "upload_folders_path_index", "columns": ["path"], "type": "unique"}
  ],
  "attributes": {
    "name": {"type": "string"},
    "pathId": {"type": "integer"},
    "parent": {"type": "relation", "relation": "manyToOne", "target": "plugin::upload.folder",
               "inversedBy": "children"},
    "children": {"type": "relation", "relation": "oneToMany", "target": "plugin::upload.folder",
                 "mappedBy": "parent"},
    "files": {"type": "relation", "relation": "oneToMany", "target": "plugin::upload.file",
              "mappedBy": "folder"},
    "path": {"type": "string"}
  }
},
"plugin::users-permissions.user": {
  "collectionName": "up_users",
  "info": {"singularName": "user", "pluralName": "users", "displayName": "User"},
  "options": {"draftAndPublish": false, "timestamps": true},
  "attributes": {
    "username": {"type": "string", "minLength": 3, "unique": true, "configurable": false,
                 "required": true},
    "email": {"type": "email", "minLength": 6, "configurable": false, "required": true},
    "provider": {"type": "string", "configurable": false},
    "password": {"type": "password", "minLength": 6, "configurable": false, "private": true,
                 "searchable": false},
    "resetPasswordToken": {"type": "string", "configurable": false, "private": true,
                           "searchable": false},
    "confirmationToken": {"type": "string", "configurable": false, "private": true,
                          "searchable": false},
    "confirmed": {"type": "boolean", "default": false, "configurable": false},
    "blocked": {"type": "boolean", "default": false, "configurable": false},
    "role": {"type": "relation", "relation": "manyToOne",
             "target": "plugin::users-permissions.role", "inversedBy": "users",
             "configurable": false}
  }
},
"plugin::users-permissions.role": {
  "collectionName": "up_roles",
  "info": {"singularName": "role", "pluralName": "roles", "displayName": "Role"},
  "pluginOptions": {"content-manager": {"visible": false},
                    "content-type-builder": {"visible": false}},
  "attributes": {
    "name": {"type": "string", "minLength": 3, "required": true, "configurable": false},
    "description": {"type": "string", "configurable": false},
    "type": {"type": "string", "unique": true, "configurable": false},
    "permissions": {"type": "relation", "relation": "oneToMany",
                    "target": "plugin::users-permissions.permission", "mappedBy": "role",
                    "configurable": false},
    "users": {"type": "relation", "relation": "oneToMany",
              "target": "plugin::users-permissions.user", "mappedBy": "role",
              "configurable": false}
  }
},
"plugin::users-permissions.permission": {
  "collectionName": "up_permissions",
  "info": {"singularName": "permission", "pluralName": "permissions"},
  "attributes": {
    "action": {"type": "string"},
    "role": {"type": "relation", "relation": "manyToOne",
             "target": "plugin::users-permissions.role", "inversedBy": "permissions"}
  }
},
"plugin::i18n.locale": {
  "collectionName": "i18n_locale",
  "info": {"singularName": "locale", "pluralName": "locales", "displayName": "Locale"},
  "pluginOptions": {"content-manager": {"visible": false},
                    "content-type-builder": {"visible": false}},
  "attributes": {
    "name": {"type": "string", "min": 1, "max": 50, "configurable": false},
    "code": {"type": "string", "unique": true, "configurable": false}
  }
},
"admin::user": {
  "collectionName": "admin_users",
  "info": {"singularName": "user", "pluralName": "users"},
  "attributes": {
    "firstname": {"type": "string"},
    "lastname": {"type": "string"},
    "username": {"type": "string"},
    "email": {"type": "email", "private": true},
    "password": {"type": "password", "private": true, "searchable": false},
    "resetPasswordToken": {"type": "string", "private": true, "searchable": false},
    "registrationToken": {"type": "string", "private": true, "searchable": false},
    "isActive": {"type": "boolean", "private": true},
    "roles": {"type": "relation", "relation": "manyToMany", "target": "admin::role",
              "inversedBy": "users", "private": true},
    "blocked": {"type": "boolean", "private": true},
    "preferedLanguage": {"type": "string", "searchable": false}
  }
},
"admin::role": {
  "collectionName": "admin_roles",
  "info": {"singularName": "role", "pluralName": "roles"},
  "attributes": {
    "name": {"type": "string"},
    "code": {"type": "string"},
    "description": {"type": "string"},
    "users": {"type": "relation", "relation": "manyToMany", "target": "admin::user",
              "mappedBy": "roles"}
  }
},
"admin::api-token": {
  "collectionName": "strapi_api_tokens",
  "info": {"singularName": "api-token", "pluralName": "api-tokens"},
  "attributes": {
    "name": {"type": "string"},
    "description": {"type": "string"},
    "type": {"type": "string"},
    "accessKey": {"type": "string", "private": true, "searchable": false},
    "lastUsedAt": {"type": "datetime"},
    "permissions": {"type": "relation", "relation": "oneToMany",
                    "target": "admin::api-token-permission", "mappedBy": "token"},
    "expiresAt": {"type": "datetime"},
    "lifespan": {"type": "biginteger"}
  }
},
"admin::api-token-permission": {
  "collectionName": "strapi_api_token_permissions",
  "info": {"singularName": "api-token-permission", "pluralName": "api-token-permissions"},
  "attributes": {
    "action": {"type": "string"},
    "token": {"type": "relation", "relation": "manyToOne", "target": "admin::api-token",
              "inversedBy": "permissions"}
  }
}
})json";

void declare_besides(boost::json::object& attributes, boost::json::object const& others) {
    boost::json::object all;
    for (auto const& [name, attribute] : attributes) {
        auto const* other = others.find(name);
        all[name] = other == others.end() ? attribute : other->value();
        if (other == others.end()) continue;
        for (++other; other != others.end() && !attributes.contains(other->key()); ++other)
            all[other->key()] = other->value();
    }
    attributes = std::move(all);
}

} // namespace

std::vector<SchemaFile> builtin_files(Cms const& cms) {
    auto types = boost::json::parse(builtin_types).as_object();
    auto const others = boost::json::parse(cms.builtin.declared);
    for (auto const& [uid, declared] : others.as_object())
        declare_besides(types.at(uid).at("attributes").as_object(), declared.as_object());
    std::vector<SchemaFile> files;
    for (auto const& [uid, content] : types)
        files.push_back({uid, "built-in type " + std::string(uid), content.as_object(), {}, false});
    return files;
}

std::vector<std::string> builtin_actions(RouteRules const& routes) {
    std::vector<std::string> actions{
        "plugin::users-permissions.user.find",
        "plugin::users-permissions.user.findOne",
        "plugin::users-permissions.user.me",
        "plugin::users-permissions.user.count",
        "plugin::users-permissions.role.find",
        "plugin::users-permissions.role.findOne",
        "plugin::users-permissions.permissions.getPermissions",
        "plugin::users-permissions.auth.connect",
        "plugin::upload.content-api.find",
        "plugin::upload.content-api.findOne",
        "plugin::i18n.locales.listLocales",
        "plugin::content-type-builder.content-types.getContentTypes",
        "plugin::content-type-builder.content-types.getContentType",
        "plugin::content-type-builder.components.getComponents",
        "plugin::content-type-builder.components.getComponent",
    };
    if (routes.has_file_pages) actions.push_back("plugin::upload.content-api.findPage");
    return actions;
}

} // namespace db
