#include "fcgi/openapi/schemas.hpp"

#include <algorithm>

namespace fcgi {

using db::ScalarClass;

namespace {

constexpr SharedFilter filters[] = {
    {"Id", R"({"type":"integer"})", equality | order},
    {"Text", R"({"type":"string"})", equality | order | pattern},
    {"Number", R"({"type":"number"})", equality | order},
    {"Biginteger", R"({"type":["string","integer"],"pattern":"^-?[0-9]+$"})", equality | order},
    {"Boolean", R"({"type":"boolean"})", equality},
    {"Date", R"({"type":"string","format":"date"})", equality | order},
    {"Time", R"({"type":"string","examples":["10:11:12.000"]})", equality | order},
    {"Datetime",
     R"({"type":["string","integer"],"description":"ISO 8601, or milliseconds since 1970",)"
     R"("examples":["2024-02-03T04:05:06.789Z"]})",
     equality | order},
    {"Json", R"({"type":"string","description":"JSON, as text","examples":["{\"a\":1}"]})",
     equality | pattern | superset},
};

// Does not compile if there is no such filter.
consteval std::string_view filter(std::string_view name) {
    return std::ranges::find(filters, name, &SharedFilter::name)->name;
}

} // namespace

std::span<SharedFilter const> shared_filters() {
    return filters;
}

ScalarSchema schema_of(ScalarClass scalar) {
    switch (scalar) {
    case ScalarClass::none:
        break;
    case ScalarClass::text:
        return {R"({"type":["string","null"]})", filter("Text")};
    case ScalarClass::integer:
        return {R"({"type":["integer","null"]})", filter("Number")};
    case ScalarClass::biginteger:
        return {R"({"type":["string","null"],"pattern":"^-?[0-9]+$"})", filter("Biginteger")};
    case ScalarClass::number:
        return {R"({"type":["number","null"]})", filter("Number")};
    case ScalarClass::boolean:
        return {R"({"type":["boolean","null"]})", filter("Boolean")};
    case ScalarClass::date:
        return {R"({"type":["string","null"],"format":"date"})", filter("Date")};
    case ScalarClass::time:
        return {R"({"type":["string","null"],"pattern":"^-?[0-9]+:[0-9]{2}:[0-9]{2}\\.[0-9]{3}$"})",
                filter("Time")};
    case ScalarClass::datetime:
        return {R"({"type":["string","null"],"format":"date-time"})", filter("Datetime")};
    case ScalarClass::timestamp:
        return {R"({"type":["string","null"],"pattern":"^-?[0-9]+$",)"
                R"("description":"milliseconds since 1970"})",
                filter("Datetime")};
    case ScalarClass::json:
        return {R"({"description":"any JSON"})", filter("Json")};
    }
    return {"{}", filter("Text")};
}

} // namespace fcgi
