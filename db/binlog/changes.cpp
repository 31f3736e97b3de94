#include "db/binlog/changes.hpp"

#include <algorithm>

namespace db {

namespace {

constexpr auto acquiring = std::memory_order_acquire;
constexpr auto releasing = std::memory_order_release;

} // namespace

void Changes::begin(std::uint64_t epoch, std::uint64_t floor, Position reached) {
    std::lock_guard const lock(mutex_);
    for (auto const& [name, table] : tables_)
        table->changed.store(0, releasing);
    floor_.store(floor, releasing);
    newest_.store(floor, releasing);
    all_.store(0, releasing);
    structure_.store(0, releasing);
    settled_.store(0, releasing);
    reached_.store(reached);
    epoch_.store(epoch, releasing);
}

bool Changes::end(std::uint64_t epoch) {
    std::lock_guard const lock(mutex_);
    return epoch_.compare_exchange_strong(epoch, 0);
}

// Numbers of MySQL may come out of order.
void Changes::raise(std::atomic<std::uint64_t>& value, std::uint64_t at) {
    value.store(std::max(value.load(std::memory_order_relaxed), at), releasing);
}

void Changes::change(std::string_view database, std::string_view name, std::uint64_t at) {
    std::lock_guard const lock(mutex_);
    raise(newest_, at); // for a table that is asked for later
    if (auto const found = tables_.find(key(database, name)); found != tables_.end())
        raise(found->second->changed, at);
}

void Changes::change_rows_of_all(std::uint64_t at) {
    std::lock_guard const lock(mutex_);
    raise(newest_, at);
    raise(all_, at);
}

void Changes::change_all(std::uint64_t at) {
    std::lock_guard const lock(mutex_);
    raise(newest_, at);
    raise(all_, at);
    raise(structure_, at);
}

// This is in one order with await() and reached(): either this sees that somebody waits, or the
// waiting thread sees that the position is reached.
bool Changes::reach(Position position) {
    reached_.store(position);
    auto awaited = awaited_.load();
    if (awaited > position) return false;
    awaited_.compare_exchange_strong(awaited, nothing); // reported once
    return true;
}

ChangeLog::Table const* Changes::table(std::string_view database, std::string_view name) {
    std::lock_guard const lock(mutex_);
    auto& table = tables_[key(database, name)];
    if (!table) {
        table = std::make_unique<Table>();
        table->changed.store(newest(), releasing);
    }
    return table.get();
}

// Some servers tell names apart by case, others do not: a change of one such name counts for all.
std::string const& Changes::key(std::string_view database, std::string_view name) {
    auto const lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    key_.assign(database).append(1, '\0').append(name);
    std::ranges::transform(key_, key_.begin(), lower);
    return key_;
}

std::uint64_t Changes::newest(std::span<Table const* const> tables) const {
    auto newest = std::max(floor_.load(acquiring), all_.load(acquiring));
    for (Table const* table : tables)
        newest = std::max(newest, table->changed.load(acquiring));
    return newest;
}

bool Changes::holds(Tag const& tag, std::span<Table const* const> tables) const {
    return tag.epoch != 0 && epoch() == tag.epoch && tag.at >= newest(tables) &&
           epoch() == tag.epoch;
}

bool Changes::structure_holds(Tag const& tag) const {
    auto const newest = std::max(floor_.load(acquiring), structure_.load(acquiring));
    return tag.epoch != 0 && epoch() == tag.epoch && tag.at >= newest && epoch() == tag.epoch;
}

void Changes::settle(std::uint64_t epoch, std::uint64_t at) {
    std::lock_guard const lock(mutex_);
    if (epoch_.load(acquiring) == epoch) raise(settled_, at);
}

} // namespace db
