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

void add_entry(boost::json::value const& entry, Question const& question,
               std::vector<Finding>& found) {
    auto const id = entry.at("id").to_number<std::size_t>();
    auto const& attributes = entry.at("attributes").as_object();
    auto const own = cell(question.type, id);
    found.push_back({own, attributes.at("v").to_number<std::uint64_t>()});
    if (!question.with_next) return;
    auto const& next = attributes.at("next").at("data");
    auto const next_id = next.at("id").to_number<std::size_t>();
    found.push_back({own + values, next_id});
    found.push_back({cell(question.type + 1, next_id),
                     next.at("attributes").at("v").to_number<std::uint64_t>()});
}

} // namespace

std::vector<Question> all_questions() {
    std::vector<Question> questions;
    std::string const next = "&populate[next][fields]=v";
    for (std::size_t type = 0; type < types.size(); ++type) {
        auto const page = path(type) + "?fields=v&pagination[pageSize]=" + std::to_string(entries);
        questions.push_back({page + "&sort=v:desc", type, false, 1, entries});
        questions.push_back({page + "&sort=next.v" + next, type, true, 1, entries});
        for (std::size_t i = 0; i < thresholds.size(); ++i)
            for (auto const* sort : {"", "&sort=v", "&sort=next.v:desc"}) // they have one total
                questions.push_back({path(type) +
                                         "?fields=v&pagination[pageSize]=2&filters[v][$gt]=" +
                                         std::to_string(thresholds[i]) + sort + next,
                                     type, true, 1, entries, total_cell(type, i)});
        for (std::size_t first = 1; first <= entries; first += block) {
            auto const last = first + block - 1;
            auto const some = path(type) + "?fields=v&filters[id][$gte]=" + std::to_string(first) +
                              "&filters[id][$lte]=" + std::to_string(last);
            questions.push_back({some, type, false, first, last});
            questions.push_back({some + next, type, true, first, last});
        }
        for (std::size_t id = 1; id <= entries; id += block)
            questions.push_back(
                {path(type) + '/' + std::to_string(id) + "?fields=v" + next, type, true, id, id});
    }
    return questions;
}

std::optional<std::vector<Finding>> findings(Question const& question, std::string_view body) try {
    std::vector<Finding> found;
    auto const parsed = boost::json::parse(body);
    auto const& data = parsed.at("data");
    if (auto const* list = data.if_array()) {
        if (question.total)
            found.push_back(
                {*question.total,
                 parsed.at("meta").at("pagination").at("total").to_number<std::uint64_t>()});
        else if (list->size() != question.last - question.first + 1)
            return {};
        for (auto const& entry : *list)
            add_entry(entry, question, found);
    } else {
        add_entry(data, question, found);
    }
    for (auto const& finding : found)
        if (finding.cell >= cells) return {};
    return found;
} catch (std::exception const&) {
    return {};
}

} // namespace hammer
