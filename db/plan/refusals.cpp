#include "db/plan/refusals.hpp"

#include <tuple>

namespace db {

void Refusals::name(Pass pass, std::string_view key, std::string_view where) {
    if (name_ && std::tie(name_parameter_, name_pass_) <= std::tie(parameter_, pass)) return;
    name_ = parser::invalid_parameter(key, where);
    name_parameter_ = parameter_;
    name_pass_ = pass;
}

void Refusals::value(parser::Error error) {
    if (!value_) value_ = std::move(error);
}

} // namespace db
