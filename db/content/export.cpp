#include "db/content/export.hpp"

#include "db/cms/tables.hpp"
#include "db/content/dump.hpp"
#include "db/content/stored_entries.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace db {

namespace {

parser::Error failed(std::filesystem::path const& path, std::string const& why) {
    return {parser::ErrorKind::configuration, path.string() + ": " + why};
}

// Only the caller may read what users wrote and what identifies them. If somebody else has put
// something there in the meantime, it is not written to.
parser::Result<void> write(std::filesystem::path const& path, std::string_view text) {
    constexpr int as_new = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int const file = ::open(path.c_str(), as_new, S_IRUSR | S_IWUSR);
    if (file < 0) return failed(path, std::strerror(errno));
    int error = 0;
    while (!text.empty() && error == 0) {
        auto const written = ::write(file, text.data(), text.size());
        if (written < 0 && errno != EINTR) error = errno;
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    if (::close(file) != 0 && error == 0) error = errno;
    if (error != 0) return failed(path, std::strerror(error));
    return {};
}

parser::Result<void> make_empty(std::filesystem::path const& folder) {
    std::error_code error;
    auto const name = folder.has_filename() ? folder : folder.parent_path();
    if (name.has_parent_path()) std::filesystem::create_directories(name.parent_path(), error);
    if (error) return failed(folder, error.message());
    if (::mkdir(name.c_str(), S_IRWXU) != 0 && errno != EEXIST)
        return failed(folder, std::strerror(errno));
    bool const is_empty = std::filesystem::is_empty(folder, error);
    if (error) return failed(folder, error.message());
    if (!is_empty) return failed(folder, "expected an empty folder, or none");
    return {};
}

// An incomplete export is removed, since an import could not tell.
void empty(std::filesystem::path const& folder) {
    std::error_code ignored;
    for (auto const& entry : std::filesystem::directory_iterator(folder, ignored))
        std::filesystem::remove(entry.path(), ignored);
}

parser::Result<std::string> locales_of(Connection& connection) {
    auto rows =
        connection.query(SqlPiece("SELECT `code`, `name` FROM `i18n_locale` ORDER BY `id`"));
    if (!rows) return rows.error();
    std::string list;
    while (rows->next())
        list += (list.empty() ? "{\"code\":" : ",{\"code\":") + json_text(rows->text(0)) +
                ",\"name\":" + json_text(rows->text(1)) + '}';
    auto value = connection.query(SqlPiece("SELECT `value` FROM `strapi_core_store_settings`"
                                           " WHERE `key` = 'plugin_i18n_default_locale'"));
    if (!value) return value.error();
    std::string const fallback =
        value->next() ? "\"default\":" + std::string(value->text(0)) + ',' : "";
    return '{' + fallback + "\"list\":[" + list + "]}\n";
}

parser::Result<std::string> access_of(Connection& connection, Schema const& schema) {
    SqlText sql;
    (sql << "SELECT r.`type`, p.`action` FROM `up_roles` r JOIN ")
            .name(schema.cms.accounts.permission_role)
        << " l ON l.`role_id` = r.`id`"
           " JOIN `up_permissions` p ON p.`id` = l.`permission_id` ORDER BY p.`id`";
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    std::map<std::string, std::string> roles;
    while (rows->next()) {
        std::string const role(rows->text(0));
        auto const action = rows->text(1);              // valid until the next text()
        if (!schema.actions.contains(action)) continue; // it writes, or is not served
        auto& actions = roles[role];
        actions += (actions.empty() ? "" : ",") + json_text(action);
    }
    std::string json;
    for (auto const& [role, actions] : roles)
        json += (json.empty() ? "{" : ",") + json_text(role) + ":[" + actions + ']';
    return json.empty() ? "{}\n" : json + "}\n";
}

parser::Result<std::size_t> write_all(Connection& connection, Schema const& schema,
                                      std::filesystem::path const& folder,
                                      ExportOptions const& options, LeftBehind const& left_behind) {
    StoredEntries content(connection, schema, options, left_behind,
                          [](ContentType const&, std::uint64_t) { return true; });
    std::size_t entries = 0;
    for (auto const& [uid, type] : schema.types) {
        if (!has_lines(*type)) continue;
        auto const objects = content.read(*type);
        if (!objects) return objects.error();
        if (objects->empty()) continue;
        std::string lines;
        for (auto const& [id, members] : *objects)
            lines += "{\"id\":" + std::to_string(id) + members + "}\n";
        auto const name = uid == "plugin::upload.file" ? "files" : uid;
        if (auto done = write(folder / (name + ".ndjson"), lines); !done) return done.error();
        entries += objects->size();
    }
    auto const locales = locales_of(connection);
    if (!locales) return locales.error();
    auto const access = access_of(connection, schema);
    if (!access) return access.error();
    if (auto done = write(folder / "locales.json", *locales); !done) return done.error();
    if (auto done = write(folder / "access.json", *access); !done) return done.error();
    return entries;
}

// Everything that is read until the ROLLBACK is of one moment.
parser::Result<void> begin_export(Connection& connection, Schema& schema) {
    auto const tables = read_table_columns(connection);
    if (!tables) return tables.error();
    read_columns(schema, *tables);
    if (!schema.lacks.empty())
        return parser::Error{parser::ErrorKind::configuration, schema.lacks.front().what};
    return connection.command(SqlPiece("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"));
}

void end_export(Connection& connection) {
    (void)connection.command(SqlPiece("ROLLBACK")); // nothing was written
}

} // namespace

parser::Result<std::size_t> export_folder(Connection& connection, Schema& schema,
                                          std::filesystem::path const& folder,
                                          ExportOptions const& options,
                                          LeftBehind const& left_behind) {
    if (auto begun = begin_export(connection, schema); !begun) return begun.error();
    if (auto made = make_empty(folder); !made) return made.error();
    auto entries = write_all(connection, schema, folder, options, left_behind);
    end_export(connection);
    if (!entries) empty(folder);
    return entries;
}

parser::Result<std::size_t> export_sql(Connection& connection, Schema& schema,
                                       std::filesystem::path const& file,
                                       ExportOptions const& options) {
    if (auto begun = begin_export(connection, schema); !begun) return begun.error();
    auto rows = write_dump(connection, schema, file, options.with_secrets);
    end_export(connection);
    return rows;
}

} // namespace db
