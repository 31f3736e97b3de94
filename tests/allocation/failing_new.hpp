#pragma once

// The program's operator new, which can be made to fail once on threads that take part.

namespace failing_new {

// This thread's allocations count from now on.
void take_part();

// The n-th allocation from now on, counted from 1, throws std::bad_alloc.
void fail_at(long n);

// No more allocation fails. True if one did.
bool stop();

} // namespace failing_new
