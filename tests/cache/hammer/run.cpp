#include "run.hpp"

namespace hammer {

void Run::tell(std::string const& what) {
    std::lock_guard const lock(mutex_);
    if (told_.empty()) told_ = what;
}

std::string Run::told() const {
    std::lock_guard const lock(mutex_);
    return told_;
}

} // namespace hammer
