#include "db/content/csv.hpp"

#include "db/content/json_line.hpp"
#include "parser/base/javascript.hpp"

#include <boost/spirit/home/x3.hpp>

#include <algorithm>

namespace db {

namespace {

namespace json = boost::json;
namespace x3 = boost::spirit::x3;

auto const quoted = x3::rule<class Quoted, std::string>() = '"' >> *(~x3::char_('"') |
                                                                     ("\"\"" >> x3::attr('"'))) >>
                                                            '"';
auto const plain = x3::rule<class Plain, std::string>() = *~x3::char_(",\"");
auto const csv_record = (quoted | plain) % ',';

// Returns whether cells of the attribute are texts, whatever they look like.
bool is_text(ContentType const& type, std::string_view name) {
    auto const* attribute = type.find(name);
    switch (attribute ? attribute->scalar() : ScalarClass::none) {
    case ScalarClass::text:
    case ScalarClass::date:
    case ScalarClass::time:
    case ScalarClass::datetime:
    case ScalarClass::timestamp:
        return true;
    case ScalarClass::none:
    case ScalarClass::integer:
    case ScalarClass::biginteger:
    case ScalarClass::number:
    case ScalarClass::boolean:
    case ScalarClass::json:
        break;
    }
    return false;
}

} // namespace

std::optional<std::vector<std::string>> parse_csv_row(std::string_view text) {
    if (text.ends_with('\r')) text.remove_suffix(1);
    std::vector<std::string> cells;
    auto begin = text.begin();
    if (!x3::parse(begin, text.end(), csv_record, cells) || begin != text.end())
        return std::nullopt;
    return cells;
}

bool is_open_csv(std::string_view text) {
    return std::ranges::count(text, '"') % 2 == 1;
}

parser::Result<json::value> csv_value(ContentType const& type, std::string_view name,
                                      std::string const& cell) {
    if (cell.empty()) return json::value();
    json::error_code error;
    auto value = parse_line(cell, error);
    if (!error && !is_text(type, name)) return value;
    std::string text;
    parser::append_json_string(text, cell);
    value = parse_line(text, error); // checks the encoding
    if (error) return parser::invalid_value(name, "UTF-8");
    return value;
}

} // namespace db
