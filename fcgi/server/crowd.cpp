#include "fcgi/server/crowd.hpp"

#include <sched.h>

namespace fcgi {

namespace {

thread_local bool is_batch = false;

// If the system forbids it, nothing changes.
void schedule_as_batch(bool wanted) {
    if (wanted == is_batch) return;
    sched_param const none{};
    if (::sched_setscheduler(0, wanted ? SCHED_BATCH : SCHED_OTHER, &none) == 0) is_batch = wanted;
}

} // namespace

Crowd::Member::Member(Crowd& crowd) : crowd_(crowd) {
    schedule_as_batch(crowd.busy_.fetch_add(1, std::memory_order_relaxed) >= crowd.processors_);
}

} // namespace fcgi
