#pragma once

#include <csignal>

namespace parser {

// Blocks all signals in this thread and in those that it starts: the dispatcher handles them all.
inline void block_all_signals() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

} // namespace parser
