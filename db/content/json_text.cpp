#include "db/content/json_text.hpp"

#include "parser/base/javascript.hpp"

#include <boost/json.hpp>
#include <boost/json/basic_parser_impl.hpp>

#include <cmath>

namespace db {

namespace {

namespace json = boost::json;

// The handler of a basic_parser that builds a value.
class Builder {
  public:
    static constexpr std::size_t max_object_size = json::object::max_size();
    static constexpr std::size_t max_array_size = json::array::max_size();
    static constexpr std::size_t max_key_size = json::string::max_size();
    static constexpr std::size_t max_string_size = json::string::max_size();

    Builder() { stack_.reset(); }
    json::value release() { return stack_.release(); }

    using Error = json::error_code;
    bool on_document_begin(Error&) { return true; }
    bool on_document_end(Error&) { return true; }
    bool on_object_begin(Error&) { return true; }
    bool on_object_end(std::size_t size, Error&) {
        stack_.push_object(size);
        return true;
    }
    bool on_array_begin(Error&) { return true; }
    bool on_array_end(std::size_t size, Error&) {
        stack_.push_array(size);
        return true;
    }
    bool on_key_part(std::string_view part, std::size_t, Error&) { return add(part); }
    bool on_key(std::string_view part, std::size_t, Error&) {
        stack_.push_key(part);
        return true;
    }
    bool on_string_part(std::string_view part, std::size_t, Error&) { return add(part); }
    bool on_string(std::string_view part, std::size_t, Error&) {
        stack_.push_string(part);
        return true;
    }
    bool on_number_part(std::string_view, Error&) { return true; }
    bool on_int64(std::int64_t number, std::string_view, Error&) {
        stack_.push_int64(number);
        return true;
    }
    bool on_uint64(std::uint64_t number, std::string_view, Error&) {
        stack_.push_uint64(number);
        return true;
    }
    // The parser gets the whole document at once, so no number comes in parts.
    bool on_double(double, std::string_view number, Error&) {
        stack_.push_double(*parser::javascript_number(number));
        return true;
    }
    bool on_bool(bool value, Error&) {
        stack_.push_bool(value);
        return true;
    }
    bool on_null(Error&) {
        stack_.push_null();
        return true;
    }
    bool on_comment_part(std::string_view, Error&) { return true; }
    bool on_comment(std::string_view, Error&) { return true; }

  private:
    bool add(std::string_view part) {
        stack_.push_chars(part);
        return true;
    }

    json::value_stack stack_;
};

// Returns false if there is a number that JSON can't hold.
bool print(std::string& out, json::value const& value) {
    auto const list = [&out](auto const& items, char open, char close, auto const& item) {
        out += open;
        bool first = true;
        bool good = true;
        for (auto const& each : items) {
            if (!first) out += ',';
            first = false;
            good = good && item(each);
        }
        out += close;
        return good;
    };
    switch (value.kind()) {
    case json::kind::string:
        parser::append_json_string(out, value.get_string());
        return true;
    case json::kind::double_:
        parser::append_number(out, value.get_double());
        return std::isfinite(value.get_double());
    case json::kind::array:
        return list(value.get_array(), '[', ']',
                    [&](json::value const& item) { return print(out, item); });
    case json::kind::object:
        return list(value.get_object(), '{', '}', [&](json::key_value_pair const& member) {
            parser::append_json_string(out, member.key());
            out += ':';
            return print(out, member.value());
        });
    default:
        out += json::serialize(value);
        return true;
    }
}

} // namespace

json::value parse_line(std::string_view text, json::error_code& error) {
    json::parse_options options;
    options.max_depth = 200;
    json::basic_parser<Builder> parser(options);
    std::size_t const used = parser.write_some(false, text.data(), text.size(), error);
    if (!error && used < text.size()) error = json::error::extra_data;
    return error ? json::value() : parser.handler().release();
}

std::uint32_t id_of(json::value const* value) {
    auto const* id = value ? value->if_int64() : nullptr;
    bool const is_id = id && *id >= 1 && *id <= 4'294'967'295;
    return is_id ? static_cast<std::uint32_t>(*id) : 0;
}

std::optional<std::string> stringify(json::value const& value) {
    std::string text;
    return print(text, value) ? std::optional(std::move(text)) : std::nullopt;
}

std::string json_text(std::string_view text) {
    std::string json;
    parser::append_json_string(json, text);
    return json;
}

} // namespace db
