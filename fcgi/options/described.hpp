#pragma once

#include "db/schema/description.hpp"
#include "fcgi/options/options.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fcgi {

// Returns a text or number among the settings, `/server/port`; empty if there is none.
std::string described_text(db::Description const& description, std::string_view pointer);

// Returns the variable in which the CMS gets a secret, a member of the settings; empty if it has no
// such secret. An error says that none is known.
parser::Result<std::string> described_variable(db::Description const& description,
                                               std::string_view member);

// Returns the options that follow from what the CMS says of its configuration, as they would be
// written in a configuration file: those that the owner has not set, and those that add to what the
// owner sets.
WrittenOptions described_options(db::Description const& description, WrittenOptions const& owners);

// An option that differs from what follows from the description.
struct DifferingOption {
    std::string name;
    std::string theirs; // as it would be written, lists in the order of the alphabet
    std::string ours;   // likewise
};
std::vector<DifferingOption> differing_options(db::Description const& description,
                                               Options const& options);

// Returns the names of those of its options that this process began without, with commas.
std::string newer_settings(db::Description const& description, Options const& options);

// Returns the names of the options that have another value now.
std::vector<std::string> changed_options(WrittenOptions const& before, WrittenOptions const& now);

} // namespace fcgi
