#include "fcgi/commands/comparison.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace comparison {

namespace {

class Parser {
  public:
    explicit Parser(std::string_view text) : rest_(text) {}

    std::optional<Json> document() {
        Json value;
        if (!parse(value)) return {};
        skip_space();
        if (!rest_.empty()) return {};
        return value;
    }

  private:
    bool parse(Json& value) {
        skip_space();
        auto const start = rest_;
        if (rest_.empty() || !parse_by_first(value)) return false;
        value.text = start.substr(0, start.size() - rest_.size());
        return true;
    }

    bool parse_by_first(Json& value) {
        switch (rest_.front()) {
        case '{':
            return object(value);
        case '[':
            return list(value);
        case '"':
            value.kind = Json::ValueKind::string;
            return string();
        case 't':
            return take("true");
        case 'f':
            return take("false");
        case 'n':
            return take("null");
        default:
            value.kind = Json::ValueKind::number;
            return number();
        }
    }

    bool object(Json& value) {
        value.kind = Json::ValueKind::object;
        return sequence('{', '}', [&] {
            skip_space();
            auto const start = rest_;
            if (!string()) return false;
            auto const key = start.substr(0, start.size() - rest_.size());
            skip_space();
            return take(":") && parse(value.members.emplace_back(key, Json{}).second);
        });
    }

    bool list(Json& value) {
        value.kind = Json::ValueKind::list;
        return sequence('[', ']', [&] { return parse(value.elements.emplace_back()); });
    }

    template<class Item>
    bool sequence(char open, char close, Item item) {
        if (!take({&open, 1})) return false;
        skip_space();
        if (take({&close, 1})) return true;
        do {
            if (!item()) return false;
            skip_space();
        } while (take(","));
        return take({&close, 1});
    }

    bool string() {
        if (!take("\"")) return false;
        for (std::size_t i = 0; i < rest_.size(); ++i) {
            if (static_cast<unsigned char>(rest_[i]) < ' ') return false;
            if (rest_[i] == '\\') {
                ++i;
            } else if (rest_[i] == '"') {
                rest_.remove_prefix(i + 1);
                return true;
            }
        }
        return false;
    }

    bool number() {
        auto const length = std::min(rest_.find_first_not_of("+-.0123456789Ee"), rest_.size());
        boost::system::error_code error;
        boost::json::parse(rest_.substr(0, length), error);
        rest_.remove_prefix(length);
        return !error;
    }

    bool take(std::string_view expected) {
        if (!rest_.starts_with(expected)) return false;
        rest_.remove_prefix(expected.size());
        return true;
    }

    void skip_space() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
    }

    std::string_view rest_;
};

void append_canonical(Json const& value, std::string& out);

void append_members(Json const& value, std::string& out) {
    auto sorted = value.members;
    std::ranges::sort(sorted, {}, &Json::Member::first);
    char separator = '{';
    for (auto const& [key, member] : sorted) {
        out += separator;
        out += key;
        out += ':';
        append_canonical(member, out);
        separator = ',';
    }
    out += sorted.empty() ? "{}" : "}";
}

void append_canonical(Json const& value, std::string& out) {
    if (value.kind == Json::ValueKind::object) return append_members(value, out);
    if (value.kind != Json::ValueKind::list) {
        out += value.text;
        return;
    }
    char separator = '[';
    for (auto const& element : value.elements) {
        out += separator;
        append_canonical(element, out);
        separator = ',';
    }
    out += value.elements.empty() ? "[]" : "]";
}

std::string shortened(std::string_view text) {
    constexpr std::size_t most = 120;
    return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "…";
}

bool same_scalar(Json const& expected, Json const& got, Precision precision) {
    if (expected.text == got.text) return true;
    if (precision == Precision::writing) return false;
    if (expected.kind == Json::ValueKind::string)
        return decode_string(expected.text) == decode_string(got.text);
    if (expected.kind != Json::ValueKind::number) return false;
    double const a = std::strtod(std::string(expected.text).c_str(), nullptr);
    double const b = std::strtod(std::string(got.text).c_str(), nullptr);
    constexpr double digits = 1e-14;
    return a == b || (precision == Precision::digits && std::abs(a - b) <= digits * std::abs(a));
}

std::optional<Mismatch> compare_members(Json const& expected, Json const& got,
                                        std::string const& where, Precision precision) {
    auto const path = [&](std::string_view name) { return where + "/" + std::string(name); };
    for (auto const& [key, value] : expected.members) {
        auto const name = key.substr(1, key.size() - 2);
        auto const* other = got.find(name);
        if (!other) return difference("missing key", path(name), value.text, "");
        if (auto found = compare_json(value, *other, path(name), precision)) return found;
    }
    for (auto const& [key, value] : got.members) {
        auto const name = key.substr(1, key.size() - 2);
        if (!expected.find(name)) return difference("extra key", path(name), "", value.text);
    }
    if (expected.members.size() == got.members.size()) return {};
    return difference("repeated key", where, expected.text, got.text);
}

std::optional<Mismatch> compare_elements(Json const& expected, Json const& got,
                                         std::string const& where, Precision precision) {
    if (expected.elements.size() != got.elements.size())
        return difference("length", where, expected.text, got.text);
    for (std::size_t i = 0; i < expected.elements.size(); ++i)
        if (auto found = compare_json(expected.elements[i], got.elements[i],
                                      where + "/" + std::to_string(i), precision))
            return found;
    return {};
}

// Sorts every list of entries, at any depth, by the canonical text of the entries.
void sort_entries(Json& value) {
    for (auto& element : value.elements)
        sort_entries(element);
    for (auto& [key, member] : value.members)
        sort_entries(member);
    auto const is_entry = [](Json const& element) { return element.find("id") != nullptr; };
    if (std::ranges::all_of(value.elements, is_entry))
        std::ranges::sort(value.elements, {}, canonical);
}

// The order of localizations is undefined: Strapi, 4.26 and 5.54, reads them without ORDER BY.
void sort_localizations(Json& value) {
    for (auto& element : value.elements)
        sort_localizations(element);
    for (auto& [key, member] : value.members)
        if (key == "\"localizations\"")
            sort_entries(member);
        else
            sort_localizations(member);
}

} // namespace

Json const* Json::find(std::string_view key) const {
    for (auto const& [name, value] : members)
        if (name.substr(1, name.size() - 2) == key) return &value;
    return nullptr;
}

std::optional<Json> parse_json(std::string_view text) {
    return Parser(text).document();
}

std::string decode_string(std::string_view token) {
    boost::system::error_code error;
    auto const value = boost::json::parse(token, error);
    return std::string(error ? token : std::string_view(value.get_string()));
}

std::string canonical(Json const& value) {
    std::string out;
    append_canonical(value, out);
    return out;
}

Mismatch difference(std::string_view cause, std::string_view where, std::string_view expected,
                    std::string_view got) {
    return {cause, std::string(where), shortened(expected), shortened(got)};
}

std::optional<Mismatch> compare_json(Json const& expected, Json const& got,
                                     std::string const& where, Precision precision) {
    if (expected.kind != got.kind) return difference("value", where, expected.text, got.text);
    if (expected.kind == Json::ValueKind::object)
        return compare_members(expected, got, where, precision);
    if (expected.kind == Json::ValueKind::list)
        return compare_elements(expected, got, where, precision);
    if (same_scalar(expected, got, precision)) return {};
    return difference("value", where, expected.text, got.text);
}

std::optional<Mismatch> compare_bodies(std::string_view expected, std::string_view got,
                                       Precision precision) {
    auto there = parse_json(expected);
    auto here = parse_json(got);
    if (!there || !here) {
        if (expected == got) return {};
        return difference("value", "", expected, got);
    }
    sort_localizations(*there);
    sort_localizations(*here);
    auto found = compare_json(*there, *here, "", precision);
    if (!found) return {};
    sort_entries(*there);
    sort_entries(*here);
    if (!compare_json(*there, *here, "", precision)) found->cause = "order";
    return found;
}

} // namespace comparison
