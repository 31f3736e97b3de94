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
      kept_(questions_.size()),
      acknowledged_(cells),
      seen_(cells) {
}

void Reader::work(std::stop_token const& stopped) {
    while (!stopped.stop_requested())
        if (!ask(random_() % questions_.size())) std::this_thread::sleep_for(after_refusal);
}

void Reader::ask_all(unsigned times) {
    for (; times > 0; --times)
        for (std::size_t number = 0; number < questions_.size(); ++number)
            for (auto const start = Clock::now(); !ask(number);)
                if (Clock::now() - start > patience)
                    throw std::runtime_error("no answer to " + questions_[number].uri);
}

bool Reader::ask(std::size_t number) {
    auto const& question = questions_[number];
    remember_what_is_known(question);
    auto const got = answer(number);
    if (!got || (got->status >= 502 && got->status <= 504)) {
        ++run_.refused;
        return false;
    }
    auto const* found = read(number, *got);
    if (!found) {
        ++run_.wrong;
        run_.tell(question.uri + " was answered " + std::to_string(got->status) + ": " +
                  got->body.substr(0, 500));
        return true;
    }
    ++run_.reads;
    if (got->status == 304) ++run_.unchanged;
    if (got->header("X-Cache-Status") == "HIT") ++run_.edge_hits;
    check(question, *found, *got);
    return true;
}

// Some requests know an earlier answer, some take it compressed.
std::optional<fastcgi::Answer> Reader::answer(std::size_t number) {
    fastcgi::Parameters headers;
    auto const kind = random_() % 8;
    if (auto const& etag = kept_[number].etag; kind < 2 && !etag.empty())
        headers.emplace_back("If-None-Match", etag);
    if (kind == 2) headers.emplace_back("Accept-Encoding", "gzip");
    try {
        if (!client_) client_.emplace(address_);
        return client_->get(questions_[number].uri, headers);
    } catch (std::exception const&) {
        client_.reset();
        return {};
    }
}

std::vector<Finding> const* Reader::read(std::size_t number, fastcgi::Answer const& answer) {
    auto& kept = kept_[number];
    if (answer.status == 304) return kept.etag.empty() ? nullptr : &kept.findings;
    if (answer.status != 200) return nullptr;
    bool const is_packed = answer.header("Content-Encoding") == "gzip";
    auto found =
        findings(questions_[number], is_packed ? cache_test::gunzip(answer.body) : answer.body);
    if (!found) return nullptr;
    kept = {answer.header("ETag"), std::move(*found)};
    return &kept.findings;
}

void Reader::remember_what_is_known(Question const& question) {
    auto const then = run_.interruptions.since() - run_.options.bound;
    auto const remember = [&](std::size_t cell) {
        acknowledged_[cell] = run_.acknowledged.known(cell, then);
        seen_[cell] = run_.seen.known(cell, then);
    };
    if (question.total) remember(*question.total);
    for (auto id = question.first; id <= question.last; ++id) {
        remember(cell(question.type, id));
        if (question.with_next) remember(cell(question.type, id) + values);
    }
    for (std::size_t id = 1; question.with_next && id <= entries; ++id)
        remember(cell(question.type + 1, id));
}

bool Reader::is_older(Finding const& finding, std::uint64_t known) const {
    auto const number = meant(finding, known);
    return is_link(finding.cell) ? number > run_.issued[finding.cell] : number < known;
}

void Reader::check(Question const& question, std::vector<Finding> const& found,
                   fastcgi::Answer const& answer) {
    bool acknowledged = false, seen = false;
    for (auto const& finding : found) {
        auto const before_a = acknowledged_[finding.cell], before_s = seen_[finding.cell];
        acknowledged |= is_older(finding, before_a);
        seen |= is_older(finding, before_s);
        if (is_older(finding, std::max(before_a, before_s)))
            run_.tell(question.uri + " has " + std::to_string(finding.number) + " in cell " +
                      std::to_string(finding.cell) + ", of which " + std::to_string(before_a) +
                      " was acknowledged and " + std::to_string(before_s) + " seen; status " +
                      std::to_string(answer.status) + ", ETag " + answer.header("ETag") + ", " +
                      answer.header("Content-Encoding"));
        else
            run_.seen.note(finding.cell, meant(finding, std::max(before_a, before_s)));
    }
    run_.older_than_acknowledged += acknowledged;
    run_.older_than_seen += seen;
}

} // namespace hammer
