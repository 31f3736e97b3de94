#include "db/plan/binder.hpp"

#include "parser/base/javascript_number.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace db {

using parser::Error;

parser::Result<ReadPlan> bind(parser::Query const& query, Target const& target,
                              Schema const& schema, Permissions const& permissions,
                              ApiOptions const& options, parser::Limits const& limits) {
    return Binder(schema, permissions, options, limits).bind(query, target);
}

void Refusals::name(Pass pass, std::string_view key, std::string_view where) {
    if (name_ && std::tie(name_parameter_, name_pass_) <= std::tie(parameter_, pass)) return;
    name_ = parser::invalid_parameter(key, where);
    name_parameter_ = parameter_;
    name_pass_ = pass;
}

void Refusals::value(Error error) {
    if (!value_) value_ = std::move(error);
}

Binder::Binder(Schema const& schema, Permissions const& permissions, ApiOptions const& options,
               parser::Limits const& limits)
    : schema_(schema), permissions_(permissions), options_(options), limits_(limits) {
}

parser::Result<ReadPlan> Binder::bind(parser::Query const& query, Target const& target) {
    root(query, target);
    if (auto const& error = refusals_.first()) return *error;
    if (options_.strict && !ignored_.empty()) {
        std::string message = "Nothing would come of";
        for (std::string const& name : ignored_)
            message.append(" ").append(name).append(",");
        message.back() = '.';
        return Error{parser::ErrorKind::invalid, std::move(message)};
    }
    return std::move(plan_);
}

void Binder::root(parser::Query const& query, Target const& target) {
    ContentType const& type = *target.type;
    bool const is_find = target.action != Action::find_one;
    plan_.nodes.push_back({.type = &type});
    for (std::string const& key : query.ignored)
        ignored_.push_back(key);

    Condition where;
    if (!is_find) {
        where = {
            .kind = Condition::Kind::comparison, .column = "id", .values = {Literal(target.id)}};
    } else if (type.localized) {
        require(where, locale(query, type));
    }
    {
        At const at(*this, "filters");
        Condition filtered = filters(query.selection.filters, type);
        if (is_find) require(where, std::move(filtered));
    }
    std::vector<SortColumn> sorted;
    sort(query.selection, type, sorted);
    if (is_find)
        plan_.nodes[0].sort = std::move(sorted);
    else
        refusals_.forget_values();

    bool const live = is_find && !target.plain &&
                      query.publication_state.value_or(parser::PublicationState::live) ==
                          parser::PublicationState::live;
    if (is_find) {
        if (query.publication_state_invalid) refusals_.value(*query.publication_state_invalid);
        if (query.search_invalid) refusals_.value(*query.search_invalid);
    }
    if (live && type.draft_and_publish) require(where, published());
    if (is_find) require(where, search(query.search, type));
    // Cut at 1,000 parts, the query may have lost a condition, and more would be answered than
    // asked.
    if (query.cut && !query.selection.filters.members.empty())
        refusals_.value(parser::over_limit("the parts of a query string that qs reads", "1000"));
    plan_.nodes[0].where = std::move(where);

    fields(query.selection.fields, type, plan_.nodes[0].columns);
    populate(query.selection.populate, type, 0, live);
    window(query, target);
}

Condition Binder::published() {
    return {.kind = Condition::Kind::comparison,
            .column = "published_at",
            .comparator = Comparator::is_not_null};
}

// The rows of the root, and what `meta` says of them.
void Binder::window(parser::Query const& query, Target const& target) {
    using Answer = ReadPlan::Answer;
    Node& node = plan_.nodes[0];
    if (target.action == Action::count) {
        plan_.answer = Answer::number;
        node.limit = 0;
    } else if (target.action == Action::find && !target.plain) {
        plan_.answer = Answer::list;
        plan_.page = page(query);
        node.start = plan_.page.start;
        node.limit = plan_.page.limit;
    } else if (target.action == Action::find) {
        plan_.answer = Answer::plain_list;
        root_window(query.root_pagination, node);
    } else {
        plan_.answer = target.plain ? Answer::plain_entry : Answer::entry;
        bool const array =
            target.action == Action::find_single && query.all_locales && node.type->localized;
        if (array) plan_.answer = Answer::array;
        if (target.action == Action::find_single) root_window(query.root_pagination, node);
        if (!array) node.limit = 1;
    }
}

// `start` and `limit` beside the other parameters, which Strapi 4.26 hands to its query where no
// `pagination` is read. -1 and 0 set no limit.
void Binder::root_window(parser::Pagination const& root, Node& node) {
    check_root_pages(root);
    if (root.start) node.start = whole(*root.start, "start");
    if (root.limit && *root.limit != -1 && *root.limit != 0)
        node.limit = whole(*root.limit, "limit");
}

std::uint64_t Binder::whole(double number, std::string_view where) {
    if (number >= 0 && number < 0x1p53 && std::floor(number) == number)
        return static_cast<std::uint64_t>(number);
    std::string received;
    parser::append_number(received, number);
    refusals_.value(parser::invalid_value(where, "a whole number below 2^53", received));
    return 0;
}

namespace {

constexpr char both_families[] =
    "Invalid pagination attributes. You cannot use page and offset pagination in the same query";

} // namespace

void Binder::check_root_pages(parser::Pagination const& root) {
    if (root.invalid) refusals_.value(*root.invalid);
    if (root.has_page() && root.has_offset())
        refusals_.value({parser::ErrorKind::invalid_pagination, both_families});
    for (auto const& [name, number] :
         {std::pair{"page", root.page}, std::pair{"pageSize", root.page_size}})
        if (number && !(*number > 0 && std::floor(*number) == *number))
            refusals_.value(
                {parser::ErrorKind::invalid_pagination,
                 std::string("Invalid '") + name + "' parameter. Expected an integer > 0"});
}

Page Binder::page(parser::Query const& query) {
    parser::Pagination const& written = query.pagination;
    parser::Pagination const& root = query.root_pagination;
    Page page{.page_size = static_cast<double>(options_.default_limit)};
    page.counted = written.with_count.value_or(options_.with_count);
    page.offset_form = written.has_offset();
    if (written.has_page() && written.has_offset())
        refusals_.value({parser::ErrorKind::invalid,
                         "Invalid pagination parameters. Expected either start/limit or "
                         "page/pageSize"});
    if (written.invalid) refusals_.value(*written.invalid);
    // Outside of `pagination` these reach the counting alone, which refuses the mixture.
    if (root.has_page() || (root.has_offset() && page.counted && !page.offset_form))
        refusals_.value({parser::ErrorKind::invalid_pagination, both_families});

    auto const cap = [&](std::uint64_t size) {
        return options_.max_limit ? std::min(size, *options_.max_limit) : size;
    };
    if (page.offset_form) {
        page.start = whole(std::max(0.0, written.start.value_or(0)), "pagination[start]");
        double const limit = written.limit.value_or(static_cast<double>(options_.default_limit));
        if (limit == -1)
            page.limit = options_.max_limit;
        else
            page.limit = cap(whole(std::max(1.0, limit), "pagination[limit]"));
        return page;
    }
    page.page = std::max(1.0, written.page.value_or(1));
    if (written.page_size)
        page.page_size = static_cast<double>(
            cap(whole(std::max(1.0, *written.page_size), "pagination[pageSize]")));
    whole(page.page, "pagination[page]");
    page.start = whole((page.page - 1) * page.page_size, "pagination[page]");
    page.limit = static_cast<std::uint64_t>(page.page_size);
    return page;
}

std::string Binder::place() const {
    std::string text;
    for (std::string_view const key : place_) {
        if (key.empty()) continue;
        if (text.empty())
            text = key;
        else
            text.append("[").append(key).append("]");
    }
    return text;
}

void Binder::refuse(Refusals::Pass pass, std::string_view key) {
    refusals_.name(pass, key, place());
}

void Binder::wrong(std::string_view expected) {
    Error error{parser::ErrorKind::invalid, place().append(": expected ").append(expected)};
    error.subject = std::make_shared<Error::Subject const>(Error::Subject{.place = place()});
    refusals_.value(std::move(error));
}

void Binder::ignored(std::string_view key) {
    if (!options_.strict) return;
    At const at(*this, key);
    ignored_.push_back(place());
}

bool Binder::is_permitted(Attribute const& attribute) const {
    // Rows of polymorphic relations are permitted or not one by one, by their types.
    if (!attribute.is_relation() || attribute.is_creator || attribute.is_polymorphic()) return true;
    return permissions_.grants_find(attribute.target->uid);
}

bool Binder::over(bool exceeded, std::size_t parser::Limits::* limit) {
    if (exceeded) refusals_.value(parser::over_limit(limits_, limit));
    return exceeded;
}

} // namespace db
