#include "fcgi/handler/handle_request.hpp"

#include "parser/lexer.hpp"
#include "parser/query.hpp"
#include "parser/query_tree.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

namespace fcgi {

namespace json = boost::json;

namespace {

json::string_view name_of(db::RowSource source) {
    constexpr json::string_view names[] = {"root", "link", "pairs", "target"};
    return names[static_cast<std::size_t>(source)];
}

// Text that a client sent may be invalid UTF-8, which JSON cannot hold.
json::string utf8(std::string_view bytes) {
    std::string text(bytes);
    parser::replace_invalid_utf8(text);
    return json::string(text);
}

json::array names_of(std::vector<db::Attribute const*> const& attributes) {
    json::array names;
    for (db::Attribute const* attribute : attributes)
        names.emplace_back(attribute->name);
    return names;
}

// Returns what was sent for a node, or for the total, which belongs to none.
json::object sent_for(std::optional<std::uint32_t> node, RequestContext const& context) {
    db::SelectedPlan const& plan = *context.plan;
    db::SentStatement last{.node = node};
    std::uint64_t statements = 0;
    std::uint64_t rows = 0;
    std::chrono::nanoseconds duration{0};
    for (db::SentStatement const& statement : context.sent) {
        if (statement.node != node) continue;
        last = statement;
        ++statements;
        rows += statement.rows;
        duration += statement.duration;
    }
    return {{"sql", db::text_of(last, plan).without_values()},
            {"form", db::name_of(last.form)},
            {"statements", statements},
            {"rows", rows},
            {"milliseconds", milliseconds(duration)}};
}

// Counts the pairs whose entry is in the response: callers may not know how many lead to drafts and
// to types that they may not read.
std::uint64_t response_pairs(RequestContext const& context, db::Node const& pairs,
                             std::uint32_t index) {
    auto const& nodes = context.result.nodes;
    if (nodes.empty()) return 0; // the request failed
    return static_cast<std::uint64_t>(
        std::ranges::count_if(nodes[index].rows, [&](db::Row const& row) {
            return !nodes[pairs.targets[row.target]].of(row.id).empty();
        }));
}

// Returns the attributes that a node provides: those of its parent that branch to it.
json::array attributes_of(db::ReadPlan const& plan, std::uint32_t index) {
    json::array names;
    for (db::Branch const& branch : plan.nodes[plan.nodes[index].parent].branches)
        if (branch.node == index && index != 0) names.emplace_back(branch.attribute->name);
    return names;
}

json::array nodes(RequestContext const& context) {
    json::array list;
    if (!context.plan) return list;
    db::SelectedPlan const& plan = *context.plan;
    std::vector<std::string> paths(plan.nodes.size());
    for (std::uint32_t index = 0; index < plan.nodes.size(); ++index) {
        db::Node const& node = plan.nodes[index];
        auto attributes = attributes_of(plan, index);
        std::string& path = paths[index];
        path = paths[node.parent];
        if (!attributes.empty())
            path.append(path.empty() ? "" : ".").append(attributes[0].get_string());
        json::object object{{"node", index},
                            {"parent", index == 0 ? json::value() : json::value(node.parent)},
                            {"attributes", std::move(attributes)},
                            {"path", path},
                            {"source", name_of(node.source)},
                            {"type", node.type ? json::value(node.type->uid) : json::value()},
                            {"fields", names_of(node.columns)}};
        for (auto& member : sent_for(index, context))
            object.emplace(member.key(), std::move(member.value()));
        if (node.source == db::RowSource::pairs)
            object["rows"] = response_pairs(context, node, index);
        list.push_back(std::move(object));
    }
    return list;
}

json::value total(RequestContext const& context) {
    for (db::SentStatement const& statement : context.sent)
        if (!statement.node) return sent_for(std::nullopt, context);
    return nullptr;
}

json::array tables(RequestContext const& context) {
    json::array names;
    if (context.plan)
        for (std::string_view const name : context.plan->tables)
            names.emplace_back(name);
    return names;
}

json::value error(RequestContext const& context) {
    if (!context.error) return nullptr;
    auto const subject =
        context.error->subject ? *context.error->subject : parser::Error::Subject{};
    return json::object{{"name", error_status(context.error->kind).name},
                        {"message", utf8(context.error->message)},
                        {"place", utf8(subject.place)},
                        {"received", utf8(subject.received)}};
}

} // namespace

// Answers with how a request was answered, as one JSON object: its tree and query, and for each
// node of the plan the statement (`?` for every value) with its rows and time. Only rows that the
// caller may see are counted.
//
//     {"path", "status", "bytes",
//      "error": null or {"name", "message", "place", "received"},
//      "tree", "query",                     "query" in the notation of parser::dump
//      "nodes": [{"node", "parent", "attributes", "path", "source", "type", "fields",
//                 "sql", "form", "statements", "rows", "milliseconds"}], parents before children
//      "total": null or {"sql", "form", …, "milliseconds"},   null if the root's rows say it
//      "tables", "kept",                    "kept": the response may be cached
//      "stages": {"parse": milliseconds, …}}
Representation explain(Representation const& representation, Exchange const& exchange) {
    auto const& [service, request, response, context] = exchange;
    response.trace.times.stop();
    json::object times;
    for (auto const& [name, time] : response.trace.times.reached())
        times.emplace(name, milliseconds(time));
    json::object members{
        {"path", utf8(context.path)},
        {"status", representation.status},
        {"bytes", representation.body.size()},
        {"error", error(context)},
        {"query", utf8(parser::dump(context.query))},
        {"nodes", nodes(context)},
        {"total", total(context)},
        {"tables", tables(context)},
        {"kept", representation.status == 200 && context.origin.moment.tag.epoch != 0},
        {"stages", std::move(times)}};
    Representation explained;
    explained.headers.emplace_back("Cache-Control", "no-store");
    // The tree may be deeper than a DOM can be, and is JSON already.
    explained.body.own() =
        "{\"tree\":" + parser::dump(context.tree) + "," + json::serialize(members).substr(1);
    return explained;
}

} // namespace fcgi
