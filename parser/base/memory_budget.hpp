#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <new>
#include <set>

// What all requests of a process may hold together: what clients sent, the rows that were read, and
// the answers until their clients have them.

namespace parser {

// Who wants more than there is does not wait for it, since that would block a worker, but is
// refused. The last quarter is kept for the oldest of those that grow, so that one goes on, and for
// small requests. Any thread.
class MemoryBudget {
  public:
    // Who holds no more may take of the last quarter, so that small requests pass by those that
    // fill the budget.
    static constexpr std::size_t allowance = 1024 * 1024;

    explicit MemoryBudget(std::size_t bytes) : bytes_(bytes) {}
    MemoryBudget(MemoryBudget const&) = delete;
    MemoryBudget& operator=(MemoryBudget const&) = delete;

    std::size_t bytes() const { return bytes_; }
    std::size_t held() const { return held_; }
    // Whoever asks for more than the allowance is refused, or soon will be.
    bool is_short() const { return held_ > bytes_ / 2; }

    // Gives what requests have freed back to the system, which malloc alone would keep. For who has
    // just freed something; does nothing but when half of what was held is not any more.
    void trim();

  private:
    friend class MemoryShare;
    std::size_t for_all_but_the_oldest() const { return bytes_ - bytes_ / 4; }

    std::size_t const bytes_;
    void give_back(std::size_t bytes);

    std::atomic<std::size_t> held_ = 0;
    std::atomic<std::size_t> peak_ = 0; // of `held_`, since trimming was worth it last
    std::atomic<bool> is_to_trim_ = false;
    std::mutex mutex_;
    std::uint64_t last_ticket_ = 0;
    std::set<std::uint64_t> growing_; // beyond the allowance, in the order in which they passed it
};

// A share refused to grow.
struct OutOfBudget : std::bad_alloc {
    char const* what() const noexcept override { return "the memory budget is used up"; }
};

// What one request holds, and gives back at its end: memory that is allocated from it, which throws
// OutOfBudget where it is refused, and what is told to grow() and shrink(). One thread at a time.
// Moved only while nothing is allocated from it.
class MemoryShare final : public std::pmr::memory_resource {
  public:
    MemoryShare() = default; // of no budget: never refused
    explicit MemoryShare(MemoryBudget& budget) : budget_(&budget) {}
    MemoryShare(MemoryShare&& other) noexcept;
    MemoryShare& operator=(MemoryShare&& other) noexcept;
    ~MemoryShare() override { release(); }

    // False: refused, and nothing changed.
    bool grow(std::size_t bytes);
    void shrink(std::size_t bytes) { held_ -= bytes < held_ ? bytes : held_; }
    // It grows no more: another is the oldest now. What it does not hold any more is given back.
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
    std::size_t taken_ = 0; // of the budget, in steps, so that most calls touch nothing shared
    std::uint64_t ticket_ = 0;
};

} // namespace parser
