#pragma once

#include "tests/conformance/compare.hpp"

#include <map>
#include <optional>
#include <string>

// Where our responses differ from the recorded ones on purpose: differences.json, by record id.

namespace conformance {

struct KnownDifference {
    std::string of_class; // D1 … D11, see tests/README.md
    std::string reason;
    int status = 0; // that our response must have; 0: any
};

using KnownDifferences = std::map<std::string, KnownDifference>;

// Exits with a message if the file is not as expected.
KnownDifferences read_differences(std::string const& file);

enum class Verdict { equal, listed, different };

struct Judgement {
    Verdict verdict;
    std::string why; // one line; empty if equal
};

// A difference that is listed is in order, but not if it turns out otherwise than listed, or if
// there is none.
Judgement judge(std::optional<Mismatch> const& difference, Response const& response,
                KnownDifferences const& known, std::string const& id);

// The same where `live` is what the reference answers now. Where it differs from us in nothing but
// the order, and we answer as it did when it was recorded, the order is open: that is D4. What is
// listed as open may be equal for once.
Judgement judge_live(Record const& recorded, Record live, Response const& got,
                     KnownDifferences const& known);

} // namespace conformance
