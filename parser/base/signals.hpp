#pragma once

#include <csignal>

namespace parser {

// No signal interrupts this thread from now on, nor those that it starts: all are the dispatcher's.
inline void block_all_signals() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

} // namespace parser
