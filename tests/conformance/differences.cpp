#include "tests/conformance/differences.hpp"

#include <boost/json.hpp>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

namespace conformance {

KnownDifferences read_differences(std::string const& file) {
    std::ifstream in(file);
    std::string const text(std::istreambuf_iterator<char>(in), {});
    KnownDifferences known;
    try {
        auto const list = boost::json::parse(text);
        for (auto const& entry : list.as_array()) {
            auto const& object = entry.as_object();
            auto const* status = object.if_contains("status");
            known[std::string(object.at("id").as_string())] = {
                std::string(object.at("class").as_string()),
                std::string(object.at("reason").as_string()),
                status ? static_cast<int>(status->as_int64()) : 0};
        }
    } catch (std::exception const& error) {
        std::cerr << file << ": " << error.what() << '\n';
        std::exit(2);
    }
    return known;
}

Judgement judge(std::optional<Mismatch> const& difference, Response const& response,
                KnownDifferences const& known, std::string const& id) {
    auto const listed = known.find(id);
    if (listed == known.end()) {
        if (!difference) return {Verdict::equal, ""};
        return {Verdict::different, std::string(difference->cause) + " " + difference->where +
                                        ": expected " + difference->expected + " got " +
                                        difference->got};
    }
    auto const& entry = listed->second;
    if (!difference) return {Verdict::different, entry.of_class + " is listed, but it is equal"};
    if (entry.status != 0 && entry.status != response.status)
        return {Verdict::different, entry.of_class + " is listed with status " +
                                        std::to_string(entry.status) + ", got " +
                                        std::to_string(response.status)};
    return {Verdict::listed, entry.of_class + ": " + entry.reason};
}

Judgement judge_live(Record const& recorded, Record live, Response const& got,
                     KnownDifferences const& known) {
    auto const found = judge(compare(live, got), got, known, live.id);
    if (found.verdict != Verdict::different) return found;
    auto const listed = known.find(live.id);
    bool const is_open = listed == known.end()
                             ? !compare(recorded, got)
                             : listed->second.of_class == "D3" || listed->second.of_class == "D4";
    live.any_order = true;
    if (!is_open || compare(live, got)) return found;
    return {Verdict::listed, "D4: the order is open"};
}

} // namespace conformance
