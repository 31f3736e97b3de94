#include "fcgi/check/check.hpp"

#include "db/binlog/obstacle.hpp"

namespace fcgi {

std::vector<Finding> check_cache(Options const& options) {
    std::vector<Finding> findings;
    if (!options.cache) return findings;
    auto const [obstacles, hints] = db::survey_log(options.cache_url);
    for (auto const& [what, cure] : obstacles)
        findings.push_back({Finding::problem, "no answers are kept: " + what, cure});
    for (auto const& [what, cure] : hints)
        findings.push_back({Finding::note, "cache: " + what, cure});
    return findings;
}

} // namespace fcgi
