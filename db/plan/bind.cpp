#include "db/plan/bind.hpp"

#include "db/plan/bind_passes.hpp"
#include "parser/base/javascript.hpp"
#include "parser/query.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace db {

using parser::Error;
using parser::Pagination;
using parser::PublicationState;
using parser::QueryPlace;

namespace {

constexpr QueryPlace query_itself{};

// Only the path says which document is meant.
parser::Filter without_documents(parser::Filter filter) {
    std::erase_if(filter.members.edit(),
                  [](parser::Filter const& member) { return member.key == document_attribute; });
    return filter;
}

// Binds which entries are the root's rows, and in which order.
void bind_rows(BindContext& context, parser::Query const& query, ReadTarget const& target,
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
        context.refusals.drop_values();
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

// Returns the number of rows at a place: `start`, `limit`, or another if pages are no windows.
std::uint64_t whole_at(BindContext& context, double number, QueryPlace const& place) {
    if (number >= 0 && number < 0x1p53 && std::floor(number) == number)
        return static_cast<std::uint64_t>(number);
    std::string received;
    parser::append_number(received, number);
    if (!context.rules.pages_are_windows)
        context.refuse_value(
            parser::invalid_value(place.text(), "a whole number below 2^53", received));
    else
        context.refuse_value(
            {parser::ErrorKind::invalid,
             (place.key == "start" ? "convertStartQueryParams" : "convertLimitQueryParams") +
                 (" expected a positive integer got " + received)});
    return 0;
}

void check_root_pages(BindContext& context, parser::Query const& query) {
    Pagination const& root = query.root_pagination.unchecked();
    if (root.has_page() && root.has_offset()) context.refuse_value(parser::both_page_forms());
    // Strapi 4.26 reports the value of `page` for either.
    std::string_view const received = root.page ? std::string_view(query.page_text) : "undefined";
    for (auto const& [name, number] :
         {std::pair{"page", root.page}, std::pair{"pageSize", root.page_size}})
        if (number && !parser::counts_pages(*number))
            context.refuse_value(parser::no_page_number(name, received));
}

// Binds `pagination` of a list with `meta`, unless BindingRules::pages_are_windows.
Page bind_page(BindContext& context, parser::Query const& query) {
    Pagination const& written = query.pagination.unchecked();   // its forms are checked first
    Pagination const& root = query.root_pagination.unchecked(); // only its forms are looked at
    ApiOptions const& options = context.options;
    auto const whole_number = [&](double number, std::string_view key) {
        QueryPlace const here{nullptr, "pagination"};
        return whole_at(context, number, {&here, key});
    };
    auto const cap = [&](double size) {
        return options.max_limit ? std::min(size, static_cast<double>(*options.max_limit)) : size;
    };

    Page page{.page_size = static_cast<double>(options.default_limit)};
    page.counted = written.with_count.value_or(options.with_count);
    page.offset_form = written.has_offset();
    if (written.has_page() && written.has_offset())
        context.refuse_value({parser::ErrorKind::invalid,
                              "Invalid pagination parameters. Expected either start/limit or "
                              "page/pageSize"});
    context.use(query.pagination);
    // Outside of `pagination` these reach only Strapi's counting, which refuses a mixture.
    if (root.has_page() || (root.has_offset() && page.counted && !page.offset_form))
        context.refuse_value(parser::both_page_forms());

    if (page.offset_form) {
        page.start = whole_number(std::max(0.0, written.start.value_or(0)), "start");
        double const limit = written.limit.value_or(static_cast<double>(options.default_limit));
        if (limit == -1)
            page.limit = options.max_limit;
        else
            page.limit = whole_number(cap(std::max(1.0, limit)), "limit");
        return page;
    }
    page.page = std::max(1.0, written.page.value_or(1));
    if (written.page_size)
        page.page_size =
            static_cast<double>(whole_number(cap(std::max(1.0, *written.page_size)), "pageSize"));
    whole_number(page.page, "page");
    page.start = whole_number((page.page - 1) * page.page_size, "page");
    page.limit = static_cast<std::uint64_t>(page.page_size);
    return page;
}

// Returns the larger of both; NaN stays NaN.
double at_least(double least, double number) {
    return std::isnan(number) ? number : std::max(least, number);
}

void refuse_pages(BindContext& context) {
    context.refuse_value({parser::ErrorKind::invalid_pagination,
                          "Invalid pagination attributes. The page parameters are incorrect and "
                          "must be in the pagination object"});
}

void check_pages(BindContext& context, parser::Query const& query) {
    Pagination const& root = query.root_pagination.unchecked();
    if (root.has_page() && root.has_offset()) return refuse_pages(context);
    if (root.page && !parser::counts_pages(*root.page))
        context.refuse_value(parser::no_page_number("page", query.page_text));
    if (root.page_size && !parser::counts_pages(*root.page_size))
        context.refuse_value(parser::no_page_number("pageSize", query.page_size_text));
}

// Does the same if BindingRules::pages_are_windows. In such a list, `start` and `limit` outside of
// `pagination` have no effect, and `page` and `pageSize` there are refused.
Page bind_windowed_page(BindContext& context, parser::Query const& query, bool is_localized) {
    Pagination const& written = query.pagination.unchecked();
    ApiOptions const& options = context.options;
    if (written.has_page() && written.has_offset())
        context.refuse_value({parser::ErrorKind::invalid_pagination,
                              "Cannot use both page & offset pagination in the same query"});
    if (query.root_pagination.unchecked().has_page()) refuse_pages(context);

    bool const is_of_one = context.rules.page_alone_has_one && written.page;
    double limit = (written.has_offset() ? written.limit : written.page_size)
                       .value_or(is_of_one ? 1 : static_cast<double>(options.default_limit));
    limit = at_least(1, limit);
    // NaN is not below the greatest limit either, and so becomes it.
    if (options.max_limit && !(limit < static_cast<double>(*options.max_limit)))
        limit = static_cast<double>(*options.max_limit);
    double const start =
        written.has_offset() ? written.start.value_or(0) : (written.page.value_or(1) - 1) * limit;

    Page page;
    page.offset_form = written.names_offset && !written.names_page;
    page.start = whole_at(context, at_least(0, start), {nullptr, "start"});
    page.limit = whole_at(context, limit, {nullptr, "limit"});
    page.counted = written.with_count.value_or(options.with_count);
    if (context.rules.counts_no_locales && query.all_locales && is_localized)
        page.counts_nothing = std::exchange(page.counted, false);
    page.page_size = limit;
    page.page = std::floor(static_cast<double>(page.start) / limit) + 1;
    context.use(query.pagination);
    return page;
}

// Binds `start` and `limit` outside of `pagination`, for all other responses.
void bind_window(BindContext& context, parser::Query const& query, Node& node) {
    Pagination const& root = context.use(query.root_pagination);
    if (context.rules.pages_are_windows)
        check_pages(context, query);
    else
        check_root_pages(context, query);
    if (root.start) node.start = whole_at(context, *root.start, {nullptr, "start"});
    // -1 and 0 set no limit.
    if (root.limit && *root.limit != -1 && *root.limit != 0)
        node.limit = whole_at(context, *root.limit, {nullptr, "limit"});
}

// Binds which of the root's rows are returned, and what `meta` says of them.
void bind_outcome(BindContext& context, parser::Query const& query, ReadTarget const& target,
                  ReadPlan& plan) {
    using Outcome = ReadPlan::Outcome;
    Node& root = plan.nodes[0];
    if (target.action == Action::count) {
        plan.outcome = Outcome::number;
        root.limit = 0;
    } else if (target.action == Action::find && !target.plain) {
        plan.outcome = Outcome::list;
        plan.page = context.rules.pages_are_windows
                        ? bind_windowed_page(context, query, root.type->localized)
                        : bind_page(context, query);
        root.start = plan.page.start;
        root.limit = plan.page.limit;
    } else if (target.action == Action::find) {
        plan.outcome = Outcome::plain_list;
        bind_window(context, query, root);
    } else {
        plan.outcome = target.plain ? Outcome::plain_entry : Outcome::entry;
        bool const obeys_query = context.rules.one_obeys_query && !target.plain;
        bool const array = target.action == Action::find_single && query.all_locales &&
                           root.type->localized && !obeys_query;
        if (array) plan.outcome = Outcome::array;
        if (target.action == Action::find_single || obeys_query) bind_window(context, query, root);
        if (!array) root.limit = 1;
    }
}

ReadPlan bind_all(BindContext& context, parser::Query const& query, ReadTarget const& target) {
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

parser::Result<ReadPlan> bind(parser::Query const& query, ReadTarget const& target,
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
