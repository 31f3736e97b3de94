#pragma once

#include "parser/base/error.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace db {

// Keeps the error that Strapi 4.26 finds first. Strapi validates all names before it converts any
// value, parameter by parameter, and inside one parameter in passes over the whole tree. So which
// error is first is known only when everything has been looked at.
class Refusals {
  public:
    enum class Pass : std::uint8_t { unknown, zone, morph, hidden, shape, unpermitted };

    void begin_parameter() { ++parameter_; }
    void name(Pass pass, std::string_view key, std::string_view where);
    void value(parser::Error error);
    // Forgets the errors of values noted so far, for parameters that are checked but not used, but
    // keeps `earlier`.
    void forget_values(std::optional<parser::Error> earlier = {}) { value_ = std::move(earlier); }
    std::optional<parser::Error> const& first_value() const { return value_; }

    std::optional<parser::Error> const& first() const { return name_ ? name_ : value_; }

  private:
    unsigned parameter_ = 0;
    unsigned name_parameter_ = 0;
    Pass name_pass_ = Pass::unknown;
    std::optional<parser::Error> name_;
    std::optional<parser::Error> value_;
};

} // namespace db
