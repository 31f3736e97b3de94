#include "db/plan/bind_page.hpp"

#include "parser/base/javascript_number.hpp"
#include "parser/pagination.hpp"

#include <algorithm>
#include <cmath>

namespace db {

using parser::Pagination;
using parser::Place;

namespace {

std::uint64_t whole_at(BindContext& context, double number, Place const& place) {
    if (number >= 0 && number < 0x1p53 && std::floor(number) == number)
        return static_cast<std::uint64_t>(number);
    std::string received;
    parser::append_number(received, number);
    context.refuse_value(
        parser::invalid_value(place.text(), "a whole number below 2^53", received));
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

} // namespace

void bind_root_window(BindContext& context, parser::Query const& query, Place const& place,
                      Node& node) {
    Pagination const& root = context.use(query.root_pagination);
    check_root_pages(context, query);
    if (root.start) node.start = whole_at(context, *root.start, {&place, "start"});
    // -1 and 0 set no limit.
    if (root.limit && *root.limit != -1 && *root.limit != 0)
        node.limit = whole_at(context, *root.limit, {&place, "limit"});
}

Page bind_page(BindContext& context, parser::Query const& query, Place const& place) {
    Pagination const& written = query.pagination.unchecked();   // its forms are checked first
    Pagination const& root = query.root_pagination.unchecked(); // only its forms are looked at
    ApiOptions const& options = context.options;
    auto const whole_number = [&](double number, std::string_view key) {
        Place const here{&place, "pagination"};
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

} // namespace db
