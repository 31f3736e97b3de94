#pragma once

#include <optional>
#include <string>

namespace fcgi {

// Returns whether two names or addresses lead to the same machine, as far as this one knows: they
// share an address, or both are its own. Empty if a name has no address here. Waits for DNS.
std::optional<bool> is_same_machine(std::string const& one, std::string const& other);

} // namespace fcgi
