#include "fcgi/answer/forms.hpp"

#include <cstdlib>

namespace fcgi {

namespace {

parser::Result<db::ReadPlan> bind_query(Question const& question) {
    auto const& [query, route, caller, state, options, document_format, unlisted] = question;
    db::ApiOptions api = options.api;
    if (api.default_locale.empty()) api.default_locale = state.site.default_locale;
    api.document_format = document_format;
    api.unlisted = unlisted;
    return db::bind(query, route.target, *state.schema, *caller.permissions, api, options.limits);
}

Written append_entries(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                       db::Site const&, WritingBounds const& bounds) {
    return append_envelope(out, plan, result, bounds);
}

// Strapi 5.54: files are flat whatever format is asked for, as is all that plugins answer.
parser::Result<db::ReadPlan> bind_files(Question const& question) {
    auto plan = bind_query(question);
    if (plan) plan->json = &question.state.schema->cms.json;
    return plan;
}

// No URL is signed here: the CMS signs those of private buckets with its upload provider.
Written append_files(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                     db::Site const&, WritingBounds const& bounds) {
    return append_envelope(out, plan, result, bounds, ",\"isUrlSigned\":false");
}

// The lists of locales and roles have members of their own in Strapi 4.26 and take no parameters.
parser::Result<db::ReadPlan> bind_whole_list(Question const& question,
                                             parser::Query const& query = {}) {
    static db::Permissions const everything(db::Permissions::AccessLevel::full);
    return db::bind(query, question.route.target, *question.state.schema, everything, {},
                    question.options.limits);
}

// `append_more` writes the member that the table has no column for.
void append_list(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                 auto append_more) {
    for (db::Row const& row : result.nodes[0].rows) {
        if (&row != &result.nodes[0].rows.front()) out += ',';
        append_columns(out, plan, result, row);
        append_more(row);
        out += '}';
    }
}

// [{"id","name","code",…,"isDefault"}]
parser::Result<db::ReadPlan> bind_locales(Question const& question) {
    return bind_whole_list(question);
}

Written append_locales(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                       db::Site const& site, WritingBounds const&) {
    db::Node const& root = plan.nodes[0];
    out += '[';
    append_list(out, plan, result, [&](db::Row const& row) {
        bool is_default = false;
        for (std::size_t i = 0; i < root.columns.size(); ++i)
            if (root.columns[i]->name == "code")
                is_default = result.nodes[0].cells_of(row)[i] == site.default_locale;
        out += is_default ? ",\"isDefault\":true" : ",\"isDefault\":false";
    });
    out += ']';
    return Written::whole;
}

// {"roles":[{"id","name",…,"nb_users"}]}
parser::Result<db::ReadPlan> bind_roles(Question const& question) {
    parser::Query query;
    parser::PopulateOptions counted;
    counted.count = true;
    query.selection.populate.edit().members.push_back({"users", std::move(counted)});
    return bind_whole_list(question, query);
}

Written append_roles(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                     db::Site const&, WritingBounds const&) {
    db::Branch const& users = plan.nodes[0].branches[0];
    out += "{\"roles\":[";
    append_list(out, plan, result, [&](db::Row const& row) {
        auto const counts = result.nodes[users.node].of(row.id);
        out.append(",\"nb_users\":").append(std::to_string(counts.empty() ? 0 : counts[0].id));
    });
    out += "]}";
    return Written::whole;
}

constexpr FormMaker entries{true, bind_query, append_entries};
constexpr FormMaker files{true, bind_files, append_files};
constexpr FormMaker locales{false, bind_locales, append_locales};
constexpr FormMaker roles{false, bind_roles, append_roles};

} // namespace

FormMaker const& maker_of(Form form) {
    switch (form) {
    case Form::envelope:
    case Form::plain:
        return entries;
    case Form::files:
        return files;
    case Form::locales:
        return locales;
    case Form::roles:
        return roles;
    case Form::content_types:
    case Form::components:
    case Form::none:
        break;
    }
    std::abort();
}

} // namespace fcgi
