#include "db/mysql/sql_text.hpp"

#include <boost/container_hash/hash.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string_view>

namespace db {

namespace {

template<class Integer>
void append_integer(std::string& text, Integer value) {
    std::array<char, 24> digits;
    auto const end = std::to_chars(digits.begin(), digits.end(), value).ptr;
    text.append(digits.begin(), end);
}

// Appends a number as ECMAScript's Number::toString does: the shortest digits that read back as the
// same number, without an exponent from 1e-6 up to 1e21. The form matters: 0.1 is an exact DECIMAL
// in SQL, 1e-1 a DOUBLE.
void append_number(std::string& text, double value) {
    assert(std::isfinite(value));
    std::array<char, 32> buffer;
    auto const end =
        std::to_chars(buffer.begin(), buffer.end(), std::abs(value), std::chars_format::scientific)
            .ptr;
    std::string digits(buffer.begin(), end);
    auto const mark = digits.find('e');
    int const exponent = std::atoi(digits.c_str() + mark + 1);
    digits.resize(mark);

    if (value < 0) text += '-';
    if (exponent >= 21 || exponent < -6) {
        text.append(digits).append(exponent > 0 ? "e+" : "e");
        return append_integer(text, exponent);
    }
    std::erase(digits, '.');
    if (exponent < 0) digits.insert(0, static_cast<std::size_t>(-exponent), '0');
    std::size_t const whole = static_cast<std::size_t>(std::max(exponent, 0)) + 1;
    digits.resize(std::max(digits.size(), whole), '0');
    if (digits.size() > whole) digits.insert(whole, 1, '.');
    text += digits;
}

// The two hexadecimal digits of each byte, one after the other.
constexpr auto hex_digits = [] {
    std::array<char, 512> table{};
    for (std::size_t byte = 0; byte < 256; ++byte) {
        table[2 * byte] = "0123456789ABCDEF"[byte / 16];
        table[2 * byte + 1] = "0123456789ABCDEF"[byte % 16];
    }
    return table;
}();

constexpr std::string_view hex_literal = "_utf8mb4 x'";

void append_hex_literal(std::string& text, std::string_view utf8) {
    text += hex_literal;
    auto at = text.size();
    text.resize(at + 2 * utf8.size());
    for (char const c : utf8) {
        auto const byte = static_cast<unsigned char>(c);
        text[at++] = hex_digits[2U * byte];
        text[at++] = hex_digits[2U * byte + 1];
    }
    text += '\'';
}

// Returns the place behind the back-tick that closes a name; a doubled one is part of the name.
std::size_t end_of_name(std::string_view sql) {
    std::size_t at = 1;
    while (at < sql.size() && (sql[at] != '`' || sql.substr(at + 1).starts_with('`')))
        at += sql[at] == '`' ? 2 : 1;
    return std::min(at + 1, sql.size());
}

// Appends a hexadecimal literal as `'text'`, or as it is if the text has a backslash, whose meaning
// depends on the sql_mode, or control characters, which cannot be seen.
void append_quoted(std::string& text, std::string_view literal) {
    std::string quoted;
    for (std::size_t at = hex_literal.size(); at + 2 < literal.size(); at += 2) {
        unsigned byte = 0;
        std::from_chars(literal.data() + at, literal.data() + at + 2, byte, 16);
        char const c = static_cast<char>(byte);
        if (byte < ' ' || byte == 0x7F || c == '\\') {
            text.append(literal);
            return;
        }
        quoted.append(c == '\'' ? "''" : std::string(1, c));
    }
    text.append("'").append(quoted).append("'");
}

} // namespace

SqlText& SqlText::name(std::string_view identifier) {
    text_ += '`';
    for (char const c : identifier) {
        if (c == '`') text_ += '`';
        text_ += c;
    }
    text_ += '`';
    return *this;
}

void SqlText::add_tables_to(TableNames& names) const {
    for (std::string_view const table : tables_)
        if (auto const at = std::ranges::lower_bound(names, table);
            at == names.end() || *at != table)
            names.insert(at, table);
}

SqlText& SqlText::column(unsigned number, std::string_view identifier) {
    alias(number);
    text_ += '.';
    return name(identifier);
}

SqlText& SqlText::alias(unsigned number) {
    text_ += 't';
    append_integer(text_, number);
    return *this;
}

SqlText& SqlText::operator<<(SqlText const& other) {
    auto const shift = static_cast<std::uint32_t>(text_.size());
    for (auto const [begin, end] : other.values_)
        values_.push_back({begin + shift, end + shift});
    tables_.insert(tables_.end(), other.tables_.begin(), other.tables_.end());
    text_.append(other.text_);
    return *this;
}

template<class Append>
SqlText& SqlText::value(Append append) {
    auto const begin = static_cast<std::uint32_t>(text_.size());
    append(text_);
    values_.push_back({begin, static_cast<std::uint32_t>(text_.size())});
    return *this;
}

SqlText& SqlText::integer(std::int64_t integer) {
    return value([integer](std::string& text) { append_integer(text, integer); });
}

SqlText& SqlText::integer(std::uint64_t integer) {
    return value([integer](std::string& text) { append_integer(text, integer); });
}

SqlText& SqlText::number(double number) {
    return value([number](std::string& text) { append_number(text, number); });
}

SqlText& SqlText::place_of_ids() {
    ids_at_ = text_.size();
    return *this;
}

SqlText& SqlText::for_each_id(SqlText const& branch) {
    branch_.begin = static_cast<std::uint32_t>(text_.size());
    ids_at_ = text_.size() + branch.ids_at_;
    *this << branch;
    branch_.end = static_cast<std::uint32_t>(text_.size());
    return *this;
}

SqlText SqlText::with_ids(std::span<std::uint64_t const> ids) const {
    assert(ids_at_ <= text_.size());
    constexpr std::size_t usual_digits = 8;
    bool const is_branch = branch_.begin < branch_.end;
    std::string between = ",";
    if (is_branch)
        between.assign(text_, ids_at_, branch_.end - ids_at_)
            .append(" UNION ALL ")
            .append(text_, branch_.begin, ids_at_ - branch_.begin);
    SqlText filled;
    filled.text_.reserve(text_.size() + ids.size() * (usual_digits + between.size()));
    filled.text_.append(text_, 0, ids_at_);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i > 0) filled.text_ += between;
        append_integer(filled.text_, ids[i]);
    }
    filled.text_.append(text_, ids_at_);
    return filled;
}

SqlText& SqlText::place_of_total() {
    total_at_ = text_.size();
    return *this;
}

SqlText SqlText::with_total(SqlText const& total) const {
    assert(total_at_ <= text_.size());
    assert(values_.empty() || values_.front().begin >= total_at_);
    constexpr std::string_view open = ", (", close = ") c";
    SqlText filled;
    filled.text_.reserve(text_.size() + open.size() + total.text_.size() + close.size());
    filled.text_.append(text_, 0, total_at_).append(open);
    filled.values_.reserve(total.values_.size() + values_.size());
    filled << total;
    filled.text_.append(close);
    auto const shift = static_cast<std::uint32_t>(filled.text_.size() - total_at_);
    for (auto const [begin, end] : values_)
        filled.values_.push_back({begin + shift, end + shift});
    filled.text_.append(text_, total_at_);
    return filled;
}

SqlText& SqlText::limit(std::uint64_t rows) {
    text_ += " LIMIT ";
    append_integer(text_, rows);
    return *this;
}

SqlText& SqlText::text(std::string_view utf8) {
    return value([utf8](std::string& text) { append_hex_literal(text, utf8); });
}

std::string SqlText::without_values() const {
    std::string text;
    std::size_t from = 0;
    auto const put_mark = [&](std::size_t begin, std::size_t end) {
        text.append(text_, from, begin - from) += '?';
        from = end;
    };
    bool ids_done = ids_at_ == std::string::npos;
    for (auto const [begin, end] : values_) {
        if (!ids_done && ids_at_ <= begin) {
            put_mark(ids_at_, ids_at_);
            ids_done = true;
        }
        put_mark(begin, end);
    }
    if (!ids_done) put_mark(ids_at_, ids_at_);
    return readable(text.append(text_, from));
}

std::uint64_t SqlText::shape(std::uint64_t before) const {
    std::size_t hash = before;
    std::string_view const text(text_);
    std::size_t from = 0;
    for (auto const [begin, end] : values_) {
        boost::hash_combine(hash, std::hash<std::string_view>()(text.substr(from, begin - from)));
        from = end;
    }
    boost::hash_combine(hash, std::hash<std::string_view>()(text.substr(from)));
    return hash;
}

std::string readable(std::string_view sql) {
    std::string text;
    while (!sql.empty()) {
        std::size_t size = 1; // of the next piece
        if (sql[0] == '`') {
            size = end_of_name(sql);
            text.append(sql, 0, size);
        } else if (sql.starts_with(hex_literal)) {
            size = sql.find('\'', hex_literal.size()) + 1;
            append_quoted(text, sql.substr(0, size));
        } else if (sql.starts_with(" c,") || sql.starts_with(" c FROM ")) {
            size = 2;
        } else {
            text += sql[0];
        }
        sql.remove_prefix(size);
    }
    return text;
}

} // namespace db
