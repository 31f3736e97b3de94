#pragma once

#include <atomic>
#include <cstddef>
#include <thread>

namespace fcgi {

// Counts the threads that are busy at once, which decides how the system should wake them. On a
// processor that is free any thread continues at once. If there are more of our threads than
// processors, a thread that wakes displaces another, most often the thread of the database server
// that woke it with the first of several results. That one then has to wait for its turn, and so
// with each result. With SCHED_BATCH our thread continues when the other has done its part: a
// response of 25 statements takes 10 changes of the thread instead of 30. This is not done while
// few threads are busy: then any other program on the host would go first, for milliseconds.
class Crowd {
  public:
    // The calling thread counts as busy as long as this lives.
    class Member {
      public:
        explicit Member(Crowd& crowd);
        ~Member() { crowd_.busy_.fetch_sub(1, std::memory_order_relaxed); }
        Member(Member const&) = delete;

      private:
        Crowd& crowd_;
    };

  private:
    std::size_t const processors_ = std::thread::hardware_concurrency();
    std::atomic<std::size_t> busy_ = 0;
};

} // namespace fcgi
