#pragma once

#include <chrono>
#include <cstddef>

namespace fcgi {

// A line on standard error that grows; only people see it.
class ProgressBar {
  public:
    ProgressBar();
    ~ProgressBar();
    ProgressBar(ProgressBar const&) = delete;
    ProgressBar& operator=(ProgressBar const&) = delete;

    void show(double share, std::size_t entries);
    // Makes room for a line; the next show() draws it anew below.
    void clear();

  private:
    using Clock = std::chrono::steady_clock;

    bool const is_terminal_;
    int shown_ = -1;
    Clock::time_point begun_ = Clock::now(); // with the entries
};

} // namespace fcgi
