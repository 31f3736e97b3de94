#include "db/binlog/row_uses.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace db {

namespace {

std::optional<std::uint64_t> id_in(Literal const& literal) {
    if (auto const* number = std::get_if<double>(&literal)) {
        auto const id = static_cast<std::uint64_t>(std::clamp(*number, 0.0, 9e15));
        if (static_cast<double>(id) == *number) return id;
    }
    auto const* text = std::get_if<std::string>(&literal);
    if (!text) return std::nullopt;
    std::uint64_t id = 0;
    auto const* const end = text->data() + text->size();
    return std::from_chars(text->data(), end, id).ptr == end ? std::optional(id) : std::nullopt;
}

// Returns whether a foreign key makes sure that the target of a link is there.
bool refers_to(TableRelations const& relations, Link const& link, ContentType const& target) {
    auto const* known = relations.find(table_name(link.table));
    return known && known->parents.contains(table_name(target.table));
}

class RowUseCollector {
  public:
    RowUseCollector(SelectedPlan const& plan, ResultTree const& result,
                    TableRelations const& relations)
        : plan_(plan), result_(result), relations_(relations) {}

    RowUses run() {
        for (std::size_t i = 0; i < plan_.nodes.size(); ++i)
            add(i);
        return std::move(uses_);
    }
    RowUses of_total() {
        add_all_that(plan_.nodes[0]);
        return std::move(uses_);
    }

  private:
    void add(std::size_t index) {
        switch (plan_.nodes[index].source) {
        case RowSource::root:
            return add_root();
        case RowSource::link:
            return add_link(index);
        case RowSource::pairs:
            return add_parents(plan_.nodes[index]);
        case RowSource::target:
            return add_targets(index);
        }
    }

    void add_root() {
        Node const& root = plan_.nodes[0];
        RowUse& use = uses_[root.type->table];
        if (add_value(root.where, *root.type)) {
            add_relations(root.where);
        } else {
            add_all_that(root);
            add(root.sort, use);
        }
        add_ids(result_.nodes[0], use);
    }

    // Adds all rows that satisfy the condition of the root, as long as they are the same ones.
    void add_all_that(Node const& root) {
        RowUse& use = uses_[root.type->table];
        use.inserted = use.deleted = true;
        add(root.where, use);
    }

    // Adds the value that the root is looked for by. Returns false if it is not.
    bool add_value(Condition const& condition, ContentType const& type) {
        if (condition.kind == ConditionKind::all_of)
            return std::ranges::any_of(condition.members, [&](Condition const& member) {
                return add_value(member, type);
            });
        if (condition.kind != ConditionKind::comparison || condition.comparator != Comparator::eq ||
            condition.values.size() != 1)
            return false;
        auto& values = uses_[type.table].values;
        if (condition.column == "id") {
            auto const id = id_in(condition.values[0]);
            if (id) values["id"].ids.push_back(*id);
            return id.has_value();
        }
        auto const* text = std::get_if<std::string>(&condition.values[0]);
        auto const* relations = relations_.find(table_name(type.table));
        bool const is_plain = relations && relations->plain_texts.contains(condition.column);
        if (!text || !is_plain || !is_row_key(type, condition.column)) return false;
        values[condition.column].texts.push_back(*text);
        return true;
    }

    void add_link(std::size_t index) {
        Node const& node = plan_.nodes[index];
        Rows const& rows = result_.nodes[index];
        Link const& link = *node.link;
        add_parents(node);
        RowUse& use = uses_[node.type->table];
        // The rows of a document are found by a value that the response may not have.
        if (link.entry_column != "id") use.all = true;
        add(node.where, use);
        if (node.limit || node.start) add(node.sort, use);
        for (SortColumn const& key : node.sort)
            add(key);
        if (node.start || node.count) use.deleted = true;
        // A link may have been there before the entry.
        bool const shows_missing = plan_.statements.nodes[index].layout.has_missing;
        if (link.storage == Link::Storage::table && !refers_to(relations_, link, *node.type) &&
            (!shows_missing || rows.had_missing))
            use.inserted = true;
        if (!node.count) add_ids(rows, use);
    }

    // Adds the rows of a link that belong to the parents.
    void add_parents(Node const& node) {
        Link const& link = *node.link;
        if (link.storage == Link::Storage::parent_column) return; // the parents' own rows have it
        bool const is_own = link.storage == Link::Storage::table;
        RowUse& use = uses_[is_own ? link.table : node.type->table];
        add_rows(result_.nodes[node.parent], use.values[link.parent_column]);
        if (!is_own) return;
        use.ends.insert(plan_.nodes[node.parent].type->table);
        if (node.type) use.ends.insert(node.type->table);
    }

    void add_targets(std::size_t index) {
        Node const& node = plan_.nodes[index];
        Node const& pairs = plan_.nodes[node.parent];
        RowUse& use = uses_[node.type->table];
        for (Row const& row : result_.nodes[node.parent].rows)
            if (pairs.targets[row.target] == index) use.values["id"].ids.push_back(row.id);
        add(node.where, use);
    }

    static void add_ids(Rows const& rows, RowUse& use) { add_rows(rows, use.values["id"]); }
    static void add_rows(Rows const& rows, RowUse::Values& values) {
        for (Row const& row : rows.rows)
            values.ids.push_back(row.id);
    }

    void add(Condition const& condition, RowUse& use) {
        if (condition.kind == ConditionKind::comparison) use.columns.insert(condition.column);
        if (add_relation(condition)) return;
        for (Condition const& member : condition.members)
            add(member, use);
    }

    // Adds what subqueries read.
    void add_relations(Condition const& condition) {
        add_relation(condition);
        for (Condition const& member : condition.members)
            add_relations(member);
    }

    bool add_relation(Condition const& condition) {
        bool const is_version = condition.kind == ConditionKind::version;
        if (!is_version && condition.kind != ConditionKind::related) return false;
        RowUse& use = is_version ? uses_[condition.target->table]
                                 : add_any(*condition.link, *condition.target);
        use.all = use.all || is_version;
        for (Condition const& member : condition.members)
            add(member, use);
        return true;
    }

    void add(std::vector<SortColumn> const& sort, RowUse& use) {
        for (SortColumn const& key : sort) {
            if (key.hops.empty()) use.columns.insert(key.column);
            add(key);
        }
        use.columns.insert("id"); // what is equal by all keys is in the order of the ids
    }

    // Adds what a sort over relations reads.
    void add(SortColumn const& key) {
        RowUse* last = nullptr;
        for (auto const& [link, target] : key.hops)
            last = &add_any(*link, *target);
        if (last) last->columns.insert(key.column);
    }

    // Adds any row of a link, and any that it leads to, as far as it matters which these are.
    RowUse& add_any(Link const& link, ContentType const& target) {
        RowUse& links = uses_[link.table];
        if (link.storage == Link::Storage::table) links.inserted = links.deleted = true;
        for (std::string const* column :
             {&link.parent_column, &link.target_column, &link.order_column, &link.field_column,
              &link.parent_type_column, &link.target_type_column})
            if (!column->empty()) links.columns.insert(*column);
        RowUse& use = uses_[target.table];
        use.inserted = use.deleted = true;
        use.columns.insert(link.entry_column);
        return use;
    }

    SelectedPlan const& plan_;
    ResultTree const& result_;
    TableRelations const& relations_;
    RowUses uses_;
};

} // namespace

RowUses row_uses(SelectedPlan const& plan, ResultTree const& result,
                 TableRelations const& relations) {
    return RowUseCollector(plan, result, relations).run();
}

RowUses row_uses_of_total(SelectedPlan const& plan) {
    ResultTree const nothing;
    TableRelations const unknown;
    return RowUseCollector(plan, nothing, unknown).of_total();
}

namespace {

void add_link(Link const& link, ContentType const* target, RowKeys& keys) {
    switch (link.storage) {
    case Link::Storage::table:
        keys[table_name(link.table)].insert({"id", link.parent_column});
        break;
    case Link::Storage::target_column:
        if (target) keys[table_name(target->table)].insert(link.parent_column);
        break;
    case Link::Storage::parent_column: // the entry's own row
    case Link::Storage::none:
        break;
    }
}

} // namespace

RowKeys row_keys(Schema const& schema) {
    RowKeys keys;
    for (auto const& [uid, type] : schema.types) {
        auto& columns = keys[table_name(type->table)];
        columns.insert("id");
        for (Attribute const& attribute : type->attributes) {
            add_link(attribute.link, attribute.target, keys);
            if (is_row_key(*type, attribute.column)) columns.insert(attribute.column);
        }
    }
    return keys;
}

bool is_row_key(ContentType const& type, std::string_view column) {
    if (column == document_column) return true;
    auto const* attribute = type.find_by_column(column);
    return attribute && attribute->type == AttributeType::uid;
}

} // namespace db
