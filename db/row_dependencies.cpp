#include "db/row_dependencies.hpp"

#include "db/binlog/row_tag.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace db {

using Source = Node::Source;

namespace {

using Kind = RowTag::Kind;

// A response with more depends on whole tables: it is as likely to be outdated by then.
constexpr std::size_t most_tags = 200;

// What a root is looked for by, if that is a value that few rows have.
struct Lookup {
    std::string_view column;
    TagValue value;
};

std::optional<TagValue> id_in(Literal const& literal) {
    if (auto const* number = std::get_if<double>(&literal)) {
        auto const id = static_cast<std::uint64_t>(std::clamp(*number, 0.0, 9e15));
        if (static_cast<double>(id) == *number) return tag_value(id);
    }
    auto const* text = std::get_if<std::string>(&literal);
    std::uint64_t id = 0;
    if (!text || std::from_chars(text->data(), text->data() + text->size(), id).ptr !=
                     text->data() + text->size())
        return std::nullopt;
    return tag_value(id);
}

bool is_found_by(ContentType const& type, std::string_view column) {
    if (column == document_column) return true;
    auto const* attribute = type.find_by_column(column);
    return attribute && attribute->type == AttributeType::uid;
}

std::optional<Lookup> lookup_in(ContentType const& type, Condition const& condition) {
    if (condition.kind == Condition::Kind::all_of) {
        for (Condition const& member : condition.members)
            if (auto found = lookup_in(type, member)) return found;
        return std::nullopt;
    }
    if (condition.kind != Condition::Kind::comparison || condition.comparator != Comparator::eq ||
        condition.values.size() != 1)
        return std::nullopt;
    std::optional<TagValue> value;
    if (condition.column == "id")
        value = id_in(condition.values[0]);
    else if (auto const* text = std::get_if<std::string>(&condition.values[0]);
             text && is_found_by(type, condition.column))
        value = tag_value(*text);
    return value ? std::optional(Lookup{condition.column, *value}) : std::nullopt;
}

class Collector {
  public:
    Collector(SelectedPlan const& plan, ResultTree const& result, TableRelations const& relations,
              ChangeLog& log)
        : plan_(plan), result_(result), relations_(relations), log_(log) {}

    RowDependencies run() {
        for (std::size_t i = 0; i < plan_.nodes.size(); ++i)
            add(i);
        bound();
        for (auto const& [name, use] : uses_)
            finish(use);
        std::ranges::sort(found_.slots);
        found_.slots.erase(std::ranges::unique(found_.slots).begin(), found_.slots.end());
        return std::move(found_);
    }

  private:
    // What is used of one table.
    struct Use {
        TableName name;
        ChangeLog::Table const* table;
        TableRelations::Table const* relations;
        bool of_all_rows = false;
        std::vector<RowTag> tags = {};
        // Of a link's table: those whose rows are told apart by id wherever the link is used.
        std::set<TableName> ends = {};
    };

    Use& use_of(std::string_view name) {
        auto const found = uses_.find(name);
        if (found != uses_.end()) return found->second;
        auto full_name = table_name(name);
        auto const* relations = relations_.find(full_name);
        bool const is_known = relations && !relations->columns.empty();
        return uses_
            .emplace(name, Use{std::move(full_name), log_.table(name), relations, !is_known})
            .first->second;
    }

    void add_all_rows(std::string_view table) { use_of(table).of_all_rows = true; }

    void add(std::string_view table, Kind kind) {
        Use& use = use_of(table);
        use.tags.push_back({use.table, kind});
    }

    void add_column(std::string_view table, std::string_view column) {
        Use& use = use_of(table);
        auto const place = place_of(use, column);
        if (place) use.tags.push_back({use.table, Kind::column, *place});
    }

    // Values that rows are told apart by.
    class Values {
      public:
        Values(Collector& collector, std::string_view table, std::string_view column)
            : use_(collector.use_of(table)) {
            auto const place = collector.place_of(use_, column);
            if (!place) return;
            column_ = *place;
            if (collector.log_.tell_apart(use_.table, column_))
                use_.tags.push_back({use_.table, Kind::other_value, column_});
            else
                use_.of_all_rows = true;
        }
        void add(TagValue const& value) const {
            if (!use_.of_all_rows) use_.tags.push_back({use_.table, Kind::value, column_, value});
        }

      private:
        Use& use_;
        std::uint16_t column_ = 0;
    };

    // Returns none, and uses all rows, if it is not known.
    static std::optional<std::uint16_t> place_of(Use& use, std::string_view column) {
        if (use.of_all_rows) return std::nullopt;
        auto const found = use.relations->columns.find(column);
        if (found != use.relations->columns.end()) return found->second;
        use.of_all_rows = true;
        return std::nullopt;
    }

    void add_ids(std::string_view table, Rows const& rows) {
        Values const ids(*this, table, "id");
        for (Row const& row : rows.rows)
            ids.add(tag_value(row.id));
    }

    void add(Condition const& condition, std::string_view table) {
        switch (condition.kind) {
        case Condition::Kind::comparison:
            return add_column(table, condition.column);
        case Condition::Kind::related:
        case Condition::Kind::version:
            return add_tables(condition);
        case Condition::Kind::all_of:
        case Condition::Kind::any_of:
        case Condition::Kind::none_of:
            break;
        }
        for (Condition const& member : condition.members)
            add(member, table);
    }

    // Adds all rows of the tables of subqueries.
    void add_tables(Condition const& condition) {
        if (condition.link) add_all_rows(condition.link->table);
        if (condition.target) add_all_rows(condition.target->table);
        for (Condition const& member : condition.members)
            add_tables(member);
    }

    void add(std::vector<SortColumn> const& sort, std::string_view table) {
        for (SortColumn const& key : sort) {
            if (key.hops.empty()) add_column(table, key.column);
            for (auto const& hop : key.hops) {
                add_all_rows(hop.link->table);
                add_all_rows(hop.target->table);
            }
        }
        add_column(table, "id"); // what is equal by all keys is in the order of the ids
    }

    void add(std::size_t index) {
        Node const& node = plan_.nodes[index];
        switch (node.source) {
        case Source::root:
            return add_root(node, result_.nodes[index]);
        case Source::link:
            return add_link(index);
        case Source::pairs:
            return add_parents(node);
        case Source::target:
            return add_targets(node);
        }
    }

    void add_root(Node const& node, Rows const& rows) {
        std::string_view const table = node.type->table;
        if (auto const lookup = lookup_in(*node.type, node.where)) {
            Values(*this, table, lookup->column).add(lookup->value);
            add_subqueries(node.where);
        } else {
            add(table, Kind::inserted);
            add(table, Kind::deleted);
            add(node.where, table);
            add(node.sort, table);
        }
        add_ids(table, rows);
    }

    void add_subqueries(Condition const& condition) {
        if (condition.kind == Condition::Kind::related ||
            condition.kind == Condition::Kind::version)
            return add_tables(condition);
        for (Condition const& member : condition.members)
            add_subqueries(member);
    }

    // Adds the rows of a link that belong to the parents.
    void add_parents(Node const& node) {
        Link const& link = *node.link;
        if (link.place == Link::Place::parent_column) return; // the parents' own rows have it
        bool const is_own = link.place == Link::Place::table;
        std::string_view const table = is_own ? link.table : node.type->table;
        Values const parents(*this, table, link.parent_column);
        for (Row const& row : result_.nodes[node.parent].rows)
            parents.add(tag_value(row.id));
        if (!is_own) return;
        Use& use = use_of(table);
        use.ends.insert(table_name(plan_.nodes[node.parent].type->table));
        if (node.type) use.ends.insert(table_name(node.type->table));
    }

    void add_link(std::size_t index) {
        Node const& node = plan_.nodes[index];
        Rows const& rows = result_.nodes[index];
        add_parents(node);
        Link const& link = *node.link;
        std::string_view const table = node.type->table;
        // The rows of a document are found by a value that the response may not have.
        if (link.entry_column != "id") return add_all_rows(table);
        add(node.where, table);
        if (node.limit || node.start) add(node.sort, table);
        if (node.start || node.count) add(table, Kind::deleted);
        // A link may have been there before the entry.
        bool const shows_missing = plan_.statements.nodes[index].layout.has_missing;
        if (link.place == Link::Place::table && !refers_to(link.table, table) &&
            (!shows_missing || rows.had_missing))
            add(table, Kind::inserted);
        if (!node.count) add_ids(table, rows);
    }

    // Returns whether a foreign key makes sure that the target of a link is there.
    bool refers_to(std::string_view link, std::string_view target) {
        auto const* relations = use_of(link).relations;
        return relations && relations->parents.contains(table_name(target));
    }

    void add_targets(Node const& node) {
        std::string_view const table = node.type->table;
        Node const& pairs = plan_.nodes[node.parent];
        Values const ids(*this, table, "id");
        for (Row const& row : result_.nodes[node.parent].rows)
            if (&plan_.nodes[pairs.targets[row.target]] == &node) ids.add(tag_value(row.id));
        add(node.where, table);
    }

    void bound() {
        auto const count = [](auto const& use) {
            return use.second.of_all_rows ? 0 : use.second.tags.size();
        };
        for (;;) {
            std::size_t sum = 0;
            for (auto const& use : uses_)
                sum += count(use);
            if (sum <= most_tags) return;
            std::ranges::max_element(uses_, {}, count)->second.of_all_rows = true;
        }
    }

    void finish(Use const& use) {
        auto const ancestors = relations_.ancestors(use.name);
        if (use.of_all_rows) {
            found_.tables.push_back(use.table);
            for (auto const& [database, table] : ancestors)
                found_.tables.push_back(log_.table(table, database));
            return;
        }
        for (RowTag const& tag : use.tags)
            found_.slots.push_back(log_.slot(tag));
        found_.slots.push_back(log_.slot({use.table, Kind::undecoded}));
        for (TableName const& ancestor : ancestors)
            if (!use.ends.contains(ancestor)) add_deletions(ancestor);
    }

    void add_deletions(TableName const& name) {
        auto const* table = log_.table(name.name, name.database);
        auto const& columns = relations_.find(name)->columns;
        auto const id = columns.find("id");
        if (id == columns.end() || !log_.tell_apart(table, id->second)) {
            found_.tables.push_back(table);
            return;
        }
        found_.slots.push_back(log_.slot({table, Kind::undecoded}));
        found_.slots.push_back(log_.slot({table, Kind::deleted}));
        found_.slots.push_back(log_.slot({table, Kind::column, id->second}));
    }

    SelectedPlan const& plan_;
    ResultTree const& result_;
    TableRelations const& relations_;
    ChangeLog& log_;
    std::map<std::string_view, Use> uses_;
    RowDependencies found_;
};

} // namespace

RowDependencies row_dependencies(SelectedPlan const& plan, ResultTree const& result,
                                 TableRelations const& relations, ChangeLog& log) {
    return Collector(plan, result, relations, log).run();
}

} // namespace db
