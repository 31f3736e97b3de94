#pragma once

#include <optional>
#include <string>

namespace fcgi {

// Whether two names, or addresses, of hosts lead to the same machine, as far as this one knows: by
// an address that both have, or because both are its own. Empty: a name has no address here. Waits
// for DNS.
std::optional<bool> is_same_machine(std::string const& one, std::string const& other);

} // namespace fcgi
