#include "db/read/index.hpp"

#include "db/schema/project_folder.hpp"

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

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at != text.npos;) {
        auto const end = text.find(separator, at);
        parts.push_back(text.substr(at, end - at));
        at = end == text.npos ? end : end + 1;
    }
    return parts;
}

// Every other part between back-ticks is a name. What else the line has is known.
std::optional<Index> index_in(std::string_view line) {
    auto const parts = split(line, '`');
    if (parts.size() < 7 || parts.size() % 2 == 0) return std::nullopt;
    Index index{.table = std::string(parts[3])};
    for (std::size_t i = 5; i < parts.size(); i += 2)
        index.columns.push_back({std::string(parts[i]), parts[i + 1].starts_with(" DESC")});
    bool const is_ours =
        creation_of(index).str() + ';' == line || creation_of(index, true).str() + ';' == line;
    return is_ours ? std::optional(std::move(index)) : std::nullopt;
}

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
    for (std::string_view const line : split(text, '\n')) {
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

} // namespace db
