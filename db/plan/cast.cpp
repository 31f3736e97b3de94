#include "db/plan/cast.hpp"

#include "db/plan/cast_datetime.hpp"
#include "parser/base/javascript_number.hpp"
#include "parser/base/json_string.hpp"

#include <cmath>

namespace db {

namespace {

// Infinity is refused like NaN: SQL has no name for it.
parser::Result<Literal> cast_number(std::string_view text, std::string_view where) {
    auto const number = parser::javascript_number(text);
    if (!number || !std::isfinite(*number)) return parser::invalid_value(where, "a number", text);
    return Literal(*number);
}

// A filter compares with the JSON text of a string, quotes included.
std::string cast_json(std::string_view text) {
    std::string json;
    parser::append_json_string(json, text);
    return json;
}

} // namespace

bool cast_boolean(std::string_view text) {
    return !text.empty() && text != "false" && text != "f" && text != "0";
}

parser::Result<Literal> cast(AttributeType type, std::string_view text, std::string_view where) {
    switch (facts_of(type).scalar) {
    case ScalarClass::none:
    case ScalarClass::text:
    case ScalarClass::biginteger:
        return std::string(text);
    case ScalarClass::integer:
    case ScalarClass::number:
        return cast_number(text, where);
    case ScalarClass::boolean:
        return Literal(cast_boolean(text));
    case ScalarClass::date:
        return cast_date(text);
    case ScalarClass::time:
        return cast_time(text);
    case ScalarClass::datetime:
    case ScalarClass::timestamp:
        return cast_datetime(text);
    case ScalarClass::json:
        return cast_json(text);
    }
    return {};
}

} // namespace db
