#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <new>
#include <set>

// The memory that all requests of a process may hold together: what clients sent, the rows that
// were read, and the responses until their clients have them.

namespace parser {

// A share that wants more than is left is refused; it does not wait, since that would block a
// worker. The last quarter is reserved for the oldest share that grows, so that one can go on, and
// for small requests. Any thread may use it.
class MemoryBudget {
  public:
    // Shares that hold no more than this may use the last quarter, so that small requests get past
    // those that fill the budget.
    static constexpr std::size_t allowance = 1024 * 1024;

    explicit MemoryBudget(std::size_t bytes) : bytes_(bytes) {}
    MemoryBudget(MemoryBudget const&) = delete;
    MemoryBudget& operator=(MemoryBudget const&) = delete;

    std::size_t bytes() const { return bytes_; }
    std::size_t held() const { return held_; }
    // Returns whether memory is short: shares beyond the allowance are refused, or soon will be.
    bool is_short() const { return held_ > bytes_ / 2; }

    // Gives memory that requests have freed back to the system, which malloc alone would keep. Call
    // it after freeing something; it does nothing unless half of what was held has been freed.
    void trim();

  private:
    friend class MemoryShare;
    std::size_t for_all_but_the_oldest() const { return bytes_ - bytes_ / 4; }

    std::size_t const bytes_;
    void give_back(std::size_t bytes);

    std::atomic<std::size_t> held_ = 0;
    std::atomic<std::size_t> peak_ = 0; // of `held_`, since trimming was last worth it
    std::atomic<bool> is_to_trim_ = false;
    std::mutex mutex_;
    std::uint64_t last_ticket_ = 0;
    std::set<std::uint64_t> growing_; // beyond the allowance, in the order in which they passed it
};

// Thrown when a share may not grow.
struct OutOfBudget : std::bad_alloc {
    char const* what() const noexcept override { return "the memory budget is used up"; }
};

// The memory that one request holds and gives back at its end: what is allocated from it, which
// throws OutOfBudget if it is refused, and what grow() and shrink() are given. Only one thread at a
// time may use it. It may be moved only while nothing is allocated from it.
class MemoryShare final : public std::pmr::memory_resource {
  public:
    MemoryShare() = default; // without a budget: never refused
    explicit MemoryShare(MemoryBudget& budget) : budget_(&budget) {}
    MemoryShare(MemoryShare&& other) noexcept;
    MemoryShare& operator=(MemoryShare&& other) noexcept;
    ~MemoryShare() override { release(); }

    // Returns false if the budget refuses; nothing changes then.
    bool grow(std::size_t bytes);
    void shrink(std::size_t bytes) { held_ -= bytes < held_ ? bytes : held_; }
    // Says that the share will not grow any more: another becomes the oldest, and what this one
    // took from the budget but does not hold is given back.
    void settle();

    std::size_t held() const { return held_; }

  private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override;
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
    bool do_is_equal(std::pmr::memory_resource const& other) const noexcept override {
        return this == &other;
    }

    bool take(std::size_t bytes);
    void leave_growing();
    void release();

    MemoryBudget* budget_ = nullptr;
    std::size_t held_ = 0;
    std::size_t taken_ = 0; // from the budget, in steps, so that most calls touch nothing shared
    std::uint64_t ticket_ = 0;
};

} // namespace parser
