#pragma once

#include <boost/container/small_vector.hpp>
#include <boost/json/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fcgi {

// The handler of a boost::json::basic_parser that prints what JavaScript would have made of the
// document. Values go straight to the output as they are read. An object is rearranged only at its
// end, and only if JavaScript would not keep its members as they are.
class JsonPrinter {
  public:
    static constexpr std::size_t max_object_size = SIZE_MAX;
    static constexpr std::size_t max_array_size = SIZE_MAX;
    static constexpr std::size_t max_key_size = SIZE_MAX;
    static constexpr std::size_t max_string_size = SIZE_MAX;

    // Appends to `out`. If the document is a string, `text` gets what it holds, not escaped.
    JsonPrinter(std::string& out, std::string& text) : out_(out), text_(text), begin_(out.size()) {}

    using Error = boost::json::error_code;
    bool on_document_begin(Error&) { return true; }
    bool on_document_end(Error&) { return true; }
    bool on_object_begin(Error&);
    bool on_object_end(std::size_t, Error&);
    bool on_array_begin(Error&);
    bool on_array_end(std::size_t, Error&);
    bool on_key_part(std::string_view part, std::size_t, Error&);
    bool on_key(std::string_view part, std::size_t, Error&);
    bool on_string_part(std::string_view part, std::size_t, Error&);
    bool on_string(std::string_view part, std::size_t, Error&);
    bool on_number_part(std::string_view, Error&) { return true; }
    bool on_int64(std::int64_t, std::string_view number, Error&);
    bool on_uint64(std::uint64_t, std::string_view number, Error&);
    bool on_double(double, std::string_view number, Error&);
    bool on_bool(bool value, Error&);
    bool on_null(Error&);
    bool on_comment_part(std::string_view, Error&) { return true; }
    bool on_comment(std::string_view, Error&) { return true; }

  private:
    // A member of an open object, as it stands in the output from `begin` on: "name":value
    struct Member {
        std::size_t begin;
        std::size_t name_size; // escaped, without its quotes
    };

    void separate();
    void open_string();
    std::string_view name(Member const& member) const;
    bool has_same_name(Member const& a, Member const& b) const;
    bool is_in_order(std::size_t first) const;
    void arrange(std::size_t first);

    std::string& out_;
    std::string& text_;
    std::size_t begin_;
    bool in_string_ = false; // a string has been begun
    // The members of all open objects, and the index of the first member of each object.
    boost::container::small_vector<Member, 32> members_;
    boost::container::small_vector<std::size_t, 16> objects_;
};

} // namespace fcgi
