#include "db/content/export.hpp"

#include "db/cms/tables.hpp"
#include "db/content/cms_rows.hpp"
#include "db/content/create_tables.hpp"
#include "db/content/layout.hpp"
#include "db/content/record.hpp"
#include "db/content/stored_entries.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace db {

namespace {

namespace fs = std::filesystem;

// Bytes of a statement: phpMyAdmin reads statements one by one, and servers take 16 MiB by default.
constexpr std::size_t most_bytes = 256 * 1024;
constexpr std::uint64_t rows_at_once = 1'000;

constexpr std::string_view first_lines = "SET NAMES utf8mb4;\n"
                                         "SET time_zone = '+00:00';\n"
                                         "SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO';\n"
                                         "SET foreign_key_checks = 0;\n";
constexpr std::string_view last_lines = "SET foreign_key_checks = 1;\n";

parser::Error failed(fs::path const& path, std::string const& why) {
    return {parser::ErrorKind::configuration, path.string() + ": " + why};
}

// A new file, compressed if its name ends in `.gz`, and removed if it is not finished. Only the
// caller may read what users wrote and what identifies them. If somebody else has put something
// there in the meantime, it is not written to.
class NewFile {
  public:
    explicit NewFile(fs::path path) : path_(std::move(path)) {
        constexpr int as_new = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
        int const file = ::open(path_.c_str(), as_new, S_IRUSR | S_IWUSR);
        is_unfinished_ = file >= 0;
        if (file >= 0) stream_ = gzdopen(file, path_.extension() == ".gz" ? "wb" : "wbT");
        if (stream_) return;
        note_error();
        if (file >= 0) ::close(file);
    }
    NewFile(NewFile const&) = delete;
    NewFile& operator=(NewFile const&) = delete;
    ~NewFile() {
        if (stream_) gzclose(stream_);
        if (is_unfinished_) unlink(path_.c_str());
    }

    void write(std::string_view text) {
        if (error_ == 0 && gzwrite(stream_, text.data(), static_cast<unsigned>(text.size())) == 0)
            note_error();
    }
    parser::Result<void> finish() {
        if (stream_ && gzclose(stream_) != Z_OK) note_error();
        stream_ = nullptr;
        if (error_ == 0) is_unfinished_ = false;
        return status();
    }
    parser::Result<void> status() const {
        if (error_ == 0) return {};
        return failed(path_, std::strerror(error_));
    }

  private:
    // zlib reports only that there was an error.
    void note_error() {
        if (error_ == 0) error_ = errno == 0 ? EIO : errno;
    }

    fs::path const path_;
    gzFile stream_ = nullptr;
    bool is_unfinished_ = false;
    int error_ = 0;
};

// Quotes as mysqldump does, so that any sql_mode but NO_BACKSLASH_ESCAPES reads it.
void append_quoted(std::string& sql, std::string_view value) {
    if (!value.data()) {
        sql += "NULL";
        return;
    }
    sql += '\'';
    for (char const c : value) {
        constexpr std::string_view special("\0\n\r\x1a'\\", 6);
        constexpr std::string_view escaped("0nrZ'\\", 6);
        auto const at = special.find(c);
        if (at != special.npos) sql += '\\';
        sql += at == special.npos ? c : escaped[at];
    }
    sql += '\'';
}

bool is_secret(ContentType const& type, Attribute const& attribute) {
    constexpr std::string_view of_admins[] = {"resetPasswordToken", "registrationToken",
                                              "accessKey", "encryptedKey"};
    return is_credential(type, attribute) ||
           (type.uid.starts_with("admin::") &&
            std::ranges::find(of_admins, attribute.name) != std::end(of_admins));
}

class Dump {
  public:
    Dump(Connection& connection, Schema const& schema, NewFile& file, bool with_secrets)
        : connection_(connection), file_(file), with_secrets_(with_secrets) {
        if (with_secrets) return;
        for (auto const& [uid, type] : schema.types)
            for (auto const& attribute : type->attributes)
                if (attribute.is_scalar() && is_secret(*type, attribute))
                    secrets_.insert(type->table + '.' + attribute.column);
    }

    parser::Result<std::size_t> write(std::vector<TableDefinition> const& tables) {
        auto const existing = read_existing_tables(connection_);
        if (!existing) return existing.error();
        auto const defaults = read_defaults();
        if (!defaults) return defaults.error();
        file_.write(first_lines);
        for (auto const& table : tables) {
            SqlText drop("DROP TABLE IF EXISTS ");
            file_.write(drop.name(table.name).str() + ";\n" + create_table(table, *defaults).str() +
                        ";\n");
            auto const* found = find_table(*existing, table.name);
            if (auto done = found ? write_rows(table, *found) : parser::Result<void>(); !done)
                return done.error();
        }
        file_.write(last_lines);
        return rows_;
    }

  private:
    // Returns the character set and collation by which the content's text is compared.
    parser::Result<SqlText> read_defaults() {
        auto rows = connection_.query(
            SqlPiece("SELECT TABLE_COLLATION FROM information_schema.TABLES"
                     " WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'up_roles'"));
        if (!rows) return rows.error();
        SqlText defaults = SqlPiece(" DEFAULT CHARACTER SET utf8mb4");
        if (rows->next() && rows->text(0).starts_with("utf8mb4_"))
            (defaults << " COLLATE ").name(rows->text(0));
        return defaults;
    }

    parser::Result<void> write_rows(TableDefinition const& table, ExistingTable const& existing) {
        auto const missing = missing_parts(table, existing).columns;
        SqlText into, select;
        (into << "INSERT INTO ").name(table.name) << " (`id`";
        select << "SELECT `id`";
        unsigned columns = 1;
        for (auto const& column : table.columns) {
            if (std::ranges::find(missing, column.name, &ColumnDefinition::name) != missing.end())
                continue;
            ++columns;
            (into << ", ").name(column.name);
            select << ", ";
            if (secrets_.contains(table.name + '.' + column.name))
                select << "NULL";
            else
                select.name(column.name);
        }
        into << ") VALUES\n";
        (select << " FROM ").name(table.name) << " WHERE `id` > ";
        for (std::uint64_t last = 0;;) {
            SqlText page = select;
            page.integer(last);
            // Other settings than these two may hold keys to other services.
            if (table.name == "strapi_core_store_settings" && !with_secrets_)
                page << " AND `key` IN"
                        " ('plugin_i18n_default_locale', 'plugin_users-permissions_advanced')";
            (page << " ORDER BY `id`").limit(rows_at_once);
            auto cells = connection_.query(page);
            if (!cells) return cells.error();
            if (cells->rows() == 0) return {};
            last = write_page(*cells, columns, into.str());
            if (auto written = file_.status(); !written) return written;
        }
    }

    // Returns the last id.
    std::uint64_t write_page(Cursor& cells, unsigned columns, std::string const& into) {
        std::string statement;
        std::uint64_t last = 0;
        while (cells.next()) {
            last = cells.id(0);
            statement += statement.empty() ? into + "(" : ",\n(";
            for (unsigned i = 0; i < columns; ++i) {
                if (i > 0) statement += ',';
                append_quoted(statement, cells.text(i));
            }
            statement += ')';
            ++rows_;
            if (statement.size() < most_bytes) continue;
            file_.write(statement + ";\n");
            statement.clear();
        }
        if (!statement.empty()) file_.write(statement + ";\n");
        return last;
    }

    Connection& connection_;
    NewFile& file_;
    bool const with_secrets_;
    std::set<std::string> secrets_; // `table.column`
    std::size_t rows_ = 0;
};

parser::Result<void> make_empty(fs::path const& folder) {
    std::error_code error;
    auto const name = folder.has_filename() ? folder : folder.parent_path();
    if (name.has_parent_path()) fs::create_directories(name.parent_path(), error);
    if (error) return failed(folder, error.message());
    if (::mkdir(name.c_str(), S_IRWXU) != 0 && errno != EEXIST)
        return failed(folder, std::strerror(errno));
    bool const is_empty = fs::is_empty(folder, error);
    if (error) return failed(folder, error.message());
    if (!is_empty) return failed(folder, "expected an empty folder, or none");
    return {};
}

// An incomplete export is removed, since an import could not tell.
void empty(fs::path const& folder) {
    std::error_code ignored;
    for (auto const& entry : fs::directory_iterator(folder, ignored))
        fs::remove(entry.path(), ignored);
}

parser::Result<std::size_t> write_all(Connection& connection, Schema const& schema,
                                      fs::path const& folder, bool with_secrets,
                                      LeftBehind const& left_behind) {
    StoredEntries content(connection, schema, with_secrets, left_behind,
                          [](ContentType const&, std::uint64_t) { return true; });
    std::size_t entries = 0;
    for (auto const& [uid, type] : schema.types) {
        if (!has_lines(*type)) continue;
        auto const objects = content.read(*type);
        if (!objects) return objects.error();
        if (objects->empty()) continue;
        NewFile file(folder / ((uid == "plugin::upload.file" ? "files" : uid) + ".ndjson"));
        for (auto const& [id, members] : *objects)
            file.write("{\"id\":" + std::to_string(id) + members + "}\n");
        if (auto done = file.finish(); !done) return done.error();
        entries += objects->size();
    }
    std::pair<char const*, parser::Result<std::string>> const others[] = {
        {"locales.json", locales_json(connection)},
        {"access.json", access_json(connection, schema)}};
    for (auto const& [name, text] : others) {
        if (!text) return text.error();
        NewFile file(folder / name);
        file.write(*text);
        if (auto done = file.finish(); !done) return done.error();
    }
    return entries;
}

parser::Result<std::size_t> write_dump(Connection& connection, Schema const& schema,
                                       fs::path const& path, bool with_secrets) {
    auto const tables = layout(schema);
    if (!tables) return tables.error();
    NewFile file(path);
    if (auto made = file.status(); !made) return made.error();
    auto const rows = Dump(connection, schema, file, with_secrets).write(*tables);
    if (!rows) return rows;
    if (auto done = file.finish(); !done) return done.error();
    return rows;
}

// Calls `write`. Everything that it reads is of one moment.
template<class Write>
parser::Result<std::size_t> in_snapshot(Connection& connection, Schema& schema,
                                        Write const& write) {
    auto const tables = read_table_columns(connection);
    if (!tables) return tables.error();
    read_columns(schema, *tables);
    if (!schema.missing.empty())
        return parser::Error{parser::ErrorKind::configuration, schema.missing.front().what};
    auto begun =
        connection.command(SqlPiece("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"));
    if (!begun) return begun.error();
    parser::Result<std::size_t> count = write();
    (void)connection.command(SqlPiece("ROLLBACK")); // nothing was written
    return count;
}

} // namespace

parser::Result<std::size_t> export_folder(Connection& connection, Schema& schema,
                                          fs::path const& folder, bool with_secrets,
                                          LeftBehind const& left_behind) {
    return in_snapshot(connection, schema, [&]() -> parser::Result<std::size_t> {
        if (auto made = make_empty(folder); !made) return made.error();
        auto const entries = write_all(connection, schema, folder, with_secrets, left_behind);
        if (!entries) empty(folder);
        return entries;
    });
}

parser::Result<std::size_t> export_sql(Connection& connection, Schema& schema, fs::path const& file,
                                       bool with_secrets) {
    return in_snapshot(connection, schema,
                       [&] { return write_dump(connection, schema, file, with_secrets); });
}

} // namespace db
