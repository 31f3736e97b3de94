#pragma once

#include "db/plan/bind.hpp"

#include <string>
#include <string_view>
#include <vector>

// The passes behind bind(). Each takes one part of the query and the type whose names it may use;
// they share what this class holds. Errors are noted, not returned: the one to report is known only
// when everything has been looked at.

namespace db {

// Errors in the order in which Strapi 4.26 finds them: it validates all names before it converts
// any value, parameter by parameter, and inside one parameter in passes over the whole tree.
class Refusals {
  public:
    enum class Pass : std::uint8_t { unknown, zone, morph, hidden, shape, unpermitted };

    void begin_parameter() { ++parameter_; }
    void name(Pass pass, std::string_view key, std::string_view where);
    void value(parser::Error error);
    // Values noted so far count no more: of parameters that are checked but not used.
    void forget_values() { value_.reset(); }

    bool any_name() const { return name_.has_value(); }
    std::optional<parser::Error> const& first() const { return name_ ? name_ : value_; }

  private:
    unsigned parameter_ = 0;
    unsigned name_parameter_ = 0;
    Pass name_pass_ = Pass::unknown;
    std::optional<parser::Error> name_;
    std::optional<parser::Error> value_;
};

class Binder {
  public:
    Binder(Schema const& schema, Permissions const& permissions, ApiOptions const& options,
           parser::Limits const& limits);

    parser::Result<ReadPlan> bind(parser::Query const& query, Target const& target);

  private:
    // Where binding is in the query; written `filters[author][name]`, only for an error.
    class At {
      public:
        At(Binder& binder, std::string_view key) : binder_(binder) { binder.place_.push_back(key); }
        ~At() { binder_.place_.pop_back(); }
        At(At const&) = delete;
        At& operator=(At const&) = delete;

      private:
        Binder& binder_;
    };
    std::string place() const;
    void refuse(Refusals::Pass pass, std::string_view key);
    void wrong(std::string_view expected);
    void ignored(std::string_view key);

    // bind.cpp
    void root(parser::Query const& query, Target const& target);
    void window(parser::Query const& query, Target const& target);
    void root_window(parser::Pagination const& root, Node& node);
    Page page(parser::Query const& query);
    void check_root_pages(parser::Pagination const& root);
    std::uint64_t whole(double number, std::string_view where);
    static Condition published();

    // bind_filters.cpp: conditions on the entries of `type`, on the value of one scalar, and on the
    // rows behind a relation.
    Condition filters(parser::Filter const& filter, ContentType const& type);
    Condition entry_condition(parser::Filter const& filter, ContentType const& type);
    Condition entry_member(parser::Filter const& member, ContentType const& type);
    Condition name_condition(parser::Filter const& member, ContentType const& type);
    Condition scalar_condition(std::string_view column, AttributeType type, bool is_id,
                               parser::Filter const& filter, ContentType const& owner);
    Condition related_condition(Attribute const& attribute, parser::Filter const& filter);
    Condition related_value(ContentType const& target, parser::Filter const& filter);
    Condition comparison(std::string_view column, AttributeType type, parser::Filter const& filter);
    Condition compare_one(std::string_view column, AttributeType type, parser::Operator op,
                          parser::Value const& value);
    Condition contains_json(std::string_view column, AttributeType type,
                            parser::Value const& value);
    Condition compare_list(std::string_view column, AttributeType type,
                           parser::Filter const& filter);
    Literal literal(AttributeType type, parser::Value const& value);
    Condition search(std::string_view text, ContentType const& type);
    Condition locale(parser::Query const& query, ContentType const& type);
    void count_term();
    bool enter_hop();

    // bind_sort.cpp
    void sort(parser::Selection const& selection, ContentType const& type,
              std::vector<SortColumn>& columns);
    std::optional<SortColumn> sort_column(parser::SortKey const& key, ContentType const& type);

    // bind_populate.cpp: `live` asks for published entries only, here and below.
    std::uint32_t add_node(Node node);
    void selection(parser::Selection const& selection, ContentType const& type, std::uint32_t node,
                   bool live);
    void fields(parser::FieldSelection const& fields, ContentType const& type,
                std::vector<Attribute const*>& columns);
    void populate(parser::PopulateSet const& set, ContentType const& type, std::uint32_t node,
                  bool live);
    void branch(Attribute const& attribute, parser::Populate const& populate, std::uint32_t node,
                bool live);
    void entries_branch(Attribute const& attribute, parser::Populate const& populate,
                        std::uint32_t node, bool live);
    bool share_media_node(Attribute const& attribute, std::uint32_t parent, std::uint32_t child);
    void pairs_branch(Attribute const& attribute, parser::Populate const& populate,
                      std::uint32_t node, bool live);
    void pairs_fragments(Attribute const& attribute, std::vector<parser::Populate> const& fragments,
                         std::uint32_t pairs, bool inherited_live);
    void pairs_of_any_type(std::vector<ContentType const*> const& targets,
                           parser::Selection const& options, std::uint32_t pairs, bool live);
    void pairs_target(ContentType const& target, parser::Selection const& options,
                      std::uint32_t pairs, bool live);
    std::vector<ContentType const*> pair_targets(Attribute const& attribute) const;
    bool knows_deep() const;
    void populate_deep(parser::PopulateSet const& set, ContentType const& type, bool live);
    bool may_populate(Attribute const& attribute) const;

    bool is_permitted(Attribute const& attribute) const;
    bool over(bool exceeded, std::size_t parser::Limits::* limit);

    Schema const& schema_;
    Permissions const& permissions_;
    ApiOptions const& options_;
    parser::Limits const& limits_;

    ReadPlan plan_;
    Refusals refusals_;
    std::vector<std::string_view> place_;
    std::vector<std::string> ignored_; // for strict
    std::size_t terms_ = 0;
    std::size_t hops_ = 0;
};

} // namespace db
