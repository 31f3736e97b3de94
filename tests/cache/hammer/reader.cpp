#include "reader.hpp"

#include "tests/cache/gunzip.hpp"

#include <stdexcept>
#include <thread>

namespace hammer {

namespace {

constexpr std::chrono::seconds patience{60};

// The least number that is not below `known` and may be the one that was found.
std::uint64_t meant(Finding const& finding, std::uint64_t known) {
    if (!is_link(finding.cell)) return finding.number;
    auto const wanted = finding.number - 1;
    return known + (wanted + entries - known % entries) % entries;
}

} // namespace

Reader::Reader(Run& run, std::string address, unsigned number)
    : run_(run),
      address_(std::move(address)),
      random_(number + 77),
      last_(requests_.size()),
      acknowledged_(cells),
      seen_(cells) {
}

void Reader::work(std::stop_token const& stopped) {
    while (!stopped.stop_requested())
        if (!ask(random_() % requests_.size())) std::this_thread::sleep_for(after_refusal);
}

void Reader::ask_all(unsigned times) {
    for (; times > 0; --times)
        for (std::size_t number = 0; number < requests_.size(); ++number)
            for (auto const start = Clock::now(); !ask(number);)
                if (Clock::now() - start > patience)
                    throw std::runtime_error("no answer to " + requests_[number].uri);
}

bool Reader::ask(std::size_t number) {
    auto const& request = requests_[number];
    remember_what_is_known(request);
    auto const got = response(number);
    if (!got || (got->status >= 502 && got->status <= 504)) {
        ++run_.refused;
        return false;
    }
    auto const* found = read(number, *got);
    if (!found) {
        ++run_.wrong;
        run_.tell(request.uri + " was answered " + std::to_string(got->status) + ": " +
                  got->body.substr(0, 500));
        return true;
    }
    ++run_.reads;
    if (got->status == 304) ++run_.unchanged;
    if (got->header("X-Cache-Status") == "HIT") ++run_.edge_hits;
    check(request, *found, *got);
    return true;
}

// Some requests know an earlier response, some take it compressed.
std::optional<fastcgi::Response> Reader::response(std::size_t number) {
    fastcgi::Parameters headers;
    auto const kind = random_() % 8;
    if (auto const& etag = last_[number].etag; kind < 2 && !etag.empty())
        headers.emplace_back("If-None-Match", etag);
    if (kind == 2) headers.emplace_back("Accept-Encoding", "gzip");
    try {
        if (!client_) client_.emplace(address_);
        return client_->get(requests_[number].uri, headers);
    } catch (std::exception const&) {
        client_.reset();
        return {};
    }
}

std::vector<Finding> const* Reader::read(std::size_t number, fastcgi::Response const& response) {
    auto& cached = last_[number];
    if (response.status == 304) return cached.etag.empty() ? nullptr : &cached.findings;
    if (response.status != 200) return nullptr;
    bool const is_packed = response.header("Content-Encoding") == "gzip";
    auto found =
        findings(requests_[number], is_packed ? cache_test::gunzip(response.body) : response.body);
    if (!found) return nullptr;
    cached = {response.header("ETag"), std::move(*found)};
    return &cached.findings;
}

void Reader::remember_what_is_known(Request const& request) {
    auto const then = run_.interruptions.since() - run_.options.bound;
    auto const remember = [&](std::size_t cell) {
        acknowledged_[cell] = run_.acknowledged.known(cell, then);
        seen_[cell] = run_.seen.known(cell, then);
    };
    if (request.total) remember(*request.total);
    for (auto id = request.first; id <= request.last; ++id) {
        remember(cell(request.type, id));
        if (request.with_next) remember(cell(request.type, id) + values);
    }
    for (std::size_t id = 1; request.with_next && id <= entries; ++id)
        remember(cell(request.type + 1, id));
}

bool Reader::is_older(Finding const& finding, std::uint64_t known) const {
    auto const number = meant(finding, known);
    return is_link(finding.cell) ? number > run_.issued[finding.cell] : number < known;
}

void Reader::check(Request const& request, std::vector<Finding> const& found,
                   fastcgi::Response const& response) {
    bool acknowledged = false, seen = false;
    for (auto const& finding : found) {
        auto const before_a = acknowledged_[finding.cell], before_s = seen_[finding.cell];
        acknowledged |= is_older(finding, before_a);
        seen |= is_older(finding, before_s);
        if (is_older(finding, std::max(before_a, before_s)))
            run_.tell(request.uri + " has " + std::to_string(finding.number) + " in cell " +
                      std::to_string(finding.cell) + ", of which " + std::to_string(before_a) +
                      " was acknowledged and " + std::to_string(before_s) + " seen; status " +
                      std::to_string(response.status) + ", ETag " + response.header("ETag") + ", " +
                      response.header("Content-Encoding"));
        else
            run_.seen.note(finding.cell, meant(finding, std::max(before_a, before_s)));
    }
    run_.older_than_acknowledged += acknowledged;
    run_.older_than_seen += seen;
}

} // namespace hammer
