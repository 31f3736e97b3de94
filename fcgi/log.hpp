#pragma once

#include <string_view>

namespace fcgi {

// One line on standard error, whole even where several threads write.
void log_line(std::string_view text);

} // namespace fcgi
