#pragma once

#include <cstdint>

namespace fcgi {

// Asks where the database's log of changes ends, and knows when all that it has up to there was
// taken note of: from then on, what was kept and still holds is as fresh as the database itself,
// for all who came before the question was sent. Used by one thread, which it never blocks.
class Inquiry {
  public:
    virtual ~Inquiry() = default;

    // Readable, level-triggered, when look() has something to do. -1: there is nobody to ask.
    virtual int descriptor() const = 0;

    // The number of the question that who arrives now has to wait for: not sent yet.
    virtual std::uint64_t next() const = 0;
    // Sends it, unless one is under way, or there is nobody to ask.
    virtual void ask() = 0;

    struct Answer {
        std::uint64_t number = 0; // of the last question that is answered, and noted up to there
        std::uint64_t epoch = 0;  // of the log; 0: there is nobody to ask
    };
    virtual Answer look() = 0;
};

} // namespace fcgi
