#include "fcgi/check/check.hpp"

#include "db/binlog/opening.hpp"

namespace fcgi {

std::vector<Finding> check_cache(Options const& options) {
    std::vector<Finding> findings;
    if (!options.cache) return findings;
    auto const [obstacles, hints] = db::survey_log(options.cache_url);
    for (auto const& obstacle : obstacles)
        findings.push_back(
            {Finding::problem, "the cache is off: " + obstacle.text(), obstacle.fix});
    for (auto const& hint : hints)
        findings.push_back({Finding::note, "cache: " + hint.text(), hint.fix});
    return findings;
}

} // namespace fcgi
