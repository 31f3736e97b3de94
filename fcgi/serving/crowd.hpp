#pragma once

#include <atomic>
#include <cstddef>
#include <thread>

namespace fcgi {

// How many threads are busy at once, which says how the system is best to wake them. On a processor
// that is free any thread goes on at once. Where there are more of ours than processors, one that
// wakes takes the place of another, most often of the database server's that woke it with the first
// of several results, and that then has to wait for its turn, and so with each result. As
// SCHED_BATCH it goes on when that one has done its part: an answer of 25 statements takes 10
// changes of the thread instead of 30. Not while there are few of us: then whoever else computes on
// the machine would go first, for milliseconds.
class Crowd {
  public:
    // As long as it lives the calling thread is busy.
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
