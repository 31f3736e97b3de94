#pragma once

#include "parser/key_grammar.hpp"
#include "parser/query_tree.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <string>
#include <string_view>
#include <vector>

// Grows the tree of a query string, parameter by parameter, by the rules of qs 6.15.
//
// While it grows, every container is a set of members with names: a list is one whose names are its
// indices (they may leave holes) and that knows the index to append at. So a list turns into an
// object by a change of its kind, and nothing is ever moved. A list that outgrows the array limit
// becomes an object that still appends.
//
// Values are numbered. Those passed as `source` or `value` belong to the result afterwards. Texts
// and names are views into the caller's text, which must live until `finish`.

namespace parser {

class TreeBuilder {
  public:
    using Value = std::uint32_t;
    struct Member {
        std::string_view name;
        Value value;
        std::uint32_t next; // member of the same container
    };

    // A list of more than `array_limit` values becomes an object.
    explicit TreeBuilder(std::size_t array_limit);

    Value null() { return add({}); }
    Value text(std::string_view text) { return add({.kind = Kind::text, .text = text}); }
    Value object() { return add({.kind = Kind::object}); }

    // Sets a member of an object. If it is there already, all its values become one list.
    void combine(Value object, std::string_view name, Value value);
    // Wraps the value in the containers that a key's segments name, from the innermost outwards.
    Value nest(std::vector<Segment> const& segments, Value value);
    // Adds `source` to `target`; returns the value that replaces the target.
    Value merge(Value target, Value source);

    // Returns the members in the order in which JavaScript walks the container.
    std::vector<Member> members(Value container) const;
    Tree finish(Value value) const;

  private:
    enum class Kind : std::uint8_t { null, text, list, object };
    static constexpr std::uint32_t none = UINT32_MAX;
    struct Node {
        Kind kind = Kind::null;
        bool appends = false; // a list, or an object that was a list before
        double end = 0;       // where it appends: one past the greatest index
        std::string_view text = {};
        std::uint32_t size = 0;
        std::uint32_t first = none;
        std::uint32_t last = none;
    };
    struct Name {
        Value container;
        std::string_view name;
        bool operator==(Name const&) const = default;
    };
    struct NameHash {
        std::size_t operator()(Name const& place) const;
    };

    Value add(Node const& node);
    Value list();
    bool is_list(Value value) const { return nodes_[value].kind == Kind::list; }
    bool is_container(Value value) const { return nodes_[value].kind >= Kind::list; }
    std::uint32_t find(Value container, std::string_view name) const; // in members_, or none
    void set(Value container, std::string_view name, Value value);
    void append(Value container, Value value);
    void become_object(Value list, bool appends);
    void apply_limit(Value list);
    Value append_scalar(Value target, Value scalar);
    Value prepend(Value scalar, Value container);
    void merge_members(Value target, Value source);
    std::string_view numeral(double number);

    double array_limit_;
    std::vector<Node> nodes_;
    std::vector<Member> members_;
    // Indices into members_, for containers with more than `few` members; others are searched.
    boost::unordered_flat_map<Name, std::uint32_t, NameHash> index_;
    static constexpr std::uint32_t few = 8;
    std::forward_list<std::string> numerals_;
};

} // namespace parser
