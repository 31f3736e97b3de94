#include "db/read/statement.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace db {

namespace {

void append_literal(SqlText& sql, Literal const& literal) {
    if (auto const* text = std::get_if<std::string>(&literal))
        sql.text(*text);
    else if (auto const* number = std::get_if<double>(&literal))
        sql.number(*number);
    else if (auto const* truth = std::get_if<bool>(&literal))
        sql << (*truth ? SqlPiece("TRUE") : SqlPiece("FALSE"));
    else
        sql << "NULL";
}

void append_list(SqlText& sql, std::vector<Literal> const& values) {
    sql << "(";
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) sql << ", ";
        append_literal(sql, values[i]);
    }
    sql << ")";
}

// How a comparison is written.
struct ComparisonSql {
    enum class Syntax : std::uint8_t {
        infix,    // column, text, values with AND between them
        folded,   // LOWER(column), text, LOWER(value)
        list,     // column, text, (value, …); without values a constant
        function, // JSON_CONTAINS(column, value)
        itself,   // column, text, column
    };
    Comparator comparator;
    SqlPiece text;
    Syntax syntax = Syntax::infix;
    bool negates = false;
};

// The rows are in the order of the enumerators, so that each comparator finds its row.
constexpr auto comparisons = [] {
    using enum Comparator;
    using enum ComparisonSql::Syntax;
    return std::to_array<ComparisonSql>({
        {eq, " = "},
        {ne, " <> ", infix, true},
        {lt, " < "},
        {lte, " <= "},
        {gt, " > "},
        {gte, " >= "},
        {in, " IN ", list},
        {not_in, " NOT IN ", list, true},
        {between, " BETWEEN "},
        {is_null, " IS NULL"},
        {is_not_null, " IS NOT NULL"},
        {like, " LIKE "},
        {not_like, " NOT LIKE ", infix, true},
        {likei, " LIKE ", folded},
        {not_likei, " NOT LIKE ", folded, true},
        {eqi, " = ", folded},
        {nei, " <> ", folded, true},
        {json_contains, "", function},
        {never, " <> ", itself},
    });
}();

constexpr ComparisonSql const& comparison_of(Comparator comparator) {
    return comparisons[static_cast<std::size_t>(comparator)];
}

static_assert(comparisons.size() == static_cast<std::size_t>(Comparator::never) + 1);
static_assert(std::ranges::all_of(comparisons, [](ComparisonSql const& row) {
    return &comparison_of(row.comparator) == &row;
}));

void append_comparison(SqlText& sql, Condition const& condition, unsigned table) {
    using enum ComparisonSql::Syntax;
    ComparisonSql const& comparison = comparison_of(condition.comparator);
    auto const& values = condition.values;
    switch (comparison.syntax) {
    case folded:
        sql << "LOWER(";
        sql.column(table, condition.column) << ")" << comparison.text << "LOWER(";
        append_literal(sql, values[0]);
        sql << ")";
        return;
    case function:
        sql << "JSON_CONTAINS(";
        sql.column(table, condition.column) << ", ";
        append_literal(sql, values[0]);
        sql << ")";
        return;
    case itself:
        sql.column(table, condition.column) << comparison.text;
        sql.column(table, condition.column);
        return;
    case list:
        if (values.empty()) {
            sql << (comparison.negates ? SqlPiece("TRUE") : SqlPiece("FALSE"));
            return;
        }
        sql.column(table, condition.column) << comparison.text;
        return append_list(sql, values);
    case infix:
        sql.column(table, condition.column) << comparison.text;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0) sql << " AND "; // of BETWEEN
            append_literal(sql, values[i]);
        }
    }
}

void append_members(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases) {
    bool const any = condition.kind == ConditionKind::any_of;
    if (condition.members.empty()) {
        if (any)
            sql << "FALSE";
        else
            sql << "TRUE";
        return;
    }
    sql << "(";
    for (std::size_t i = 0; i < condition.members.size(); ++i) {
        if (i > 0) {
            if (any)
                sql << " OR ";
            else
                sql << " AND ";
        }
        append_condition(sql, condition.members[i], table, aliases);
    }
    sql << ")";
}

// Returns the alias of the table that has the link's columns: its own, or that of the related rows.
unsigned alias_of(Link const& link, unsigned related, Aliases& aliases) {
    return link.storage == Link::Storage::table ? aliases.next() : related;
}

// Appends ` JOIN target ON …`, for a link in a table of its own.
void append_join_of_target(SqlText& sql, Link const& link, ContentType const& target,
                           unsigned related, unsigned links) {
    sql << " JOIN ";
    sql.table(target.table) << " ";
    sql.alias(related) << " ON ";
    sql.column(related, link.entry_column) << " = ";
    sql.column(links, link.target_column);
}

// Appends `FROM link JOIN target ON …`, or the link alone.
void append_related_from(SqlText& sql, Link const& link, ContentType const& target,
                         unsigned related, unsigned links, bool link_alone = false) {
    sql << "FROM ";
    if (link.storage != Link::Storage::table) {
        sql.table(target.table) << " ";
        sql.alias(related);
        return;
    }
    sql.table(link.table) << " ";
    sql.alias(links);
    if (!link_alone) append_join_of_target(sql, link, target, related, links);
}

// Appends ` WHERE <belongs to t<parent>>`.
void append_related_where(SqlText& sql, Link const& link, unsigned parent, unsigned related,
                          unsigned links) {
    sql << " WHERE ";
    if (link.storage == Link::Storage::parent_column) {
        sql.column(related, "id") << " = ";
        sql.column(parent, link.target_column);
        return;
    }
    sql.column(links, link.parent_column) << " = ";
    sql.column(parent, "id");
    append_link_scope(sql, link, links);
}

bool negates(Condition const& condition) {
    if (condition.kind == ConditionKind::comparison)
        return comparison_of(condition.comparator).negates;
    return condition.kind == ConditionKind::none_of ||
           std::ranges::any_of(condition.members, negates);
}

unsigned hops(Condition const& condition) {
    unsigned most = 0;
    for (Condition const& member : condition.members)
        most = std::max(most, hops(member));
    return most + (condition.kind == ConditionKind::related ? 1 : 0);
}

// Returns whether a related row that satisfies all members is looked for entry by entry, until one
// is found: if the statement has that form, or for a negation, which most rows satisfy. For EXISTS,
// MariaDB 10.11 makes a temporary table of all links that lead to one: with 500,000 articles `$ne`
// through a relation took 2.7 s instead of 1.1, `$not` through two 4.6 s instead of 1.0. Through
// more hops, what is looked for would multiply.
bool is_probe(Condition const& condition, unsigned table, Aliases const& aliases) {
    constexpr unsigned most_hops = 2;
    bool const is_outermost = table == 0;
    if (is_outermost && aliases.form() == Form::probe) return true;
    if (!negates(condition)) return false;
    return hops(condition) <= most_hops || (is_outermost && on_nulls(condition) == Truth::yes);
}

// Returns whether the entries that have a related row that satisfies all members are found first,
// from the innermost hop outwards, so that each of the tables between is read once. Of EXISTS
// within EXISTS MariaDB 10.11 makes one join, in any order: through four hops to nothing that took
// 6 s instead of 0.5, with 500,000 articles. Each hop is two levels of nesting, of which the server
// takes 63.
bool is_inside_out(Condition const& condition, unsigned table, Aliases const& aliases) {
    if (condition.link->storage == Link::Storage::parent_column) return false;
    if (aliases.inside_out) return true;
    constexpr unsigned from_hops = 3, most_hops = 8;
    auto const count = hops(condition);
    return table == 0 && count >= from_hops && count <= most_hops;
}

void append_inside_out(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases) {
    Link const& link = *condition.link;
    unsigned const related = aliases.next();
    unsigned const links = alias_of(link, related, aliases);
    bool const outer = std::exchange(aliases.inside_out, true);
    sql.column(table, "id") << " IN (SELECT found.id FROM (SELECT DISTINCT ";
    sql.column(links, link.parent_column) << " AS id ";
    append_related_from(sql, link, *condition.target, related, links);
    sql << " WHERE ";
    sql.column(links, link.parent_column) << " IS NOT NULL";
    append_link_scope(sql, link, links);
    for (Condition const& member : condition.members)
        append_and(sql, member, related, aliases);
    sql << ") found)";
    aliases.inside_out = outer;
}

// Appends the condition that an entry has a related row that satisfies all members.
void append_related(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases) {
    Link const& link = *condition.link;
    bool const as_probe = is_probe(condition, table, aliases);
    if (!as_probe && is_inside_out(condition, table, aliases))
        return append_inside_out(sql, condition, table, aliases);
    unsigned const related = aliases.next();
    unsigned const links = alias_of(link, related, aliases);
    if (!as_probe) sql << "EXISTS ";
    sql << "(SELECT 1 ";
    append_related_from(sql, link, *condition.target, related, links);
    append_related_where(sql, link, table, related, links);
    for (Condition const& member : condition.members)
        append_and(sql, member, related, aliases);
    if (as_probe) sql << " LIMIT 1";
    sql << ")";
    if (as_probe) sql << " IS NOT NULL";
}

// Appends the condition that an entry has no related row, or one that satisfies all members. The
// first is looked for entry by entry: for NOT EXISTS MariaDB 10.11 makes a temporary table of all
// links, which took 4.5 s of 500,000 instead of 0.9.
void append_related_or_none(SqlText& sql, Condition const& condition, unsigned table,
                            Aliases& aliases) {
    Link const& link = *condition.link;
    unsigned const related = aliases.next();
    unsigned const links = alias_of(link, related, aliases);
    sql << "((SELECT 1 ";
    append_related_from(sql, link, *condition.target, related, links,
                        vouches_for(link, *condition.target));
    append_related_where(sql, link, table, related, links);
    sql << " LIMIT 1) IS NULL OR ";
    append_related(sql, condition, table, aliases);
    sql << ")";
}

// This does not use EXISTS: MySQL would make a table of it to join, which it refuses (error 3973)
// if more than equality refers to the row outside.
void append_version(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases) {
    unsigned const version = aliases.next();
    sql << "(SELECT 1 FROM ";
    sql.table(condition.target->table) << " ";
    sql.alias(version) << " WHERE ";
    sql.column(version, document_column) << " = ";
    sql.column(table, document_column);
    if (!condition.of_any_locale) {
        sql << " AND ";
        sql.column(version, "locale") << " <=> ";
        sql.column(table, "locale");
    }
    for (Condition const& member : condition.members)
        append_and(sql, member, version, aliases);
    if (!condition.column.empty()) {
        sql << " AND ";
        sql.column(table, condition.column) << comparison_of(condition.comparator).text;
        sql.column(version, condition.column);
    }
    sql << " LIMIT 1) IS NOT NULL";
}

// Strapi 4.26 joins the related rows and so repeats an entry for each. Here the key is the value of
// the row that comes first, so every entry appears once, where it would come first.
void append_related_key(SqlText& sql, SortColumn const& sort, std::size_t hop, unsigned table,
                        Aliases& aliases) {
    if (hop == sort.hops.size()) {
        sql.column(table, sort.column);
        return;
    }
    auto const& [link, target] = sort.hops[hop];
    unsigned const related = aliases.next();
    unsigned const links = alias_of(*link, related, aliases);
    sql << "(SELECT ";
    append_related_key(sql, sort, hop + 1, related, aliases);
    sql << " ";
    append_related_from(sql, *link, *target, related, links);
    append_related_where(sql, *link, table, related, links);
    sql << " ORDER BY 1";
    if (sort.descending) sql << " DESC";
    sql << " LIMIT 1)";
}

} // namespace

void append_sort_key(SqlText& sql, SortColumn const& sort, unsigned table, Aliases& aliases) {
    append_related_key(sql, sort, 0, table, aliases);
}

bool vouches_for(Link const& link, ContentType const& target) {
    return link.storage == Link::Storage::table && link.entry_column == "id" &&
           target.kind != ContentType::Kind::component;
}

void append_link_scope(SqlText& sql, Link const& link, unsigned table) {
    if (!link.parent_type_column.empty()) {
        sql << " AND ";
        sql.column(table, link.parent_type_column) << " = ";
        sql.text(link.parent_type);
    }
    if (!link.field_column.empty()) {
        sql << " AND ";
        sql.column(table, link.field_column) << " = ";
        sql.text(link.field);
    }
}

void append_condition(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases) {
    switch (condition.kind) {
    case ConditionKind::comparison:
        return append_comparison(sql, condition, table);
    case ConditionKind::related:
        // The order of the branches matters if such conditions are nested: if the deeper branch
        // comes first, the time and memory that MariaDB 10.11 needs for planning double with each
        // level, and take the server down at twenty.
        if (on_nulls(condition) == Truth::yes)
            return append_related_or_none(sql, condition, table, aliases);
        return append_related(sql, condition, table, aliases);
    case ConditionKind::version:
        return append_version(sql, condition, table, aliases);
    case ConditionKind::none_of:
        sql << "NOT ";
        break;
    case ConditionKind::all_of:
    case ConditionKind::any_of:
        break;
    }
    append_members(sql, condition, table, aliases);
}

// Through more hops, the rows that are joined would multiply.
bool is_joinable(Condition const& condition) {
    constexpr unsigned most_hops = 2;
    return condition.kind == ConditionKind::related &&
           condition.link->storage == Link::Storage::table && on_nulls(condition) != Truth::yes &&
           hops(condition) <= most_hops;
}

void append_joins(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases,
                  ConditionsOfTables& left) {
    if (condition.kind != ConditionKind::all_of && !is_joinable(condition)) {
        left.emplace_back(&condition, table);
        return;
    }
    unsigned members_of = table;
    if (condition.kind == ConditionKind::related) {
        Link const& link = *condition.link;
        members_of = aliases.next();
        unsigned const links = aliases.next();
        sql << " JOIN ";
        sql.table(link.table) << " ";
        sql.alias(links) << " ON ";
        sql.column(links, link.parent_column) << " = ";
        sql.column(table, "id");
        append_link_scope(sql, link, links);
        append_join_of_target(sql, link, *condition.target, members_of, links);
    }
    for (Condition const& member : condition.members)
        append_joins(sql, member, members_of, aliases, left);
}

void append_and(SqlText& sql, Condition const& condition, unsigned table, Aliases& aliases) {
    if (condition.always_true()) return;
    sql << " AND ";
    append_condition(sql, condition, table, aliases);
}

} // namespace db
