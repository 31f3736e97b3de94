#include "content.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <exception>

namespace hammer {

namespace {

constexpr std::size_t block = 8;

std::string path(std::size_t type) {
    return "/api/" + std::string(types[type]) + "s";
}

void add_entry(boost::json::value const& entry, Request const& request,
               std::vector<Finding>& found) {
    auto const id = entry.at("id").to_number<std::size_t>();
    auto const& attributes = entry.at("attributes").as_object();
    auto const own = cell(request.type, id);
    found.push_back({own, attributes.at("v").to_number<std::uint64_t>()});
    if (!request.with_next) return;
    auto const& next = attributes.at("next").at("data");
    auto const next_id = next.at("id").to_number<std::size_t>();
    found.push_back({own + values, next_id});
    found.push_back({cell(request.type + 1, next_id),
                     next.at("attributes").at("v").to_number<std::uint64_t>()});
}

} // namespace

std::vector<Request> all_requests() {
    std::vector<Request> requests;
    std::string const next = "&populate[next][fields]=v";
    for (std::size_t type = 0; type < types.size(); ++type) {
        auto const page = path(type) + "?fields=v&pagination[pageSize]=" + std::to_string(entries);
        requests.push_back({page + "&sort=v:desc", type, false, 1, entries});
        requests.push_back({page + "&sort=next.v" + next, type, true, 1, entries});
        for (std::size_t i = 0; i < thresholds.size(); ++i)
            for (auto const* sort : {"", "&sort=v", "&sort=next.v:desc"}) // they have one total
                requests.push_back({path(type) +
                                        "?fields=v&pagination[pageSize]=2&filters[v][$gt]=" +
                                        std::to_string(thresholds[i]) + sort + next,
                                    type, true, 1, entries, total_cell(type, i)});
        for (std::size_t first = 1; first <= entries; first += block) {
            auto const last = first + block - 1;
            auto const some = path(type) + "?fields=v&filters[id][$gte]=" + std::to_string(first) +
                              "&filters[id][$lte]=" + std::to_string(last);
            requests.push_back({some, type, false, first, last});
            requests.push_back({some + next, type, true, first, last});
        }
        for (std::size_t id = 1; id <= entries; id += block)
            requests.push_back(
                {path(type) + '/' + std::to_string(id) + "?fields=v" + next, type, true, id, id});
    }
    return requests;
}

std::optional<std::vector<Finding>> findings(Request const& request, std::string_view body) try {
    std::vector<Finding> found;
    auto const parsed = boost::json::parse(body);
    auto const& data = parsed.at("data");
    if (auto const* list = data.if_array()) {
        if (request.total)
            found.push_back(
                {*request.total,
                 parsed.at("meta").at("pagination").at("total").to_number<std::uint64_t>()});
        else if (list->size() != request.last - request.first + 1)
            return {};
        for (auto const& entry : *list)
            add_entry(entry, request, found);
    } else {
        add_entry(data, request, found);
    }
    for (auto const& finding : found)
        if (finding.cell >= cells) return {};
    return found;
} catch (std::exception const&) {
    return {};
}

} // namespace hammer
