#include "db/read/suggestions.hpp"

#include "db/plan/bind.hpp"
#include "db/read/select.hpp"
#include "parser/query_reader.hpp"
#include "parser/query_tree.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace db {

namespace {

constexpr std::string_view primary_key = "id";

// Collects the conditions of which a row must satisfy each.
void collect(Condition const& condition, std::vector<Condition const*>& all) {
    bool const is_all = condition.kind == ConditionKind::all_of ||
                        (condition.kind == ConditionKind::any_of && condition.members.size() == 1);
    if (!is_all) return all.push_back(&condition);
    for (Condition const& member : condition.members)
        collect(member, all);
}

std::vector<Condition const*> parts_of(Condition const& condition) {
    std::vector<Condition const*> all;
    collect(condition, all);
    return all;
}

bool is_one_value(Condition const& condition) {
    using enum Comparator;
    return condition.comparator == eq || condition.comparator == is_null ||
           (condition.comparator == in && condition.values.size() == 1);
}

// Returns whether the rows that satisfy the condition are a part of the index, or a few.
bool is_range(Condition const& condition) {
    using enum Comparator;
    switch (condition.comparator) {
    case lt:
    case lte:
    case gt:
    case gte:
    case in:
    case between:
        return true;
    case like: {
        auto const* const pattern = std::get_if<std::string>(&condition.values[0]);
        return pattern && !pattern->empty() && !pattern->starts_with('%') &&
               !pattern->starts_with('_');
    }
    default:
        return false;
    }
}

// Returns whether a large part of the entries satisfies the condition, whatever its value.
bool is_scope(Condition const& condition) {
    using enum Comparator;
    return condition.column == "locale" ||
           (condition.column == "published_at" &&
            (condition.comparator == is_null || condition.comparator == is_not_null));
}

// Hardly any two rows have the same value, or only the versions of one document.
bool is_nearly_unique(ContentType const& type, std::string_view column) {
    if (column == document_column) return true;
    Attribute const* const attribute = type.find_by_column(column);
    return attribute &&
           (attribute->column_type.is_unique || facts_of(attribute->type).column.is_unique);
}

// What is compared in conditions that must all hold.
struct ComparedColumns {
    std::set<std::string, std::less<>> to_one_value; // in an order that does not depend on the URL
    std::vector<std::string> ranges;
    std::vector<std::string> scope;
    bool primary = false; // the primary key, which serves without any other index
};

ComparedColumns compared_in(std::vector<Condition const*> const& conditions) {
    ComparedColumns compared;
    for (Condition const* condition : conditions) {
        if (condition->kind != ConditionKind::comparison) continue;
        auto const& column = condition->column;
        bool const is_one = is_one_value(*condition);
        if (column == primary_key)
            compared.primary |= is_one || condition->comparator == Comparator::in;
        else if (is_scope(*condition))
            compared.scope.push_back(column);
        else if (is_one)
            compared.to_one_value.insert(column);
        else if (is_range(*condition))
            compared.ranges.push_back(column);
    }
    std::ranges::sort(compared.ranges);
    std::ranges::sort(compared.scope); // locale, published_at
    return compared;
}

// An index under construction.
class Columns {
  public:
    explicit Columns(ContentType const& type) : type_(type), index_{.table = type.table} {}

    // Appends the column, unless the index has it. Returns false if it cannot have it.
    bool add(std::string const& column, bool descending = false) {
        if (std::ranges::find(index_.columns, column, &IndexColumn::name) != index_.columns.end())
            return true;
        auto const bytes = bytes_of(column);
        if (!bytes || bytes_ + *bytes > most_bytes_of_key) return false;
        bytes_ += *bytes;
        index_.columns.push_back({column, descending});
        return true;
    }
    void add_all(auto const& columns) {
        for (std::string const& column : columns)
            add(column);
    }
    // Appends all of it, or nothing. Returns whether the index has it.
    bool add_order(std::vector<IndexColumn> const& order) {
        auto const size = index_.columns.size();
        auto const bytes = bytes_;
        auto const add_key = [&](IndexColumn const& key) { return add(key.name, key.descending); };
        if (!order.empty() && std::ranges::all_of(order, add_key)) return true;
        index_.columns.resize(size);
        bytes_ = bytes;
        return false;
    }
    std::size_t size() const { return index_.columns.size(); }
    Index index() && { return std::move(index_); }

  private:
    static constexpr std::size_t most_bytes_of_key = 3'072;

    // A byte says whether it is NULL, two how long it is.
    std::optional<std::size_t> bytes_of(std::string const& column) const {
        if (column == primary_key) return 4;
        Attribute const* const attribute = type_.find_by_column(column);
        auto const bytes = attribute ? most_bytes(*attribute) : std::nullopt;
        return bytes ? std::optional<std::size_t>(*bytes + 3) : std::nullopt;
    }

    ContentType const& type_;
    Index index_;
    std::size_t bytes_ = 0;
};

// Returns the keys that a list is sorted by, the primary key the last; none if they are not all
// columns of the list. Keys that are all descending become ascending: such an index is read
// backwards.
std::vector<IndexColumn> order_of(Node const& root, ComparedColumns const& compared) {
    std::vector<IndexColumn> order;
    for (SortColumn const& key : root.sort) {
        if (!key.hops.empty()) return {};
        if (compared.to_one_value.contains(key.column)) continue;
        order.push_back({key.column, key.descending});
        if (key.column == primary_key) break;
    }
    if (order.empty()) return {};
    if (order.back().name != primary_key) order.push_back({std::string(primary_key)});
    if (std::ranges::all_of(order, &IndexColumn::descending))
        for (IndexColumn& column : order)
            column.descending = false;
    return order;
}

// Ends the index: `equalities` and `ordered` are what its first columns are. Every index of InnoDB
// ends with the primary key, which is left out.
std::optional<WantedIndex> finished(Columns columns, std::size_t equalities, std::size_t ordered) {
    auto index = std::move(columns).index();
    if (!index.columns.empty() && index.columns.back() == IndexColumn{std::string(primary_key)})
        index.columns.pop_back();
    if (index.columns.empty()) return std::nullopt;
    ordered = std::min(ordered, index.columns.size());
    return WantedIndex{std::move(index), equalities, ordered};
}

std::optional<WantedIndex> of_root(Node const& root) {
    auto const compared = compared_in(parts_of(root.where));
    if (compared.primary || root.type->kind == ContentType::Kind::single) return std::nullopt;
    auto const& equal = compared.to_one_value;
    for (std::string const& column : equal)
        if (is_nearly_unique(*root.type, column))
            return WantedIndex{{root.type->table, {{column}}}, 1, 1};
    Columns columns(*root.type);
    columns.add_all(equal);
    auto const equalities = columns.size();
    auto const add = [&](std::string const& column) { return columns.add(column); };
    if (!columns.add_order(order_of(root, compared)) && std::ranges::none_of(compared.ranges, add))
        columns.add(std::string(primary_key));
    auto const ordered = columns.size();
    columns.add_all(compared.ranges);
    columns.add_all(compared.scope);
    return finished(std::move(columns), equalities, ordered);
}

// Adds the indexes by which the related rows that conditions are about are found.
void add_related(Condition const& where, std::vector<WantedIndex>& wanted) {
    for (Condition const* condition : parts_of(where)) {
        if (condition->kind != ConditionKind::related) continue;
        std::vector<Condition const*> parts;
        for (Condition const& member : condition->members) {
            collect(member, parts);
            add_related(member, wanted);
        }
        auto const compared = compared_in(parts);
        if (compared.primary || !condition->target) continue;
        Columns columns(*condition->target);
        columns.add_all(compared.to_one_value);
        auto const equalities = columns.size();
        if (!compared.ranges.empty()) columns.add(compared.ranges.front());
        auto const ordered = columns.size();
        if (auto index = finished(std::move(columns), equalities, ordered))
            wanted.push_back(*std::move(index));
    }
}

// A link without an order of its own is read in that of the related rows' ids.
std::optional<WantedIndex> of_link(Node const& node) {
    if (node.source != RowSource::link || !node.limit || node.count || !node.sort.empty())
        return std::nullopt;
    Link const& link = *node.link;
    bool const is_shared = !link.field_column.empty() || !link.parent_type_column.empty();
    bool const is_inverse = std::ranges::none_of(node.slots, &Attribute::owns_link);
    if (link.storage != Link::Storage::table || is_shared || !is_inverse) return std::nullopt;
    Index index{link.table, {{link.parent_column}}};
    if (!link.order_column.empty()) index.columns.push_back({link.order_column, node.reverse});
    index.columns.push_back({link.target_column});
    auto const ordered = index.columns.size();
    return WantedIndex{std::move(index), 1, ordered};
}

// Returns whether statements that want the latter are as well off with the former.
bool serves(Index const& index, WantedIndex const& wanted) {
    auto const& columns = wanted.index.columns;
    if (index.table != wanted.index.table || index.columns.size() < wanted.ordered) return false;
    auto const rest = std::span(columns).subspan(wanted.ordered);
    return std::ranges::equal(std::span(columns).first(wanted.ordered),
                              std::span(index.columns).first(wanted.ordered)) &&
           std::ranges::all_of(rest, [&](IndexColumn const& column) {
               return std::ranges::find(index.columns, column.name, &IndexColumn::name) !=
                      index.columns.end();
           });
}

// A unique index finds the one row if each of its columns is compared with one value.
bool serves(ExistingIndex const& existing, WantedIndex const& wanted) {
    if (serves(existing.index, wanted)) return true;
    auto const equal = std::span(wanted.index.columns).first(wanted.equalities);
    return existing.is_unique && existing.index.table == wanted.index.table &&
           std::ranges::all_of(existing.index.columns, [&](IndexColumn const& column) {
               return std::ranges::find(equal, column.name, &IndexColumn::name) != equal.end();
           });
}

std::vector<std::string> usual_queries(ContentType const& type) {
    std::vector<std::string> queries{""};
    for (Attribute const& attribute : type.attributes) {
        if (attribute.is_relation()) queries.push_back("populate[" + attribute.name + "][limit]=1");
        if (attribute.type == AttributeType::uid)
            queries.push_back("filters[" + attribute.name + "]=x");
    }
    return queries;
}

} // namespace

std::vector<WantedIndex> wanted_by(ReadPlan const& plan) {
    std::vector<WantedIndex> wanted;
    Node const& root = plan.nodes[0];
    if (auto index = of_root(root)) wanted.push_back(*std::move(index));
    add_related(root.where, wanted);
    for (Node const& node : plan.nodes)
        if (auto index = of_link(node)) wanted.push_back(*std::move(index));
    return wanted;
}

void Suggestions::add(ReadPlan const& plan, std::uint64_t asked, std::string const& example) {
    auto wanted = wanted_by(plan);
    std::ranges::sort(wanted); // a plan may want an index more than once
    auto const again = std::ranges::unique(wanted);
    wanted.erase(again.begin(), again.end());
    for (WantedIndex& one : wanted) {
        auto const use = std::ranges::find(uses_, one, &Use::wanted);
        if (use == uses_.end())
            uses_.push_back({std::move(one), asked, example});
        else
            use->asked += asked;
    }
}

std::vector<Suggestion> Suggestions::least(std::vector<ExistingIndex> const& existing) const {
    auto uses = uses_;
    // One serves only those that have no more columns.
    std::ranges::sort(uses, [](Use const& left, Use const& right) {
        auto const longer = left.wanted.index.columns.size() <=> right.wanted.index.columns.size();
        return longer != 0 ? longer > 0 : left.wanted < right.wanted;
    });
    std::vector<Suggestion> least;
    for (auto const& [wanted, asked, example] : uses) {
        if (std::ranges::any_of(existing,
                                [&](ExistingIndex const& one) { return serves(one, wanted); }))
            continue;
        auto const served = std::ranges::find_if(
            least, [&](Suggestion const& one) { return serves(one.index, wanted); });
        if (served == least.end())
            least.push_back({wanted.index, asked, example});
        else
            served->asked += asked;
    }
    std::ranges::stable_sort(least, std::greater(), &Suggestion::asked);
    return least;
}

std::vector<Index> usual_indexes(Schema const& schema, std::vector<ExistingIndex> const& existing) {
    Permissions const all(Permissions::AccessLevel::full);
    ApiOptions const options{.default_locale = "en"}; // the value makes no difference
    Suggestions suggestions;
    for (auto const& [uid, type] : schema.types) {
        if (type->kind != ContentType::Kind::collection || !uid.starts_with("api::")) continue;
        for (std::string const& query : usual_queries(*type)) {
            auto const typed =
                parser::read_query(parser::parse_query_string(query), schema.cms.reading);
            if (auto const plan = bind(typed, {.type = type.get()}, schema, all, options, {}))
                suggestions.add(*plan, 0, query);
        }
    }
    std::vector<Index> indexes;
    for (Suggestion& one : suggestions.least(existing))
        indexes.push_back(std::move(one.index));
    return indexes;
}

} // namespace db
