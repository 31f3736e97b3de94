#pragma once

#include "db/binlog/change_log.hpp"

#include <cstdint>
#include <memory>

namespace db {

// Asks the server where its binlog ends, for one thread that must never wait. One inquiry serves
// all requests that were there before it was sent.
//
//   a request arrives:     remember next(), call ask()
//   descriptor() is ready: call look(); respond to all whose number is at most the reply's; call
//                          ask() if others are left
//
// The connection belongs to an epoch, as the stream's does: if one of them is lost, so is the
// other.
class Inquiry {
  public:
    // A ChangeLog has one only, and outlives it. Make it in the process that uses it, after any
    // fork.
    explicit Inquiry(ChangeLog& log);
    ~Inquiry();
    Inquiry(Inquiry const&) = delete;

    // Returns a descriptor that never changes. It is readable (level-triggered) when look() has
    // something to do.
    int descriptor() const;

    // Returns the number of the inquiry that a request has to wait for if it arrives now: never
    // one that was sent before.
    std::uint64_t next() const;

    // Sends an inquiry, unless one is in flight, there is no epoch, or the stream is far behind.
    void ask();

    // The last inquiry whose reply has come, and has been reached by the stream. Epoch 0: there
    // is no server to ask, and no waiting request will get a reply; respond to those without the
    // cache.
    struct InquiryResult {
        std::uint64_t number;
        std::uint64_t epoch;
    };
    InquiryResult look();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace db
