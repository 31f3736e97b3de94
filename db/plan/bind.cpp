#include "db/plan/bind.hpp"

#include "db/plan/bind_comparison.hpp"
#include "db/plan/bind_context.hpp"
#include "db/plan/bind_fields.hpp"
#include "db/plan/bind_filters.hpp"
#include "db/plan/bind_page.hpp"
#include "db/plan/bind_populate.hpp"
#include "db/plan/bind_sort.hpp"
#include "db/plan/bind_window.hpp"
#include "db/plan/publication.hpp"
#include "db/plan/unheld_texts.hpp"

#include <algorithm>
#include <optional>

namespace db {

using parser::Error;
using parser::PublicationState;

namespace {

constexpr parser::Place query_itself{};

// Only the path says which document is meant.
parser::Filter without_documents(parser::Filter filter) {
    std::erase_if(filter.members.edit(),
                  [](parser::Filter const& member) { return member.key == document_attribute; });
    return filter;
}

// Binds which entries are the root's rows, and in which order.
void bind_rows(BindContext& context, parser::Query const& query, Target const& target,
               parser::Publication const& shown, Node& root) {
    parser::Selection const& selection = query.selection;
    ContentType const& type = *target.type;
    bool const by_id = target.action == Action::find_one;
    bool const obeys_query = !by_id || (context.rules.one_obeys_query && !target.populates_only);
    if (obeys_query && type.localized)
        require(root.where, bind_locale(context, query, target, query_itself));
    std::optional<parser::Filter> of_document;
    if (by_id && obeys_query && !target.plain) of_document = without_documents(selection.filters);
    Condition filtered =
        bind_filters(context, of_document ? *of_document : selection.filters, type, query_itself);
    auto sorted = bind_sort(context, selection, type, query_itself);
    auto const has_id = [&] {
        return compare(target.plain ? "id" : context.rules.id_column, Comparator::eq,
                       {Literal(target.id)});
    };
    if (!obeys_query) {
        context.refusals.forget_values();
        root.where = has_id();
    } else {
        if (by_id) require(root.where, has_id());
        require(root.where, std::move(filtered));
        root.sort = std::move(sorted);
        if (!context.rules.status_is_of_drafts) context.use(query.publication_state);
        context.use(query.publication_filter);
        std::string const& text = context.use(query.search);
        require(root.where, published_as(shown, type));
        require(root.where, bind_search(text, type));
    }
    // A query that is cut at 1,000 parts may have lost a condition, so that more would be returned
    // than was asked for.
    if (query.cut && !selection.filters.members.unchecked().empty())
        context.refuse_value(
            parser::over_limit("the parts of a query string that qs reads", "1000"));
}

// Binds which of the root's rows are returned, and what `meta` says of them.
void bind_outcome(BindContext& context, parser::Query const& query, Target const& target,
                  ReadPlan& plan) {
    using Outcome = ReadPlan::Outcome;
    Node& root = plan.nodes[0];
    auto const bind_root = [&] {
        if (context.rules.pages_are_windows)
            bind_window(context, query, root);
        else
            bind_root_window(context, query, query_itself, root);
    };
    if (target.action == Action::count) {
        plan.outcome = Outcome::number;
        root.limit = 0;
    } else if (target.action == Action::find && !target.plain) {
        plan.outcome = Outcome::list;
        plan.page = context.rules.pages_are_windows
                        ? bind_windowed_page(context, query, root.type->localized)
                        : bind_page(context, query, query_itself);
        root.start = plan.page.start;
        root.limit = plan.page.limit;
    } else if (target.action == Action::find) {
        plan.outcome = Outcome::plain_list;
        bind_root();
    } else {
        plan.outcome = target.plain ? Outcome::plain_entry : Outcome::entry;
        bool const obeys_query = context.rules.one_obeys_query && !target.plain;
        bool const array = target.action == Action::find_single && query.all_locales &&
                           root.type->localized && !obeys_query;
        if (array) plan.outcome = Outcome::array;
        if (target.action == Action::find_single || obeys_query) bind_root();
        if (!array) root.limit = 1;
    }
}

ReadPlan bind_all(BindContext& context, parser::Query const& query, Target const& target) {
    ContentType const& type = *target.type;
    // A state that is not used is no error either.
    bool const has_state =
        !target.plain && (target.action != Action::find_one || context.rules.one_obeys_query);
    parser::Publication shown{PublicationState::preview};
    if (has_state)
        shown = {query.publication_state.unchecked().value_or(PublicationState::live),
                 query.publication_filter.unchecked()};
    ReadPlan plan;
    plan.json = &json_of(context.schema.cms,
                         target.plain ? ReadPlan::Format::flat : context.options.document_format);
    plan.nodes.push_back({.type = &type});
    context.nodes = 1;
    bind_rows(context, query, target, shown, plan.nodes[0]);
    plan.nodes[0].columns = bind_fields(context, query.selection.fields, type, query_itself);
    if (target.populates_only) plan.nodes[0].columns = bind_fields(context, {}, type, query_itself);
    bind_populate(context, query.selection.populate, {plan.nodes, 0, type, shown}, query_itself);
    bind_outcome(context, query, target, plan);
    auto const has_drafts = [](Node const& node) {
        return node.type && node.type->draft_and_publish;
    };
    if (context.rules.status_is_of_drafts && has_state &&
        std::ranges::any_of(plan.nodes, has_drafts))
        context.use(query.publication_state);
    return plan;
}

Error nothing_comes_of(std::vector<std::string> const& ignored) {
    std::string message = "Nothing would come of";
    for (std::string const& name : ignored)
        message.append(" ").append(name).append(",");
    message.back() = '.';
    return {parser::ErrorKind::invalid, std::move(message)};
}

} // namespace

parser::Result<ReadPlan> bind(parser::Query const& query, Target const& target,
                              Schema const& schema, Permissions const& permissions,
                              ApiOptions const& options, parser::Limits const& limits) {
    BindContext context{schema, permissions, options, limits, schema.cms.rules};
    context.ignored = query.ignored;
    ReadPlan plan = bind_all(context, query, target);
    if (auto const& error = context.refusals.first()) return *error;
    if (schema.has_narrow_columns) replace_unheld_texts(plan);
    if (options.strict && !context.ignored.empty()) return nothing_comes_of(context.ignored);
    return plan;
}

} // namespace db
