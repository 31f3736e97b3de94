#include "tests/fuzz/sql_tokens.hpp"

#include "tests/fuzz/expect.hpp"

#include <algorithm>

namespace fuzz {

namespace {

constexpr std::string_view words[] = {
    "AND",      "AS",    "BETWEEN", "BY",        "CAST",       "CHAR",   "COUNT",  "DESC",
    "EXISTS",   "FALSE", "FROM",    "GROUP",     "IN",         "IS",     "JOIN",   "JSON_CONTAINS",
    "LEFT",     "LIKE",  "LIMIT",   "LOWER",     "NOT",        "NULL",   "OFFSET", "ON",
    "OR",       "ORDER", "OVER",    "PARTITION", "ROW_NUMBER", "SELECT", "TRUE",   "WHERE",
    "DISTINCT", "found", "id"};

constexpr std::string_view digits = "0123456789";
constexpr std::string_view word_bytes =
    "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

std::string_view cut(std::string_view& sql, std::size_t size) {
    auto const token = sql.substr(0, size);
    sql.remove_prefix(token.size());
    return token;
}

std::string_view cut_all_of(std::string_view& sql, std::string_view bytes) {
    return cut(sql, std::min(sql.find_first_not_of(bytes), sql.size()));
}

// `-1.5e+20`
bool cut_number(std::string_view& sql) {
    if (sql.starts_with('-')) sql.remove_prefix(1);
    if (cut_all_of(sql, digits).empty()) return false;
    if (sql.starts_with('.')) {
        sql.remove_prefix(1);
        if (cut_all_of(sql, digits).empty()) return false;
    }
    if (!sql.starts_with('e')) return true;
    sql.remove_prefix(1);
    if (sql.starts_with('+') || sql.starts_with('-')) sql.remove_prefix(1);
    return !cut_all_of(sql, digits).empty();
}

// `_utf8mb4 x'C3A4'`
bool cut_text(std::string_view& sql) {
    sql.remove_prefix(std::string_view("_utf8mb4 x'").size());
    auto const hex = cut_all_of(sql, "0123456789ABCDEF");
    return hex.size() % 2 == 0 && cut(sql, 1) == "'";
}

bool cut_word(std::string_view& sql) {
    auto const word = cut_all_of(sql, word_bytes);
    bool const is_table =
        word.size() > 1 && word[0] == 't' && word.substr(1).find_first_not_of(digits) == word.npos;
    bool const is_column = word == "c"; // each that is sent
    return is_table || is_column || std::ranges::find(words, word) != std::end(words);
}

} // namespace

SqlTokens::SqlTokens(db::Schema const& schema)
    : names_{"id", "parent", "order", "slot", "target", "number"} {
    for (auto const& [uid, type] : schema.types) {
        names_.insert(type->table);
        for (db::Attribute const& attribute : type->attributes) {
            auto const& link = attribute.link;
            names_.insert({attribute.column, link.table, link.parent_column, link.target_column,
                           link.order_column, link.field_column, link.parent_type_column,
                           link.target_type_column});
        }
    }
    names_.erase("");
}

void SqlTokens::expect_safe(db::SqlText const& text) const {
    std::string_view const whole = text.str();
    for (std::string_view sql = whole; !sql.empty();) {
        if (std::string_view(" ,().=<>*").find(sql[0]) != std::string_view::npos) {
            sql.remove_prefix(1);
        } else if (sql[0] == '`') {
            auto const name = sql.substr(1, sql.find('`', 1) - 1);
            expect(names_.contains(name), "names are the schema's", whole);
            sql.remove_prefix(std::min(name.size() + 2, sql.size()));
        } else if (sql.starts_with("_utf8mb4 x'")) {
            expect(cut_text(sql), "texts are hexadecimal", whole);
        } else if (sql[0] == '-' || digits.find(sql[0]) != digits.npos) {
            expect(cut_number(sql), "numbers are whole", whole);
        } else {
            expect(cut_word(sql), "words are ours", whole);
        }
    }
}

// Texts are hexadecimal digits: no such word is in one.
std::set<std::string_view> tables_read(std::string_view sql) {
    std::set<std::string_view> tables;
    for (std::string_view const before : {"FROM `", "JOIN `"})
        for (auto at = sql.find(before); at != sql.npos; at = sql.find(before, at)) {
            at += before.size();
            tables.insert(sql.substr(at, sql.find('`', at) - at));
        }
    return tables;
}

} // namespace fuzz
