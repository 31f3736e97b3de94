#pragma once

#include <chrono>
#include <cstddef>

namespace fcgi {

// Draws a growing line on standard error, if that is a terminal.
class ProgressBar {
  public:
    ProgressBar();
    ~ProgressBar();
    ProgressBar(ProgressBar const&) = delete;
    ProgressBar& operator=(ProgressBar const&) = delete;

    void show(double share, std::size_t entries);
    // Removes the line to make room for text; the next show() draws it again below.
    void clear();

  private:
    using Clock = std::chrono::steady_clock;

    bool const is_terminal_;
    int shown_ = -1;
    Clock::time_point begun_ = Clock::now(); // when the entries began
};

} // namespace fcgi
