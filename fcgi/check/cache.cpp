#include "fcgi/check/check.hpp"

#include "db/binlog/obstacle.hpp"

namespace fcgi {

std::vector<Finding> check_cache(Options const& options) {
    std::vector<Finding> findings;
    if (!options.cache) return findings;
    auto const [obstacles, hints] = db::survey_log(options.cache_url);
    for (auto const& [what, fix] : obstacles)
        findings.push_back({Finding::problem, "the cache is off: " + what, fix});
    for (auto const& [what, fix] : hints)
        findings.push_back({Finding::note, "cache: " + what, fix});
    return findings;
}

} // namespace fcgi
