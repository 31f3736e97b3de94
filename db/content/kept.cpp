#include "db/content/kept.hpp"

#include "db/content/cells.hpp"
#include "db/content/record.hpp"

#include <algorithm>

namespace db {

namespace {

bool has_own_column(Attribute const& attribute) {
    return attribute.owns_link && attribute.link.place == Link::Storage::parent_column;
}

void append(SqlText& sql, std::optional<std::string> const& value) {
    if (value)
        sql.text(*value);
    else
        sql << "NULL";
}

// Appends the column, which is NULL if its row is replaced, too.
void select_reference(SqlText& sql, Link const& link, std::string const& column,
                      ReplacedTypes const& replaced) {
    sql << ", CASE WHEN ";
    sql.name(link.target_type_column) << " IN (NULL";
    for (auto const* type : replaced.types())
        (sql << ", ").text(type->uid);
    (sql << ") THEN NULL ELSE ").name(column) << " END";
}

} // namespace

bool Kept::is_time(ContentType const& type, Attribute const& attribute) {
    auto const& name = attribute.name;
    return type.kind != ContentType::Kind::component &&
           (name == "createdAt" || name == "updatedAt" || name == "publishedAt");
}

parser::Result<void> Kept::read(Connection& connection, Schema const& schema,
                                ReplacedTypes const& replaced, bool of_lines) {
    for (auto const& [uid, type] : schema.types) {
        bool const is_rewritten =
            replaced.contains(*type) || type->kind == ContentType::Kind::component;
        if (!is_rewritten) continue;
        auto& kept = types_[type.get()];
        SqlText links, scalars;
        for (auto const& attribute : type->attributes) {
            auto const& link = attribute.link;
            bool const is_value = of_lines && attribute.is_scalar() &&
                                  (is_time(*type, attribute) || is_credential(*type, attribute));
            if (is_value) kept.scalars.push_back(attribute.column);
            if (is_value) (scalars << ", ").name(attribute.column);
            if (!has_own_column(attribute)) continue;
            if (attribute.is_polymorphic()) {
                for (auto const& column : {link.target_column, link.target_type_column}) {
                    kept.links.push_back(column);
                    select_reference(links, link, column, replaced);
                }
            } else if (!replaced.contains(*attribute.target)) {
                kept.links.push_back(link.target_column);
                (links << ", ").name(link.target_column);
            }
        }
        if (kept.links.empty() && kept.scalars.empty()) continue;
        SqlText sql(SqlPiece("SELECT `id`"));
        (sql << links << scalars << " FROM ").name(type->table);
        if (auto done = read_rows(connection, sql, kept); !done) return done;
    }
    return {};
}

parser::Result<void> Kept::read_rows(Connection& connection, SqlText const& sql, Type& type) {
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    auto const columns = static_cast<unsigned>(type.links.size() + type.scalars.size());
    while (rows->next()) {
        auto const id = integer_cell(rows->text(0));
        Values values;
        for (unsigned column = 1; column <= columns; ++column) {
            auto const cell = rows->text(column);
            values.push_back(cell.data() ? std::optional(std::string(cell)) : std::nullopt);
        }
        bool const has_any = std::ranges::any_of(values, [](auto const& value) { return !!value; });
        if (has_any) type.rows.emplace(id, std::move(values));
    }
    return {};
}

Kept::Type const& Kept::find(ContentType const& type) const {
    static Type const none;
    auto const found = types_.find(&type);
    return found == types_.end() ? none : found->second;
}

std::vector<std::string> const& Kept::links_of(ContentType const& type) const {
    return find(type).links;
}

void Kept::append_links(Insertion::Row& row, ContentType const& type, std::uint64_t id) const {
    auto const& kept = find(type);
    auto const found = kept.rows.find(id);
    for (std::size_t i = 0; i < kept.links.size(); ++i)
        append(row.next(), found == kept.rows.end() ? std::nullopt : found->second[i]);
}

SqlText Kept::value(ContentType const& type, std::uint64_t id, Attribute const& attribute) const {
    auto const& kept = find(type);
    auto const found = kept.rows.find(id);
    auto const column = std::ranges::find(kept.scalars, attribute.column) - kept.scalars.begin();
    SqlText sql;
    append(sql, found == kept.rows.end()
                    ? std::nullopt
                    : found->second[kept.links.size() + static_cast<std::size_t>(column)]);
    return sql;
}

} // namespace db
