#include "tests/allocation/failing_new.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

constexpr long never = -1;
thread_local bool takes_part = false;
std::atomic<long> left = never;

} // namespace

namespace failing_new {

void take_part() {
    takes_part = true;
}

void fail_at(long n) {
    left = n;
}

bool stop() {
    return left.exchange(never) <= 0;
}

} // namespace failing_new

// For LeakSanitizer: the Connector loses what it holds where an allocation of its own fails, and
// only the slow way to a stack finds the Connector on it.
extern "C" char const* __lsan_default_suppressions() {
    return "leak:libmysqlcppconn";
}
extern "C" char const* __lsan_default_options() {
    return "fast_unwind_on_malloc=0";
}
extern "C" char const* __asan_default_options() {
    return "fast_unwind_on_malloc=0";
}

void* operator new(std::size_t size) {
    if (takes_part && left > 0 && left.fetch_sub(1) == 1) throw std::bad_alloc();
    if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
    throw std::bad_alloc();
}

// AddressSanitizer has one of its own otherwise, and wants its memory back by its own delete.
void* operator new(std::size_t size, std::nothrow_t const&) noexcept {
    try {
        return operator new(size);
    } catch (std::bad_alloc const&) {
        return nullptr;
    }
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
