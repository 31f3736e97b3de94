#pragma once

#include "tests/fastcgi/process.hpp"

// populate-fcgi itself, serving the example project, in a process of its own.

namespace faults {

struct ApplicationSettings {
    std::string database = {};             // a mysql:// URL
    std::vector<std::string> options = {}; // "--workers=2"
    ProcessSettings process = {};
    std::string address = {}; // empty: a unix socket in a new folder
    std::string schema = {};  // empty: the example's
    // Its time limits, where no option sets them, are none that a busy machine comes to: for tests
    // that are not about these.
    bool is_patient = false;
};

class ApplicationProcess : public Process {
  public:
    explicit ApplicationProcess(ApplicationSettings const& settings);

    // Status 0, and what happened as the body, where there is no response.
    fastcgi::Response get(std::string_view uri, fastcgi::Parameters const& more = {}) const;
    bool responds(std::string_view uri, int status) const; // eventually
};

} // namespace faults
