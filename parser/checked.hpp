#pragma once

#include "parser/base/error.hpp"

#include <memory>
#include <utility>

namespace parser {

// A part of the query, with the error found in it, if any (`sort=title:up`). Such an error does not
// fail the whole query, since Strapi 4.26 checks names first, and checks values only where it uses
// them. So the error stays with the part, and is noted where binding uses the part
// (BindContext::use() in db/plan/bind_context.hpp).
template<class T>
class Checked {
  public:
    Checked() = default;
    Checked(T part) : part_(std::move(part)) {}

    // For code that has looked at the error, shows the part, or looks at what the error does not
    // affect.
    T const& unchecked() const { return part_; }
    // For code that fills the part.
    T& edit() { return part_; }

    // Returns null if there is no error.
    Error const* mistake() const { return mistake_.get(); }
    // Replaces an earlier error.
    void note(Error mistake) { mistake_ = std::make_shared<Error const>(std::move(mistake)); }

  private:
    T part_ = {};
    std::shared_ptr<Error const> mistake_; // shared, so that parts stay small
};

} // namespace parser
