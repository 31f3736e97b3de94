#include "fcgi/commands/json.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>

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
            value.kind = Json::Kind::string;
            return string();
        case 't':
            return take("true");
        case 'f':
            return take("false");
        case 'n':
            return take("null");
        default:
            value.kind = Json::Kind::number;
            return number();
        }
    }

    bool object(Json& value) {
        value.kind = Json::Kind::object;
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
        value.kind = Json::Kind::list;
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
    if (value.kind == Json::Kind::object) return append_members(value, out);
    if (value.kind != Json::Kind::list) {
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

} // namespace comparison
