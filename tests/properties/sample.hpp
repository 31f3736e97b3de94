#pragma once

#include "db/schema/schema.hpp"
#include "tests/properties/mutation.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace properties {

// Holds the requests that a program makes, from its command line: recorded reads, then mutants of
// them.
class Sample {
  public:
    explicit Sample(CLI::App& app);

    // To be called once the command line is parsed. Exits with a message if a file is not as
    // expected.
    void load();

    db::Schema const& schema() const { return *schema_; }
    std::uint64_t mutants() const { return count_; }
    std::vector<Request> const& recorded() const { return recorded_; }
    Request mutant(std::uint64_t number) const { return mutation_->mutant(seed_, number); }

  private:
    std::string records_;
    std::string secrets_;
    std::string folder_;
    std::string auth_; // of every request; empty: as recorded
    std::uint64_t seed_ = 1;
    std::uint64_t count_ = 20'000;
    std::shared_ptr<db::Schema const> schema_;
    std::vector<Request> recorded_;
    std::optional<Mutation> mutation_;
};

} // namespace properties
