#include "db/binlog/follower.hpp"

#include "db/binlog/row_changes.hpp"

#include <boost/algorithm/string/predicate.hpp>

#include <algorithm>
#include <utility>

namespace db {

namespace {

constexpr auto broken = "an event of the binary log cannot be read";

constexpr auto fix_of_gtids = "set gtid_mode = ON, and use no tags in gtid_next";
constexpr auto fix_of_servers = "follow the server that takes all writes";

std::string of_kind(LogEvent const& event) {
    return "event " + std::to_string(static_cast<unsigned>(event.kind));
}

// Returns whether the statement only frames a transaction, whose changes have events of their own.
bool changes_nothing(std::string_view sql) {
    constexpr std::string_view whole[] = {"BEGIN", "COMMIT", "ROLLBACK"};
    return std::ranges::count(whole, sql) > 0 || sql.starts_with("SAVEPOINT ") ||
           sql.starts_with("ROLLBACK TO ");
}

// Returns whether the statement changes rows and nothing else. One with a comment in front may be
// anything.
bool changes_rows(std::string_view sql) {
    constexpr std::string_view words[] = {"insert ", "update ", "delete ", "replace "};
    return std::ranges::any_of(words, [&](auto word) { return boost::istarts_with(sql, word); });
}

std::string first_word(std::string_view sql) {
    auto const is_letter = [](char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; };
    auto const begin = std::ranges::find_if(sql, is_letter);
    return {begin, std::find_if_not(begin, sql.end(), is_letter)};
}

} // namespace

Follower::Follower(LastChanges& changes, ChangeLogUsage& usage, Position position,
                   std::string_view own_uuid)
    : changes_(changes), usage_(usage), own_uuid_(own_uuid), position_(position) {
}

Follower::Trouble Follower::take(std::string_view packet) {
    ++usage_.events;
    auto const event = read_event(packet);
    if (!event) return broken;
    if (event->kind == EventKind::rotate) return rotate(*event);
    if (auto trouble = move_on(*event)) return trouble;
    if (auto trouble = understand(*event)) return trouble;
    note_group(*event);
    position_ = event_end_;
    return std::nullopt;
}

// MariaDB from 11.4 on writes no position into the events within a transaction, only into the first
// and the last. Any position between those two serves, since no tag is ever there.
Follower::Trouble Follower::move_on(LogEvent const& event) {
    event_end_ = position_;
    bool const is_in_log = !event.artificial && event.kind != EventKind::format_description;
    if (event.kind == EventKind::heartbeat || event.kind == EventKind::heartbeat_v2) {
        // Events that are not sent to replicas are behind this offset, too.
        event_end_ = std::max(position_, position_in(file_of(position_), event.end));
    } else if (is_in_log && event.end == 0) {
        event_end_ = position_ + event.length;
    } else if (is_in_log) {
        event_end_ = position_in(file_of(position_), event.end);
        if (event_end_ < position_) return "the offsets of the binary log went back";
    }
    return std::nullopt;
}

// MySQL begins a transaction of several events with BEGIN, and leaves that out before a statement
// that stands alone. What is not recognised as an end is over at the next event that is in no
// transaction: the server sends heartbeats at the end of its log alone.
void Follower::note_group(LogEvent const& event) {
    switch (event.kind) {
    case EventKind::gtid:
        group_ = is_one_statement(event) ? EventGroup::statement : EventGroup::transaction;
        break;
    case EventKind::gtid_log:
        group_ = EventGroup::statement;
        break;
    case EventKind::query:
        note_group(statement(event).value_or(std::string_view()));
        break;
    case EventKind::xid:
    case EventKind::xa_prepare:
    case EventKind::transaction_payload:
    case EventKind::heartbeat:
    case EventKind::heartbeat_v2:
    case EventKind::stop:
        group_ = EventGroup::none;
        break;
    default:
        break;
    }
}

void Follower::note_group(std::string_view sql) {
    if (sql == "BEGIN" || sql.starts_with("XA START "))
        group_ = EventGroup::transaction;
    else if (group_ == EventGroup::statement || sql == "COMMIT" || sql == "ROLLBACK")
        group_ = EventGroup::none;
}

Follower::Trouble Follower::understand(LogEvent const& event) {
    switch (event.kind) {
    case EventKind::table_map:
        return change_table(event);
    case EventKind::query:
        return run_statement(event);
    case EventKind::gtid:
        changes_.settlement().begin_transaction();
        return begin_mariadb(event);
    case EventKind::binlog_checkpoint:
        return note_checkpoint(event);
    case EventKind::xid:
        return end_transaction(event);
    case EventKind::gtid_log:
        return begin_mysql(event);
    case EventKind::anonymous_gtid_log:
        return Ending("a transaction has no GTID", fix_of_gtids);
    case EventKind::gtid_tagged_log:
        return Ending("a transaction has a tagged GTID", fix_of_gtids);
    case EventKind::xa_prepare:
        changes_.settlement().end_transaction(event_end_);
        return change_all();
    case EventKind::transaction_payload:
    case EventKind::begin_load_query:
    case EventKind::append_block:
    case EventKind::delete_file:
    case EventKind::execute_load_query:
        return change_all();
    case EventKind::write_rows_v1:
    case EventKind::update_rows_v1:
    case EventKind::delete_rows_v1:
    case EventKind::write_rows:
    case EventKind::update_rows:
    case EventKind::delete_rows:
        return change_rows(event, true);
    case EventKind::partial_update_rows:
    case EventKind::write_rows_compressed_v1:
    case EventKind::update_rows_compressed_v1:
    case EventKind::delete_rows_compressed_v1:
    case EventKind::write_rows_compressed:
    case EventKind::update_rows_compressed:
    case EventKind::delete_rows_compressed:
        return change_rows(event, false);
    // With these nothing changed.
    case EventKind::rotate:
    case EventKind::stop:
    case EventKind::intvar:
    case EventKind::rand:
    case EventKind::user_var:
    case EventKind::format_description:
    case EventKind::heartbeat:
    case EventKind::heartbeat_v2:
    case EventKind::rows_query:
    case EventKind::previous_gtids:
    case EventKind::annotate_rows:
    case EventKind::gtid_list:
        return std::nullopt;
    }
    ++usage_.unknown_events;
    // On MySQL it has no number that would say which tags it invalidates.
    if (is_mysql()) return of_kind(event) + " of the binary log has an unknown meaning";
    return change_all();
}

Follower::Trouble Follower::rotate(LogEvent const& event) {
    auto const next = rotation(event);
    auto const file = next ? file_number(next->file) : std::nullopt;
    if (!file || next->offset >> offset_bits != 0) return broken;
    auto const position = position_in(*file, next->offset);
    if (position < position_) return "the binary log was reset";
    if (*file != file_of(position_)) changes_.settlement().enter_file();
    position_ = position;
    file_ = next->file;
    group_ = EventGroup::none;
    return std::nullopt;
}

Follower::Trouble Follower::end_transaction(LogEvent const& event) {
    auto const number = xid_number(event);
    if (!number) return broken;
    changes_.settlement().end_transaction(event_end_);
    auto const offset = event_end_ - position_in(file_of(event_end_), 0);
    if (is_landmark_file(file_))
        changes_.pass({.file = file_,
                       .offset = offset - event.length,
                       .text = "COMMIT /* xid=" + std::to_string(*number) + " */"});
    return std::nullopt;
}

Follower::Trouble Follower::begin_mysql(LogEvent const& event) {
    mapped_.clear();
    auto const transaction = transaction_number(event);
    if (!transaction) return broken;
    if (auto const uuid = uuid_text(transaction->uuid); uuid != own_uuid_)
        return Ending("a transaction is of another server, " + uuid, fix_of_servers);
    transaction_ = transaction->number;
    return std::nullopt;
}

// A checkpoint that names its own file means that all of the files before is visible. It comes
// about a second after the file began, when InnoDB next writes to the disk what it has committed.
Follower::Trouble Follower::note_checkpoint(LogEvent const& event) {
    auto const name = checkpoint_file(event);
    auto const file = name ? file_number(*name) : std::nullopt;
    if (!file) return broken;
    if (*file != file_of(event_end_)) return std::nullopt;
    changes_.settlement().checkpoint(event_end_);
    changes_.settle(changes_.epoch(), position_in(*file, 0));
    return std::nullopt;
}

// With XA, the rows are logged when they are prepared, and visible when it is over.
Follower::Trouble Follower::begin_mariadb(LogEvent const& event) {
    mapped_.clear();
    auto const xa = is_xa(event);
    if (!xa) return broken;
    return *xa ? change_all() : std::nullopt;
}

// Returns the number as which a change is compared with tags now; none if its transaction has no
// number.
std::optional<std::uint64_t> Follower::moment() const {
    if (!is_mysql()) return event_end_;
    return transaction_ > 0 ? std::optional(transaction_) : std::nullopt;
}

Follower::Trouble Follower::change_table(LogEvent const& event) {
    auto const table = changed_table(event);
    if (!table) return broken;
    auto const at = moment();
    if (!at) return Ending("a change has no GTID", fix_of_gtids);
    mapped_.erase(table->number);
    if (auto const* known = changes_.change(table->database, table->name, *at))
        mapped_.emplace(table->number, std::pair(known, RowFormat::read(table->columns)));
    return std::nullopt;
}

// A table without a number here is one that nobody asks for, as the one of MySQL's empty last event
// of a statement.
Follower::Trouble Follower::change_rows(LogEvent const& event, bool is_readable) {
    auto const number = table_number(event);
    if (!number) return broken;
    auto const mapped = mapped_.find(*number);
    if (mapped == mapped_.end()) return std::nullopt;
    auto const at = moment();
    if (!at) return Ending("a change has no GTID", fix_of_gtids);
    auto const& [table, format] = mapped->second;
    if (!is_readable || !format || !raise_tags_of_rows(event, *format, *table, changes_, *at))
        changes_.change(RowTag{table, RowTag::Aspect::undecoded}, *at);
    return std::nullopt;
}

// Handles DDL, or a statement that is logged in place of its rows, which names neither the tables
// of triggers nor those of views.
Follower::Trouble Follower::run_statement(LogEvent const& event) {
    auto const sql = statement(event);
    if (!sql) return broken;
    changes_.settlement().end_transaction(event_end_); // as COMMIT and DDL do
    if (changes_nothing(*sql)) return std::nullopt;
    ++usage_.statements;
    ++statements_;
    last_statement_ = first_word(*sql);
    return changes_rows(*sql) ? change_all(&LastChanges::change_rows_of_all) : change_all();
}

Follower::Trouble Follower::change_all(void (LastChanges::*change)(std::uint64_t)) {
    auto const at = moment();
    if (!at) return Ending("a change has no GTID", fix_of_gtids);
    (changes_.*change)(*at);
    return std::nullopt;
}

} // namespace db
