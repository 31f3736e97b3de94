#pragma once

#include <string_view>

namespace fcgi {

// One line on standard error, whole even where several threads write. Takes no memory.
void log_line(std::string_view text, std::string_view rest = {});

} // namespace fcgi
