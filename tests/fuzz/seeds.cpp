#include "fcgi/commands/comparison.hpp"
#include "tests/conformance/record.hpp"
#include "tests/fastcgi/client.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <span>

// Makes what the fuzzers start from out of recorded requests and their responses.
//
//     fuzz-seeds FOLDER RECORDED.jsonl.gz…      FOLDER/{url,query,head,json}/<number>

namespace {

using comparison::Json;
using Seeds = std::set<std::string>;

// Every list and object below, and the strings, as a column may hold them.
void collect(Json const& json, Seeds& seeds) {
    constexpr std::size_t longest = 1'000;
    if (json.text.size() <= longest) seeds.emplace(json.text);
    for (Json const& element : json.elements)
        collect(element, seeds);
    for (auto const& [name, value] : json.members)
        collect(value, seeds);
}

void write(std::filesystem::path const& folder, Seeds const& seeds) {
    std::filesystem::create_directories(folder);
    std::size_t number = 0;
    for (std::string const& seed : seeds)
        std::ofstream(folder / std::to_string(number++), std::ios::binary) << seed;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::cerr << "usage: fuzz-seeds FOLDER RECORDED.jsonl.gz…\n";
        return 64;
    }
    Seeds urls, queries, heads, documents;
    for (char const* file : std::span(argv, static_cast<std::size_t>(argc)).subspan(2))
        for (auto const& record : conformance::read_records(file)) {
            urls.insert(record.path);
            auto const path_end = record.path.find('?');
            if (path_end != record.path.npos) queries.insert(record.path.substr(path_end + 1));
            heads.insert(fastcgi::request(fastcgi::request_of(record.method, record.path)));
            if (documents.size() > 3'000) continue;
            if (auto const body = comparison::parse_json(record.bodies[0]))
                collect(*body, documents);
        }
    std::filesystem::path const folder = argv[1];
    write(folder / "url", urls);
    write(folder / "query", queries);
    write(folder / "head", heads);
    write(folder / "json", documents);
    std::cout << urls.size() << " URLs, " << queries.size() << " queries, " << heads.size()
              << " heads, " << documents.size() << " documents\n";
}
