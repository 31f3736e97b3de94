#pragma once

#include "parser/base/error.hpp"

#include <memory>
#include <utility>

namespace parser {

// A part of the query with what was found in it that can mean nothing (`sort=title:up`). That does
// not fail the whole query, since Strapi 4.26 looks at names first, and at values only of what it
// uses. So the mistake stays with the part, and who uses the part is told of it: whatever gets at
// the part without that says so.
template<class T>
class Checked {
  public:
    Checked() = default;
    Checked(T part) : part_(std::move(part)) {}

    // `raise` is given the mistake, if there is one.
    template<class Raise>
    T const& use(Raise const& raise) const {
        if (mistake_) raise(*mistake_);
        return part_;
    }

    // For who shows it, or looks at what does not depend on the mistake.
    T const& unchecked() const { return part_; }
    // For who writes it.
    T& edit() { return part_; }

    // Null: none.
    Error const* mistake() const { return mistake_.get(); }
    // In the place of the one before.
    void note(Error mistake) { mistake_ = std::make_shared<Error const>(std::move(mistake)); }

  private:
    T part_ = {};
    std::shared_ptr<Error const> mistake_; // shared, so that parts stay small
};

} // namespace parser
