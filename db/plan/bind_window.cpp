#include "db/plan/bind_window.hpp"

#include "parser/base/javascript_number.hpp"
#include "parser/pagination.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace db {

using parser::Pagination;

namespace {

constexpr double most = 0x1p53;

std::uint64_t whole_for(BindContext& context, double number, std::string_view converter) {
    if (number >= 0 && number < most && std::floor(number) == number)
        return static_cast<std::uint64_t>(number);
    std::string message(converter);
    message += " expected a positive integer got ";
    parser::append_number(message, number);
    context.refuse_value({parser::ErrorKind::invalid, std::move(message)});
    return 0;
}

std::uint64_t whole_start(BindContext& context, double number) {
    return whole_for(context, number, "convertStartQueryParams");
}

std::uint64_t whole_limit(BindContext& context, double number) {
    return whole_for(context, number, "convertLimitQueryParams");
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

} // namespace

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
    page.start = whole_start(context, at_least(0, start));
    page.limit = whole_limit(context, limit);
    page.counted = written.with_count.value_or(options.with_count);
    if (context.rules.counts_no_locales && query.all_locales && is_localized)
        page.counts_nothing = std::exchange(page.counted, false);
    page.page_size = limit;
    page.page = std::floor(static_cast<double>(page.start) / limit) + 1;
    context.use(query.pagination);
    return page;
}

void bind_window(BindContext& context, parser::Query const& query, Node& node) {
    Pagination const& root = context.use(query.root_pagination);
    check_pages(context, query);
    if (root.start) node.start = whole_start(context, *root.start);
    // -1 and 0 set no limit.
    if (root.limit && *root.limit != -1 && *root.limit != 0)
        node.limit = whole_limit(context, *root.limit);
}

} // namespace db
