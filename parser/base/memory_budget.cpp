#include "parser/base/memory_budget.hpp"

#include <malloc.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace parser {

namespace {

// A share takes as much again as it has, but no less and no more than these.
constexpr std::size_t first_step = 4 * 1024;
constexpr std::size_t largest_step = 64 * 1024;
// malloc may keep less than this without harm.
constexpr std::size_t worth_trimming = 4 * 1024 * 1024;

} // namespace

void MemoryBudget::trim() {
    if (is_to_trim_.load(std::memory_order_relaxed) && is_to_trim_.exchange(false))
        ::malloc_trim(0);
}

// Two threads may race for the peak and store a wrong one: memory is then trimmed once more, or
// once later.
void MemoryBudget::give_back(std::size_t bytes) {
    auto const left = held_.fetch_sub(bytes) - bytes;
    auto const peak = peak_.load(std::memory_order_relaxed);
    if (left > peak / 2 || peak - left < worth_trimming) return;
    peak_.store(left, std::memory_order_relaxed);
    is_to_trim_ = true;
}

MemoryShare::MemoryShare(MemoryShare&& other) noexcept
    : budget_(std::exchange(other.budget_, nullptr)),
      held_(std::exchange(other.held_, 0)),
      taken_(std::exchange(other.taken_, 0)),
      ticket_(std::exchange(other.ticket_, 0)) {
}

MemoryShare& MemoryShare::operator=(MemoryShare&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(held_, other.held_);
    std::swap(taken_, other.taken_);
    std::swap(ticket_, other.ticket_);
    other.release();
    return *this;
}

bool MemoryShare::grow(std::size_t bytes) {
    if (budget_ && held_ + bytes > taken_) {
        std::size_t const missing = held_ + bytes - taken_;
        if (!take(std::max(missing, std::clamp(taken_, first_step, largest_step)))) return false;
    }
    held_ += bytes;
    return true;
}

bool MemoryShare::take(std::size_t bytes) {
    std::size_t limit = budget_->bytes_;
    if (taken_ + bytes > MemoryBudget::allowance) {
        std::lock_guard const lock(budget_->mutex_);
        if (ticket_ == 0) {
            budget_->growing_.insert(budget_->last_ticket_ + 1);
            ticket_ = ++budget_->last_ticket_;
        }
        bool const is_oldest = *budget_->growing_.begin() == ticket_;
        if (!is_oldest) limit = budget_->for_all_but_the_oldest();
    }
    auto const held = budget_->held_.fetch_add(bytes) + bytes;
    if (held > limit) {
        budget_->held_ -= bytes;
        return false;
    }
    if (held > budget_->peak_.load(std::memory_order_relaxed))
        budget_->peak_.store(held, std::memory_order_relaxed);
    taken_ += bytes;
    return true;
}

void MemoryShare::settle() {
    leave_growing();
    if (!budget_ || held_ >= taken_) return;
    budget_->give_back(taken_ - held_);
    taken_ = held_;
}

void MemoryShare::leave_growing() {
    if (ticket_ == 0) return;
    std::lock_guard const lock(budget_->mutex_);
    budget_->growing_.erase(std::exchange(ticket_, 0));
}

void MemoryShare::release() {
    held_ = 0;
    settle();
    budget_ = nullptr;
}

// Told an alignment, as std::pmr::new_delete_resource() always tells it, `operator new` takes eight
// times the instructions. Nothing in a share needs more than it gives untold.
void* MemoryShare::do_allocate(std::size_t bytes, [[maybe_unused]] std::size_t alignment) {
    assert(alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    if (!grow(bytes)) throw OutOfBudget();
    return ::operator new(bytes);
}

void MemoryShare::do_deallocate(void* memory, std::size_t bytes, std::size_t) {
    ::operator delete(memory);
    shrink(bytes);
}

} // namespace parser
