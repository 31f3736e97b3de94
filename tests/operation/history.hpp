#pragma once

#include "scraped.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

// A History holds what Prometheus would know of an application, and which alerts of nginx/package
// would fire.

namespace operation {

// From one scrape to the next a minute passes, however soon it comes.
class History {
  public:
    void add(Samples const& samples);
    void add_nobody_answered();

    // Fails the test unless these alerts, and no others, have fired since the first scrape and
    // until so many were made: Prometheus' own promtool is asked, by the rules as they are
    // installed.
    void check_fired(std::vector<std::string> const& alerts, std::size_t scrapes) const;

    std::size_t scrapes() const { return scrapes_; }

  private:
    void add(std::string const& series, std::string const& value);

    std::size_t scrapes_ = 0;
    std::map<std::string, std::vector<std::string>>
        values_; // of each series, from scrape to scrape
};

} // namespace operation
