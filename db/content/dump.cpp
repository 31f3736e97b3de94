#include "db/content/dump.hpp"

#include "db/content/ddl.hpp"
#include "db/content/missing.hpp"
#include "db/content/record.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <string>
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

// A new file that only the caller can read, compressed if its name ends in `.gz`. It is removed if
// it is not finished.
class DumpFile {
  public:
    explicit DumpFile(fs::path path) : path_(std::move(path)) {
        constexpr int as_new = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
        int const file = ::open(path_.c_str(), as_new, S_IRUSR | S_IWUSR);
        if (file < 0) return;
        stream_ = gzdopen(file, path_.extension() == ".gz" ? "wb" : "wbT");
        if (!stream_) ::close(file);
        is_unfinished_ = true;
    }
    DumpFile(DumpFile const&) = delete;
    DumpFile& operator=(DumpFile const&) = delete;
    ~DumpFile() {
        if (stream_) gzclose(stream_);
        if (is_unfinished_) unlink(path_.c_str());
    }

    bool is_open() const { return stream_ != nullptr; }
    void write(std::string_view text) {
        if (error_ == 0 && gzwrite(stream_, text.data(), static_cast<unsigned>(text.size())) == 0)
            note_error();
    }
    parser::Result<void> finish() {
        if (gzclose(stream_) != Z_OK) note_error();
        stream_ = nullptr;
        is_unfinished_ = error_ != 0;
        return status();
    }
    parser::Result<void> status() const {
        if (error_ != 0) return error(error_);
        return {};
    }
    parser::Error error(int number) const {
        return {parser::ErrorKind::configuration, path_.string() + ": " + std::strerror(number)};
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
    Dump(Connection& connection, Schema const& schema, DumpFile& file, bool with_secrets)
        : connection_(connection), file_(file), with_secrets_(with_secrets) {
        if (with_secrets) return;
        for (auto const& [uid, type] : schema.types)
            for (auto const& attribute : type->attributes)
                if (attribute.is_scalar() && is_secret(*type, attribute))
                    secrets_.insert(type->table + '.' + attribute.column);
    }

    parser::Result<std::size_t> write(std::vector<Table> const& tables) {
        auto const existing = ExistingTables::read(connection_);
        if (!existing) return existing.error();
        auto const defaults = read_defaults();
        if (!defaults) return defaults.error();
        file_.write(first_lines);
        for (auto const& table : tables) {
            SqlText drop;
            (drop << "DROP TABLE IF EXISTS ").name(table.name);
            file_.write(drop.str() + ";\n" + create_table(table, *defaults).str() + ";\n");
            auto const* found = existing->find(table.name);
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

    parser::Result<void> write_rows(Table const& table, ExistingTable const& existing) {
        auto const missing = missing_parts(table, existing).columns;
        SqlText into, select;
        (into << "INSERT INTO ").name(table.name) << " (`id`";
        select << "SELECT `id`";
        unsigned columns = 1;
        for (auto const& column : table.columns) {
            if (std::ranges::find(missing, column.name, &Column::name) != missing.end()) continue;
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
    DumpFile& file_;
    bool const with_secrets_;
    std::set<std::string> secrets_; // `table.column`
    std::size_t rows_ = 0;
};

} // namespace

parser::Result<std::size_t> write_dump(Connection& connection, Schema const& schema,
                                       fs::path const& path, bool with_secrets) {
    auto const tables = layout(schema);
    if (!tables) return tables.error();
    DumpFile file(path);
    if (!file.is_open()) return file.error(errno);
    auto const rows = Dump(connection, schema, file, with_secrets).write(*tables);
    if (!rows) return rows;
    if (auto done = file.finish(); !done) return done.error();
    return rows;
}

} // namespace db
