#include "tests/conformance/asker.hpp"
#include "tests/conformance/compare.hpp"
#include "tests/conformance/differences.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <map>

// Replays recorded requests over the FastCGI socket, or through a web server, and compares the
// answers to the recorded ones, or to those that a live reference gives now.

using namespace conformance;

namespace {

struct Options {
    std::string records;
    std::string secrets;
    std::string differences;
    std::string socket;
    std::string url;             // set: through this web server
    std::string reference;       // set: what counts are the responses that are given here, now
    std::string response_format; // set: asked for; records that ask by themselves are left out
    std::size_t spread = 0;      // so many records, evenly from all; 0: every one
    std::string slice = "all";
    std::string only;
    std::size_t times = 1; // that each is asked in a row
    double at_least = 100; // percent that must be equal or differ as listed
    bool list = false;
};

struct Count {
    int equal = 0;
    int listed = 0; // in differences.json
    int different = 0;

    int total() const { return equal + listed + different; }
};

Options parse(int argc, char** argv) {
    Options options;
    CLI::App app("Compares answers with recorded ones");
    app.add_option("--records", options.records)->required();
    app.add_option("--secrets", options.secrets)->required();
    app.add_option("--differences", options.differences)->required();
    app.add_option("--socket", options.socket)->required()->envname("STACK_SOCKET");
    app.add_option("--url", options.url, "through this web server instead of the socket");
    app.add_option("--reference", options.reference, "http://host:port of a live Strapi");
    app.add_option("--response-format", options.response_format,
                   "of Strapi 5, for records that do not ask by themselves");
    app.add_option("--spread", options.spread, "so many records, evenly from all groups");
    app.add_option("--slice", options.slice)->check(CLI::IsMember({"all", "first"}));
    app.add_option("--only", options.only, "one record, by id, in full");
    app.add_option("--times", options.times, "that each is asked in a row");
    app.add_option("--at-least", options.at_least, "percent that must not differ unlisted");
    app.add_flag("--list", options.list, "name each difference");
    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& error) {
        std::exit(app.exit(error));
    }
    return options;
}

// Returns whether Strapi 5 is asked by a header of its own for a format, or for source maps.
bool asks_for_form(Record const& record) {
    return std::ranges::any_of(
        record.headers, [](auto const& header) { return header.first.starts_with("Strapi-"); });
}

bool is_selected(Record const& record, Options const& options) {
    if (!options.only.empty()) return record.id == options.only;
    if (!options.url.empty() && !passes_web_server(record)) return false;
    if (!options.reference.empty() && (record.method != "GET" || !passes_web_server(record)))
        return false;
    if (!options.response_format.empty() && asks_for_form(record)) return false;
    return options.slice == "all" || in_first_slice(record);
}

std::vector<Record> select(Options const& options) {
    auto records = read_records(options.records);
    std::erase_if(records, [&](Record const& record) { return !is_selected(record, options); });
    auto const all = records.size();
    auto const wanted = options.spread == 0 ? all : std::min(options.spread, all);
    std::vector<Record> chosen;
    for (std::size_t i = 0; i < wanted; ++i)
        chosen.insert(chosen.end(), options.times, records[i * all / wanted]);
    if (!options.response_format.empty())
        for (auto& record : chosen)
            record.headers.emplace_back("Strapi-Response-Format", options.response_format);
    return chosen;
}

void show(Record const& record, Response const& got) {
    std::cout << record.method << ' ' << record.path << "\nas " << record.auth << "\n\nrecorded "
              << record.status << ' ' << record.content_type << '\n';
    for (auto const& body : record.bodies)
        std::cout << body << '\n';
    std::cout << "\ngot " << got.status << ' ' << got.content_type << '\n' << got.body << "\n\n";
}

Record as_response(Record record, Response const& live) {
    record.status = live.status;
    record.content_type = live.content_type;
    record.allow = live.allow;
    record.bodies = {live.body};
    return record;
}

void print(std::map<std::string, Count> const& groups) {
    std::cout << std::left << std::setw(18) << "group" << std::right << std::setw(8) << "total"
              << std::setw(8) << "equal" << std::setw(8) << "listed" << std::setw(11) << "different"
              << '\n';
    for (auto const& [group, count] : groups)
        std::cout << std::left << std::setw(18) << group << std::right << std::setw(8)
                  << count.total() << std::setw(8) << count.equal << std::setw(8) << count.listed
                  << std::setw(11) << count.different << '\n';
}

Count replay(Options const& options) {
    Secrets const secrets(options.secrets);
    auto const known = read_differences(options.differences);
    auto const asker =
        options.url.empty() ? ask_socket(options.socket) : ask_web_server(options.url);
    auto const reference = options.reference.empty() ? nullptr : ask_web_server(options.reference);
    std::map<std::string, Count> groups;
    Count all;
    for (auto const& record : select(options)) {
        auto const authorization = secrets.authorization(record.auth);
        auto const live =
            reference ? as_response(record, reference->response(record, authorization)) : record;
        auto const got = asker->response(record, authorization);
        if (!options.only.empty()) show(live, got);
        auto const found = reference ? judge_live(record, live, got, known)
                                     : judge(compare(record, got), got, known, record.id);
        for (auto* count : {&groups[record.group], &all})
            ++(found.verdict == Verdict::equal    ? count->equal
               : found.verdict == Verdict::listed ? count->listed
                                                  : count->different);
        if (options.list && found.verdict == Verdict::different)
            std::cout << record.id << ' ' << found.why << '\n';
    }
    groups["all"] = all;
    print(groups);
    return all;
}

} // namespace

int main(int argc, char** argv) {
    auto const options = parse(argc, argv);
    auto const count = replay(options);
    auto const good = 100.0 * (count.equal + count.listed);
    return count.total() > 0 && good >= options.at_least * count.total() ? 0 : 1;
}
