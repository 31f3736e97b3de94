#pragma once

#include "application.hpp"

#include <map>
#include <string>
#include <vector>

// An application, and what a scraper reads of it.

namespace operation {

using Samples = std::map<std::string, double>; // by name and labels

// A socket in the database's folder, for the one application that a test has at a time.
std::string metrics_address();

// All that is answered there.
std::string ask_metrics(std::string const& request);

// Fails the test where a text is not as the format wants it.
Samples read_samples(std::string const& text);

// With its metrics at that address.
faults::ApplicationSettings with_metrics(faults::ApplicationSettings settings);

struct Scraped {
    explicit Scraped(faults::ApplicationSettings settings = with({}))
        : application(with_metrics(std::move(settings))) {}

    std::string text() const;
    Samples samples() const { return read_samples(text()); }
    // Once so many requests are counted, which happens after they are answered.
    Samples samples_of(double requests) const;

    faults::ApplicationProcess application;
};

} // namespace operation
