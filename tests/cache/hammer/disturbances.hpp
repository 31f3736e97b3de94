#pragma once

#include "application.hpp"
#include "run.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace faults {
class ChaosProxy;
}

namespace hammer {

// `kill, rotate, …`
std::string disturbance_names();

// The Disturbances disturb these, which outlive them.
struct Surroundings {
    Run& run;
    Application& application;
    faults::ChaosProxy& proxy; // between application and server
};

// Go on from the beginning of its life to the end, a thread each; in the end all is as before.
class Disturbances {
  public:
    explicit Disturbances(Surroundings const& surroundings);
    ~Disturbances();
    // How often each came.
    std::string counts() const;
    // Why one could not go on: the server did not start again, say.
    std::optional<std::string> failure() const;

  private:
    struct Disturbance;
    std::vector<std::unique_ptr<Disturbance>> running_;
};

} // namespace hammer
