#include "fcgi/answer/plugin_answers.hpp"

#include "fcgi/json/envelope.hpp"

namespace fcgi {

namespace {

// The member that the table has no column for.
std::string extra_member(Route const& route, db::ReadPlan const& plan, db::ResultTree const& result,
                         db::Row const& row, db::Site const& site) {
    if (route.kind == Route::Kind::roles) {
        db::Branch const& users = plan.nodes[0].branches[0];
        auto const counts = result.nodes[users.node].of(row.id);
        return ",\"nb_users\":" + std::to_string(counts.empty() ? 0 : counts[0].id);
    }
    db::Node const& root = plan.nodes[0];
    bool is_default = false;
    for (std::size_t i = 0; i < root.columns.size(); ++i)
        if (root.columns[i]->name == "code")
            is_default = result.nodes[0].cells_of(row)[i] == site.default_locale;
    return is_default ? ",\"isDefault\":true" : ",\"isDefault\":false";
}

} // namespace

parser::Result<db::ReadPlan> bind_plugin_answer(Route const& route, db::Schema const& schema,
                                                parser::Limits const& limits) {
    parser::Query query;
    if (route.kind == Route::Kind::roles)
        query.selection.populate.members.push_back({.name = "users", .count = true});
    static db::Permissions const everything(db::Permissions::Kind::full);
    return db::bind(query, route.target, schema, everything, {}, limits);
}

void append_plugin_answer(std::string& out, Route const& route, db::ReadPlan const& plan,
                          db::ResultTree const& result, db::Site const& site) {
    bool const is_roles = route.kind == Route::Kind::roles;
    out += is_roles ? "{\"roles\":[" : "[";
    for (db::Row const& row : result.nodes[0].rows) {
        if (&row != &result.nodes[0].rows.front()) out += ',';
        append_columns(out, plan, result, row);
        out += extra_member(route, plan, result, row, site) + '}';
    }
    out += is_roles ? "]}" : "]";
}

} // namespace fcgi
