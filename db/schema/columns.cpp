#include "db/schema/schema.hpp"

#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>

namespace db {

namespace {

using Columns = std::vector<std::string>;

Columns const* find_table(TableColumns const& tables, std::string const& name) {
    auto found = tables.find(name);
    // With lower_case_table_names=1 the server knows every table by its lower-case name.
    if (found == tables.end())
        found = tables.find(boost::to_lower_copy(name, std::locale::classic()));
    return found == tables.end() ? nullptr : &found->second;
}

// The tables and columns that a type needs, with the attribute that needs them.
struct Need {
    std::string table;
    std::string column;
    std::string attribute;
};

std::vector<Need> needs(ContentType const& type) {
    std::vector<Need> all{{type.table, "id", "id"}};
    for (auto const& attribute : type.attributes) {
        auto const& link = attribute.link;
        if (attribute.is_scalar()) all.push_back({type.table, attribute.column, attribute.name});
        for (auto const& column :
             {link.parent_column, link.target_column, link.order_column, link.field_column,
              link.parent_type_column, link.target_type_column})
            if (!column.empty()) all.push_back({link.table, column, attribute.name});
    }
    return all;
}

} // namespace

std::vector<std::string> read_columns(Schema& schema, TableColumns const& tables) {
    std::set<std::string> problems;
    for (auto& [uid, type] : schema.types) {
        for (auto const& need : needs(*type)) {
            auto const* columns = find_table(tables, need.table);
            if (!columns)
                problems.insert("table `" + need.table + "` does not exist; " + uid + " needs it");
            else if (std::ranges::find(*columns, need.column) == columns->end())
                problems.insert("table `" + need.table + "` has no column `" + need.column +
                                "`; attribute " + need.attribute + " of " + uid + " needs it");
        }
        auto const* columns = find_table(tables, type->table);
        if (!columns) continue;
        type->column_order.clear();
        for (auto const& column : *columns)
            if (auto const* attribute = type->find_by_column(column))
                type->column_order.push_back(
                    static_cast<std::size_t>(attribute - type->attributes.data()));
    }
    return {problems.begin(), problems.end()};
}

} // namespace db
