#include "fcgi/answer/json_printer.hpp"

#include "parser/base/javascript.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace fcgi {

void JsonPrinter::separate() {
    if (out_.size() == begin_) return;
    char const last = out_.back();
    if (last != '{' && last != '[' && last != ':') out_ += ',';
}

void JsonPrinter::open_string() {
    if (in_string_) return;
    separate();
    out_ += '"';
    in_string_ = true;
}

bool JsonPrinter::on_object_begin(Error&) {
    separate();
    out_ += '{';
    objects_.push_back(members_.size());
    return true;
}

bool JsonPrinter::on_object_end(std::size_t, Error&) {
    std::size_t const first = objects_.back();
    if (!is_in_order(first)) arrange(first);
    out_ += '}';
    objects_.pop_back();
    members_.resize(first);
    return true;
}

bool JsonPrinter::on_array_begin(Error&) {
    separate();
    out_ += '[';
    return true;
}

bool JsonPrinter::on_array_end(std::size_t, Error&) {
    out_ += ']';
    return true;
}

bool JsonPrinter::on_key_part(std::string_view part, std::size_t, Error&) {
    if (!in_string_) {
        open_string();
        members_.push_back({out_.size() - 1, 0});
    }
    parser::append_json_escaped(out_, part);
    return true;
}

bool JsonPrinter::on_key(std::string_view part, std::size_t size, Error& error) {
    on_key_part(part, size, error);
    in_string_ = false;
    members_.back().name_size = out_.size() - members_.back().begin - 1;
    out_ += "\":";
    return true;
}

bool JsonPrinter::on_string_part(std::string_view part, std::size_t, Error&) {
    open_string();
    parser::append_json_escaped(out_, part);
    if (out_[begin_] == '"') text_ += part;
    return true;
}

bool JsonPrinter::on_string(std::string_view part, std::size_t size, Error& error) {
    on_string_part(part, size, error);
    in_string_ = false;
    out_ += '"';
    return true;
}

bool JsonPrinter::on_int64(std::int64_t, std::string_view number, Error& error) {
    // Numbers of so few digits are printed as they are written.
    if (number.size() > 15 || number == "-0") return on_double(0, number, error);
    separate();
    out_ += number;
    return true;
}

bool JsonPrinter::on_uint64(std::uint64_t, std::string_view number, Error& error) {
    return on_double(0, number, error);
}

// Boost.JSON's own value may be off in the last place.
bool JsonPrinter::on_double(double, std::string_view number, Error&) {
    separate();
    double const value = *parser::javascript_number(number);
    if (std::isfinite(value))
        parser::append_number(out_, value);
    else
        out_ += "null";
    return true;
}

bool JsonPrinter::on_bool(bool value, Error&) {
    separate();
    out_ += value ? "true" : "false";
    return true;
}

bool JsonPrinter::on_null(Error&) {
    separate();
    out_ += "null";
    return true;
}

std::string_view JsonPrinter::name(Member const& member) const {
    return std::string_view(out_).substr(member.begin + 1, member.name_size);
}

bool JsonPrinter::has_same_name(Member const& a, Member const& b) const {
    return a.name_size == b.name_size && out_[a.begin + 1] == out_[b.begin + 1] &&
           name(a) == name(b);
}

// Returns whether the members from `first` on have different names, none of them integer-like.
bool JsonPrinter::is_in_order(std::size_t first) const {
    constexpr std::size_t few = 16;
    std::size_t const size = members_.size();
    for (std::size_t i = first; i < size; ++i) {
        if (parser::array_index(name(members_[i]))) return false;
        for (std::size_t j = first; j < i && i - first < few; ++j)
            if (has_same_name(members_[i], members_[j])) return false;
    }
    if (size - first <= few) return true;
    std::vector<std::string_view> names;
    for (std::size_t i = first; i < size; ++i)
        names.push_back(name(members_[i]));
    std::ranges::sort(names);
    return std::ranges::adjacent_find(names) == names.end();
}

void JsonPrinter::arrange(std::size_t first) {
    struct Text {
        std::uint32_t rank; // its index; names without one come after all indices
        std::string_view name;
        std::size_t place;
        std::string_view text;
    };
    std::size_t const begin = members_[first].begin;
    std::string const printed = out_.substr(begin);
    std::vector<Text> texts;
    texts.reserve(members_.size() - first);
    for (std::size_t i = first; i < members_.size(); ++i) {
        std::size_t const from = members_[i].begin - begin;
        std::size_t const end = i + 1 < members_.size() ? members_[i + 1].begin - 1 : out_.size();
        auto const text = std::string_view(printed).substr(from, end - begin - from);
        auto const name = text.substr(1, members_[i].name_size);
        texts.push_back({parser::array_index(name).value_or(UINT32_MAX), name, i, text});
    }
    // Of equal names, the first one's place and the last one's text stay.
    std::ranges::stable_sort(texts, {},
                             [](Text const& text) { return std::tie(text.rank, text.name); });
    std::size_t kept = 0;
    for (Text const& text : texts)
        if (kept > 0 && texts[kept - 1].name == text.name)
            texts[kept - 1].text = text.text;
        else
            texts[kept++] = text;
    texts.resize(kept);
    std::ranges::sort(texts, {}, [](Text const& text) { return std::tie(text.rank, text.place); });
    out_.resize(begin);
    for (Text const& text : texts) {
        separate();
        out_ += text.text;
    }
}

} // namespace fcgi
