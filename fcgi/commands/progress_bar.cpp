#include "fcgi/commands/progress_bar.hpp"

#include <cstdio>

#include <unistd.h>

namespace fcgi {

namespace {

constexpr char bar[] = "########################################";
constexpr int width = sizeof bar - 1;

} // namespace

ProgressBar::ProgressBar() : is_terminal_(isatty(STDERR_FILENO) == 1) {
}

ProgressBar::~ProgressBar() {
    if (shown_ >= 0) std::fputc('\n', stderr);
}

void ProgressBar::show(double share, std::size_t entries) {
    int const percent = static_cast<int>(share * 100);
    if (!is_terminal_ || percent == shown_) return;
    shown_ = percent;
    int const filled = percent * width / 100;
    std::fprintf(stderr, "\r[%.*s%*s] %3d %%", filled, bar, width - filled, "", percent);
    if (entries == 0) {
        begun_ = Clock::now();
        return;
    }
    std::chrono::duration<double> const time = Clock::now() - begun_;
    std::fprintf(stderr, ", %.0f entries/s ", static_cast<double>(entries) / time.count());
}

void ProgressBar::clear() {
    if (shown_ >= 0) std::fputs("\r\033[K", stderr);
    shown_ = -1;
}

} // namespace fcgi
