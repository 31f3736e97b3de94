#include "db/binlog/transactions.hpp"

#include "db/binlog/follower.hpp"

#include <utility>

namespace db {

namespace {

// The server says that it cannot read on: ER_MASTER_FATAL_ERROR_READING_BINLOG.
constexpr unsigned log_is_unreadable = 1236;

std::string with_fix(std::string text, std::string_view fix) {
    return fix.empty() ? text : text.append("; ").append(fix);
}

parser::Error error_of(Opening const& opening) {
    if (opening.obstacles.empty()) return parser::unreachable(opening.trouble);
    auto const& first = opening.obstacles.front();
    return {parser::ErrorKind::configuration, with_fix(first.text(), first.fix)};
}

// When the file began, if the packet says so.
std::optional<std::uint32_t> file_begun(std::string_view packet) {
    auto const event = read_event(packet);
    if (!event || event->kind != EventKind::format_description) return std::nullopt;
    return event->when;
}

} // namespace

struct TransactionReader::Stream {
    Stream(Interrupter& interrupter, LastChanges& its_changes)
        : changes(its_changes), opening(interrupter), end_wire(interrupter) {}

    bool stands_still();
    bool stands_still_at(Position end_now);

    LastChanges& changes;
    Opening opening;
    std::optional<Follower> follower;
    Wire end_wire; // where the log ends
    std::optional<EndStatement> statement;
    bool is_other_log = false;              // than the one that is read
    Clock::time_point since = Clock::now(); // of the inquiry, or of its last reply
    Position asked_at = 0;                  // what had been reached when it was asked
    Position reached = 0;                   // when it was answered last
    Position end = 0;                       // what that reply was
    int times_behind = 0;                   // so often in a row the end was before `asked_at`
};

TransactionReader::TransactionReader(ChangeLog::Settings settings)
    : settings_(std::move(settings)), changes_(std::make_unique<LastChanges>()) {
    changes_->write_to(&journal_);
}

TransactionReader::~TransactionReader() = default;

ChangeLog::Table const* TransactionReader::table(std::string_view name, std::string_view database) {
    return changes_->table(database.empty() ? settings_.url.name : database, name);
}

bool TransactionReader::tell_apart(ChangeLog::Table const* table, std::size_t column,
                                   std::size_t columns) {
    return changes_->tell_apart(table, column, columns);
}

void TransactionReader::list_none() {
    journal_.list_none();
}

void TransactionReader::list(ChangeLog::Table const* table, ListedColumns columns) {
    journal_.list(*table, columns);
}

// Opens the log, and reads until it is known when its file began.
bool TransactionReader::open(Stream& stream, DatabaseUrl const& url,
                             std::optional<LogPlace> const& from) {
    Opening& opening = stream.opening;
    if (!open_log(opening, url, settings_, from)) return false;
    constexpr auto patience = std::chrono::seconds(2);
    if (!stream.end_wire.open(url, Clock::now() + patience, patience)) {
        opening.trouble = "another connection failed: " + stream.end_wire.error();
        return false;
    }
    changes_->end(changes_->epoch());
    changes_->settlement().begin(opening.position, opening.checkpoint);
    changes_->begin(1, opening.floor, opening.position, opening.landmark);
    stream.follower.emplace(*changes_, usage_, opening.position, opening.facts.uuid());
    LogPlace place{opening.server, 0, opening.position};
    constexpr int head = 4; // packets: where it begins, what the file is like
    auto packet = opening.packet;
    for (int i = 0; packet && place.file_begun == 0 && i < head; ++i) {
        if (auto const trouble = stream.follower->take(*packet)) {
            opening.trouble = trouble->why;
            return false;
        }
        place.file_begun = file_begun(*packet).value_or(0);
        if (place.file_begun == 0) packet = opening.wire.next_event();
    }
    if (place.file_begun == 0) {
        opening.trouble = "the binary log does not begin as it should: " + opening.wire.error();
        return false;
    }
    opening.is_gone = from && from->file_begun != place.file_begun;
    opening.trouble = opening.is_gone ? "the binary log was reset" : "";
    place_ = place;
    return !opening.is_gone;
}

parser::Result<TransactionReader::Begun> TransactionReader::begin(DatabaseUrl const& url,
                                                                  std::optional<LogPlace> from) {
    stream_.reset();
    place_ = from;
    auto stream = std::make_unique<Stream>(interrupter_, *changes_);
    bool const opened = open(*stream, url, from);
    std::string gap;
    if (!opened) {
        if (!stream->opening.is_gone) return error_of(stream->opening);
        gap = stream->opening.trouble;
        place_.reset();
        stream = std::make_unique<Stream>(interrupter_, *changes_);
        if (!open(*stream, url, std::nullopt)) return error_of(stream->opening);
    }
    journal_.clear();
    stream_ = std::move(stream);
    return Begun{stream_->opening.facts.name(), std::move(gap)};
}

parser::Result<std::optional<Transaction>> TransactionReader::next(Clock::time_point by) {
    if (!stream_) return lost();
    do {
        auto const packet = stream_->opening.wire.next_event();
        if (!packet) return lost();
        if (auto error = take(*packet)) return *std::move(error);
        if (stream_->follower->is_between() && !journal_.is_empty()) return taken();
        if (stream_->stands_still()) {
            if (stream_->is_other_log) place_.reset();
            stream_.reset();
            return parser::connection_lost("the server sends no more of its binary log");
        }
    } while (Clock::now() < by);
    return std::nullopt;
}

// When the log is reset, MariaDB leaves the stream open, at a place that the new log has not, and
// sends heartbeats alone. So the server is asked where its log ends, and the stream is read on
// until it answers: one that had too much to do took two seconds for that, and sent what had
// changed.
bool TransactionReader::Stream::stands_still() {
    constexpr auto interval = std::chrono::seconds(1);
    constexpr auto patience = std::chrono::seconds(10);
    auto const now = Clock::now();
    auto progress = Wire::CallState::waiting;
    if (end_wire.is_busy()) {
        progress = end_wire.go_on_within(std::chrono::milliseconds(0));
    } else {
        if (now - since < interval) return false;
        since = now;
        asked_at = follower->position();
        statement.emplace(end_statement(opening.facts), changes.landmark());
        progress = end_wire.ask(statement->text());
    }
    if (progress == Wire::CallState::waiting) return now - since > patience;
    is_other_log = !statement->is_of_same_log(end_wire);
    if (progress == Wire::CallState::failed || is_other_log) return true;
    since = now;
    auto rows = end_wire.take_rows();
    auto const end_now = rows.next() ? position_of(rows.text(0), rows.text(1)) : std::nullopt;
    return !end_now || stands_still_at(*end_now);
}

// For a moment after a file has ended, the server still names that one.
bool TransactionReader::Stream::stands_still_at(Position end_now) {
    auto const position = follower->position();
    bool const nothing_came = position == reached && position < end;
    times_behind = end_now < asked_at ? times_behind + 1 : 0;
    reached = position;
    end = end_now;
    return nothing_came || times_behind > 1;
}

std::optional<parser::Error> TransactionReader::take(std::string_view packet) {
    auto& follower = *stream_->follower;
    if (auto const trouble = follower.take(packet)) {
        stream_.reset();
        place_.reset();
        return parser::Error{parser::ErrorKind::internal, with_fix(trouble->why, trouble->fix)};
    }
    auto const begun = file_begun(packet);
    if (begun) place_->file_begun = *begun;
    // A new file is known by its beginning, which comes after its name.
    bool const is_known = begun || file_of(follower.position()) == file_of(place_->position);
    if (is_known && follower.is_between()) place_->position = follower.position();
    return std::nullopt;
}

Transaction TransactionReader::taken() {
    Transaction transaction{.tables = {journal_.tables.begin(), journal_.tables.end()},
                            .tags = {journal_.tags.begin(), journal_.tags.end()},
                            .rows = std::move(journal_.rows),
                            .rows_of_all = journal_.rows_of_all,
                            .structure = journal_.structure,
                            .end = place_->position};
    journal_.clear();
    return transaction;
}

parser::Error TransactionReader::lost() {
    std::string why = "it is not open";
    if (stream_) {
        why = stream_->opening.wire.error();
        if (stream_->opening.wire.error_code() == log_is_unreadable) place_.reset();
    }
    stream_.reset();
    return parser::connection_lost("the stream of the binary log ended: " + why);
}

} // namespace db
