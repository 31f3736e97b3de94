#include "db/binlog/settlement.hpp"

#include "db/binlog/protocol.hpp"

#include <algorithm>

namespace db {

namespace {

// More transactions than are logged before the first of them is visible.
constexpr std::size_t kept_ends = 4'096;

} // namespace

void Settlement::begin(Position position, std::optional<Position> checkpoint) {
    std::lock_guard const lock(mutex_);
    is_in_head_ = false;
    checkpoint_ = true_beyond_ = checkpoint;
    ends_.assign(1, position);
}

void Settlement::enter_file() {
    std::lock_guard const lock(mutex_);
    is_in_head_ = true;
    checkpoint_.reset();
    true_beyond_.reset();
    ends_.clear();
}

void Settlement::checkpoint(Position end) {
    std::lock_guard const lock(mutex_);
    checkpoint_ = end;
    if (!is_in_head_) return;
    true_beyond_ = position_in(file_of(end), 0);
    note(end);
}

void Settlement::begin_transaction() {
    std::lock_guard const lock(mutex_);
    is_in_head_ = false;
    if (!true_beyond_) true_beyond_ = checkpoint_;
}

void Settlement::end_transaction(Position end) {
    std::lock_guard const lock(mutex_);
    note(end);
}

std::optional<Position> Settlement::true_beyond() const {
    if (!protocol().judges) return Position{};
    std::lock_guard const lock(mutex_);
    return true_beyond_;
}

bool Settlement::is_true(Position said, std::optional<Position> beyond) const {
    if (!protocol().judges) return true;
    std::lock_guard const lock(mutex_);
    return beyond && beyond == true_beyond_ && said > *beyond &&
           file_of(said) == file_of(*beyond) && std::ranges::binary_search(ends_, said);
}

void Settlement::note(Position end) {
    ends_.push_back(end);
    if (ends_.size() > kept_ends) ends_.pop_front();
}

} // namespace db
