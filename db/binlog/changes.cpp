#include "db/binlog/changes.hpp"

#include "db/binlog/protocol.hpp"
#include "db/binlog/row_changes.hpp"
#include "parser/base/client_hash.hpp"

#include <boost/url/grammar/ci_string.hpp>

#include <algorithm>
#include <utility>

namespace db {

namespace {

// More transactions than are logged before the first of them is visible.
constexpr std::size_t kept_ends = 4'096;

constexpr auto acquiring = std::memory_order_acquire;
constexpr auto releasing = std::memory_order_release;

// 8 MB. At 17 slots a response and 90 tags a transaction, 0.15 % of the responses that a
// transaction leaves as they are share a slot with it, each time: one that is asked for once in a
// hundred transactions is read again for that every seventh time.
constexpr std::size_t slot_count = std::size_t{1} << 20;

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

LastChanges::LastChanges() : slots_(std::make_unique<std::atomic<std::uint64_t>[]>(slot_count)) {
}

void LastChanges::begin(std::uint64_t epoch, std::uint64_t floor, Position reached,
                        std::optional<Landmark> landmark) {
    std::lock_guard const lock(mutex_);
    landmark_ = std::move(landmark);
    for (auto const& [name, table] : tables_)
        table->changed.store(0, releasing);
    for (std::size_t slot = 0; slot < slot_count; ++slot)
        slots_[slot].store(0, releasing);
    floor_.store(floor, releasing);
    newest_.store(floor, releasing);
    all_.store(0, releasing);
    structure_.store(0, releasing);
    settled_.store(0, releasing);
    reached_.store(reached);
    epoch_.store(epoch, releasing);
}

bool LastChanges::end(std::uint64_t epoch) {
    std::lock_guard const lock(mutex_);
    return epoch_.compare_exchange_strong(epoch, 0);
}

void LastChanges::pass(Landmark landmark) {
    std::lock_guard const lock(mutex_);
    landmark_ = std::move(landmark);
}

std::optional<Landmark> LastChanges::landmark() {
    std::lock_guard const lock(mutex_);
    return landmark_;
}

// Numbers of MySQL may come out of order, and a slot may be raised by any thread.
void LastChanges::raise(std::atomic<std::uint64_t>& value, std::uint64_t at) {
    auto known = value.load(std::memory_order_relaxed);
    while (known < at &&
           !value.compare_exchange_weak(known, at, releasing, std::memory_order_relaxed)) {
    }
}

ChangeLog::Table const* LastChanges::change(std::string_view database, std::string_view name,
                                            std::uint64_t at) {
    std::lock_guard const lock(mutex_);
    raise(newest_, at); // for a table that is asked for later
    auto const found = tables_.find(key(database, name));
    if (found == tables_.end()) return nullptr;
    raise(found->second->changed, at);
    if (journal_) journal_->add(*found->second);
    return found->second.get();
}

void LastChanges::change(RowTag const& tag, std::uint64_t at) {
    raise(slots_[slot(tag)], at);
    if (journal_) journal_->add(tag);
}

LastChanges::Slot LastChanges::slot(RowTag const& tag) const {
    constexpr std::size_t head = sizeof tag.table + sizeof tag.aspect + sizeof tag.column;
    boost::static_string<head + TagValue::static_capacity> key;
    auto const append = [&](auto const& part) {
        key.append(reinterpret_cast<char const*>(&part), sizeof part);
    };
    append(tag.table);
    append(tag.aspect);
    append(tag.column);
    key.append(tag.value.data(), tag.value.size());
    return parser::ClientHash()({key.data(), key.size()}) % slot_count;
}

// What has been reported so far may have changed the rows that nobody told apart. Since a table map
// comes before the rows, and this is in one order with change(): either the stream sees the column
// when the rows come, or this sees that the table has changed.
bool LastChanges::tell_apart(Table const* table, std::size_t column, std::size_t columns) {
    if (column >= 64) return false;
    auto const bit = std::uint64_t{1} << column;
    if ((table->columns_told_apart.load(acquiring) & bit) != 0 &&
        table->columns.load(acquiring) == columns)
        return true;
    std::lock_guard const lock(mutex_);
    auto const at = newest();
    if (table->columns.exchange(columns) != columns)
        raise(slots_[slot({table, RowTag::Aspect::undecoded})], at);
    raise(slots_[slot({table, RowTag::Aspect::other_value, static_cast<std::uint16_t>(column)})],
          at);
    table->columns_told_apart.fetch_or(bit, releasing);
    return true;
}

void LastChanges::change_rows_of_all(std::uint64_t at) {
    std::lock_guard const lock(mutex_);
    raise(newest_, at);
    raise(all_, at);
    if (journal_) journal_->rows_of_all = true;
}

void LastChanges::change_all(std::uint64_t at) {
    std::lock_guard const lock(mutex_);
    raise(newest_, at);
    raise(all_, at);
    raise(structure_, at);
    if (journal_) journal_->rows_of_all = journal_->structure = true;
}

// This is in one order with await() and reached(): either this sees that somebody waits, or the
// waiting thread sees that the position is reached.
bool LastChanges::reach(Position position) {
    reached_.store(position);
    auto awaited = awaited_.load();
    if (awaited > position) return false;
    awaited_.compare_exchange_strong(awaited, nothing); // reported once
    return true;
}

ChangeLog::Table const* LastChanges::table(std::string_view database, std::string_view name) {
    std::lock_guard const lock(mutex_);
    auto& [key_of_table, table] = *tables_.try_emplace(key(database, name)).first;
    if (!table) {
        table = std::make_unique<Table>(key_of_table);
        table->changed.store(newest(), releasing);
    }
    return table.get();
}

// Some servers tell names apart by case, others do not: a change of one such name counts for all.
std::string const& LastChanges::key(std::string_view database, std::string_view name) {
    key_.assign(database).append(1, '\0').append(name);
    std::ranges::transform(key_, key_.begin(), boost::urls::grammar::to_lower);
    return key_;
}

std::uint64_t LastChanges::newest(std::span<Table const* const> tables) const {
    auto newest = std::max(floor_.load(acquiring), all_.load(acquiring));
    for (Table const* table : tables)
        newest = std::max(newest, table->changed.load(acquiring));
    return newest;
}

// The stream has noted all changes up to `reached`, which is loaded before them. What it notes
// beyond that was not acknowledged when a request asked for an end of the log that has come here.
bool LastChanges::holds(Tag const& tag, std::span<Table const* const> tables,
                        std::span<Slot const> slots, ChangeLog::Looked* looked) const {
    auto const reached = reached_.load(acquiring);
    bool const is_known = looked && looked->until_.load(acquiring) >= reached;
    if (tag.epoch == 0 || epoch() != tag.epoch) return false;
    if (is_known) return true;
    auto const is_older = [&](Slot slot) { return slots_[slot].load(acquiring) <= tag.at; };
    bool const held =
        tag.at >= newest(tables) && std::ranges::all_of(slots, is_older) && epoch() == tag.epoch;
    if (held && looked) looked->until_.store(reached, releasing);
    return held;
}

bool LastChanges::structure_holds(Tag const& tag) const {
    auto const newest = std::max(floor_.load(acquiring), structure_.load(acquiring));
    return tag.epoch != 0 && epoch() == tag.epoch && tag.at >= newest && epoch() == tag.epoch;
}

void LastChanges::settle(std::uint64_t epoch, std::uint64_t at) {
    std::lock_guard const lock(mutex_);
    if (epoch_.load(acquiring) == epoch) raise(settled_, at);
}

} // namespace db
