#include "fcgi/answer/explain.hpp"

#include "fcgi/http/error_status.hpp"
#include "parser/percent_decode.hpp"
#include "parser/query.hpp"
#include "parser/query_tree.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

namespace fcgi {

namespace json = boost::json;

namespace {

json::string_view name_of(db::Node::Source source) {
    constexpr json::string_view names[] = {"root", "link", "pairs", "target"};
    return names[static_cast<std::size_t>(source)];
}

// Text that a client sent may be no UTF-8, which JSON has to be.
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

// What was sent for a node, or for the total, which has none.
json::object sent_for(std::optional<std::uint32_t> node, Workings const& workings) {
    db::Statements const& texts = workings.plan->statements;
    std::string sql = db::text_of({.node = node}, texts).without_values();
    std::uint64_t statements = 0;
    std::uint64_t rows = 0;
    std::chrono::nanoseconds duration{0};
    for (db::SentStatement const& statement : workings.sent) {
        if (statement.node != node) continue;
        if (statement.with_total) sql = db::text_of(statement, texts).without_values();
        ++statements;
        rows += statement.rows;
        duration += statement.duration;
    }
    return {{"sql", sql},
            {"statements", statements},
            {"rows", rows},
            {"milliseconds", milliseconds(duration)}};
}

// Of pairs, those whose entry is answered: how many lead to drafts and to types that the caller may
// not read is not his to know.
std::uint64_t answered_pairs(Workings const& workings, db::Node const& pairs, std::uint32_t index) {
    auto const& nodes = workings.result.nodes;
    if (nodes.empty()) return 0; // the request failed
    return static_cast<std::uint64_t>(
        std::ranges::count_if(nodes[index].rows, [&](db::Row const& row) {
            return !nodes[pairs.targets[row.target]].of(row.id).empty();
        }));
}

// The attributes that a node answers: those of its parent that branch to it.
json::array attributes_of(db::ReadPlan const& plan, std::uint32_t index) {
    json::array names;
    for (db::Branch const& branch : plan.nodes[plan.nodes[index].parent].branches)
        if (branch.node == index && index != 0) names.emplace_back(branch.attribute->name);
    return names;
}

json::array nodes(Workings const& workings) {
    json::array list;
    if (!workings.plan) return list;
    db::SelectedPlan const& plan = *workings.plan;
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
        for (auto& member : sent_for(index, workings))
            object.emplace(member.key(), std::move(member.value()));
        if (node.source == db::Node::Source::pairs)
            object["rows"] = answered_pairs(workings, node, index);
        list.push_back(std::move(object));
    }
    return list;
}

json::value total(Workings const& workings) {
    for (db::SentStatement const& statement : workings.sent)
        if (!statement.node) return sent_for(std::nullopt, workings);
    return nullptr;
}

json::array tables(Workings const& workings) {
    json::array names;
    if (workings.plan)
        for (std::string_view const name : workings.plan->tables)
            names.emplace_back(name);
    return names;
}

json::value error(Workings const& workings) {
    if (!workings.error) return nullptr;
    auto const subject =
        workings.error->subject ? *workings.error->subject : parser::Error::Subject{};
    return json::object{{"name", error_status(workings.error->kind).name},
                        {"message", utf8(workings.error->message)},
                        {"place", utf8(subject.place)},
                        {"received", utf8(subject.received)}};
}

} // namespace

std::string explanation(Request const& request, Answer const& answer, Trace const& trace,
                        Workings const& workings) {
    json::object times;
    for_each_stage(trace.times, [&](std::string_view name, StageTimes::Duration time) {
        times.emplace(name, milliseconds(time));
    });
    json::object members{{"path", utf8(request.path)},
                         {"status", answer.status},
                         {"bytes", answer.body.size()},
                         {"error", error(workings)},
                         {"query", utf8(parser::dump(workings.query))},
                         {"nodes", nodes(workings)},
                         {"total", total(workings)},
                         {"tables", tables(workings)},
                         {"kept", answer.status == 200 && workings.origin.mark.tag.epoch != 0},
                         {"stages", std::move(times)}};
    // The tree may be deeper than a DOM is built, and is JSON already.
    return "{\"tree\":" + parser::dump(workings.tree) + "," + json::serialize(members).substr(1);
}

} // namespace fcgi
