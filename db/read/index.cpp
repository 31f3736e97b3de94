#include "db/read/index.hpp"

#include "db/schema/project_folder.hpp"
#include "parser/query_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace db {

namespace {

// FNV-1a: the same on every machine, and short.
std::string hash_of(std::string_view text) {
    std::uint32_t hash = 2'166'136'261;
    for (unsigned char const c : text)
        hash = (hash ^ c) * 16'777'619;
    std::array<char, 8> digits{};
    auto const end = std::to_chars(digits.begin(), digits.end(), hash, 16).ptr;
    return {digits.begin(), end};
}

// Every other part between back-ticks is a name. What else the line has is known.
std::optional<Index> index_in(std::string_view line) {
    auto const parts = parser::split(line, '`');
    if (parts.size() < 7 || parts.size() % 2 == 0) return std::nullopt;
    Index index{.table = std::string(parts[3])};
    for (std::size_t i = 5; i < parts.size(); i += 2)
        index.columns.push_back({std::string(parts[i]), parts[i + 1].starts_with(" DESC")});
    bool const is_ours =
        creation_of(index).str() + ';' == line || creation_of(index, true).str() + ';' == line;
    return is_ours ? std::optional(std::move(index)) : std::nullopt;
}

constexpr SqlPiece all_parts =
    "SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME, COLLATION, NON_UNIQUE, SUB_PART"
    " FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND INDEX_TYPE = 'BTREE'"
    " ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX";

constexpr SqlPiece rows_of_all = "SELECT TABLE_NAME, TABLE_ROWS"
                                 " FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()";

} // namespace

std::string name_of(Index const& index) {
    constexpr std::size_t longest = 64;
    std::string name("pf");
    for (auto const& [column, descending] : index.columns)
        name.append("_").append(column).append(descending ? "_desc" : "");
    if (name.size() <= longest) return name;
    auto const hash = '_' + hash_of(name);
    return name.substr(0, longest - hash.size()) + hash;
}

SqlText creation_of(Index const& index, bool is_hidden) {
    SqlText sql("CREATE INDEX ");
    sql.name(name_of(index)) << " ON ";
    sql.name(index.table) << " (";
    bool is_first = true;
    for (auto const& [column, descending] : index.columns) {
        if (!is_first) sql << ", ";
        is_first = false;
        sql.name(column);
        if (descending) sql << " DESC";
    }
    sql << (is_hidden ? SqlPiece(") INVISIBLE") : SqlPiece(")"));
    return sql << " ALGORITHM=INPLACE LOCK=NONE";
}

SqlText removal_of(Index const& index) {
    SqlText sql("ALTER TABLE ");
    sql.name(index.table) << " DROP INDEX ";
    return sql.name(name_of(index)) << ", ALGORITHM=INPLACE, LOCK=NONE";
}

parser::Result<std::vector<Index>> read_indexes(std::string_view text) {
    std::vector<Index> indexes;
    for (std::string_view const line : parser::split(text, '\n')) {
        if (line.empty() || line.starts_with("--") || line == short_lock_wait) continue;
        auto index = index_in(line);
        if (!index)
            return parser::Error{parser::ErrorKind::invalid,
                                 "expected a line of `indexes suggest`, received " +
                                     std::string(line)};
        indexes.push_back(*std::move(index));
    }
    return indexes;
}

parser::Result<std::vector<Index>> read_index_file(std::filesystem::path const& path) {
    auto const text = read_text(path);
    if (!text) return text.error();
    return read_indexes(*text);
}

parser::Result<std::vector<ExistingIndex>> read_existing_indexes(Connection& connection) {
    auto rows = connection.query(all_parts);
    if (!rows) return rows.error();
    std::vector<ExistingIndex> indexes;
    bool is_whole = true; // all columns so far are, of the last index
    while (rows->next()) {
        std::string const table(rows->text(0)), name(rows->text(1));
        bool const is_new =
            indexes.empty() || indexes.back().name != name || indexes.back().index.table != table;
        if (is_new) {
            indexes.push_back({{table}, name, rows->text(4) == "0"});
            is_whole = true;
        }
        // MySQL has no name for an expression.
        is_whole = is_whole && rows->text(2).data() && !rows->text(5).data();
        if (!is_whole) {
            indexes.back().is_unique = false;
            continue;
        }
        indexes.back().index.columns.push_back({std::string(rows->text(2)), rows->text(3) == "D"});
    }
    return indexes;
}

parser::Result<std::vector<Index>> missing_indexes(Connection& connection,
                                                   std::vector<Index> indexes) {
    auto const existing = read_existing_indexes(connection);
    if (!existing) return existing.error();
    std::erase_if(indexes, [&](Index const& index) {
        return std::ranges::any_of(*existing,
                                   [&](ExistingIndex const& one) { return one.is(index); });
    });
    return indexes;
}

parser::Result<std::map<std::string, std::uint64_t, std::less<>>>
read_table_rows(Connection& connection) {
    auto tables = connection.query(rows_of_all);
    if (!tables) return tables.error();
    std::map<std::string, std::uint64_t, std::less<>> rows;
    while (tables->next())
        rows[std::string(tables->text(0))] = tables->id(1);
    return rows;
}

} // namespace db
