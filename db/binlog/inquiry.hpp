#pragma once

#include "db/binlog/change_log.hpp"

#include <cstdint>
#include <memory>

namespace db {

// The question where the log ends, of one thread that must never wait. One question serves all who
// were there before it was sent.
//
//   arrives:               remember next(), ask()
//   descriptor() is ready: look(); answer all whose number is at most the answer's; ask() if others
//                          are left
//
// The connection belongs to an epoch, as the stream's: who loses one loses both.
class Inquiry {
  public:
    // The log outlives it. Made in the process that uses it, after any fork; one for a log.
    explicit Inquiry(ChangeLog& log);
    ~Inquiry();
    Inquiry(Inquiry const&) = delete;

    // Constant. Readable (level-triggered) when look() has something to do.
    int descriptor() const;

    // Of the question that one who arrives now has to wait for: never one that was sent before.
    std::uint64_t next() const;

    // Sends it, unless one is on its way or there is no epoch.
    void ask();

    // The last question that is answered, and as far as whose answer the stream has come. Epoch 0:
    // there is nobody to ask, and none of those who wait will hear of it: answer them without what
    // is kept.
    struct Answer {
        std::uint64_t number;
        std::uint64_t epoch;
    };
    Answer look();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace db
