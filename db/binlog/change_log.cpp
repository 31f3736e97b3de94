#include "db/binlog/change_log.hpp"

#include "db/binlog/change_log_state.hpp"
#include "db/binlog/protocol.hpp"
#include "db/mysql/sql_text.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <sys/eventfd.h>
#include <unistd.h>

namespace db {

Bell::Bell() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

Bell::~Bell() {
    ::close(descriptor_);
}

void Bell::ring() {
    ::eventfd_write(descriptor_, 1);
}

void Bell::still() {
    eventfd_t count = 0;
    ::eventfd_read(descriptor_, &count);
}

void ChangeLog::State::end_epoch(std::uint64_t number, Ending its_ending) {
    std::unique_ptr<Wire> unused; // closed without the lock
    {
        std::lock_guard const lock(mutex);
        if (!changes.end(number)) return;
        ending = std::move(its_ending);
        unused = std::move(inquiry_wire);
        interrupter.interrupt();
        if (bell) bell->ring();
    }
}

std::shared_ptr<Epoch const> ChangeLog::State::current_epoch() {
    std::lock_guard const lock(mutex);
    return changes.epoch() != 0 ? epoch : nullptr;
}

void ChangeLog::State::ring() {
    std::lock_guard const lock(mutex);
    if (bell) bell->ring();
}

ChangeLog::ChangeLog(Settings settings, Observe observe)
    : state_(std::make_unique<State>(std::move(settings), std::move(observe))) {
}

ChangeLog::~ChangeLog() {
    {
        std::lock_guard const lock(state_->mutex);
        state_->is_stopped = true;
        state_->interrupter.interrupt();
    }
    state_->woken.notify_one();
    if (state_->thread.joinable()) state_->thread.join();
}

void ChangeLog::start() {
    state_->thread = std::thread([state = state_.get()] { state->run_stream(); });
}

void ChangeLog::follow(std::optional<DatabaseUrl> url) {
    {
        std::lock_guard const lock(state_->mutex);
        if (state_->url == url) return;
        state_->url = std::move(url);
        state_->interrupter.interrupt(); // connections to the other server
    }
    state_->end_epoch(state_->changes.epoch(), "reads go to another database host from now on");
    state_->woken.notify_one();
}

void ChangeLog::report_to(ChangeLogUsage& usage) {
    state_->usage = &usage;
}

ChangeLog::Table const* ChangeLog::table(std::string_view name, std::string_view database) {
    return state_->changes.table(database.empty() ? state_->settings.url.name : database, name);
}

std::uint64_t ChangeLog::epoch() const {
    return state_->changes.epoch();
}

ChangeLog::Slot ChangeLog::slot(RowTag const& tag) const {
    return state_->changes.slot(tag);
}

bool ChangeLog::tell_apart(Table const* table, std::size_t column, std::size_t columns) {
    return state_->changes.tell_apart(table, column, columns);
}

bool ChangeLog::holds(Tag const& tag, std::span<Table const* const> tables,
                      std::span<Slot const> slots, Looked* looked) const {
    return state_->changes.holds(tag, tables, slots, looked);
}

std::optional<Position> ChangeLog::State::ask_end(Epoch const& its_epoch,
                                                  Wire::Clock::time_point by) {
    std::lock_guard const lock(end_mutex);
    if (!end || its_epoch.number != changes.epoch()) return std::nullopt;
    EndStatement const asked(its_epoch.end_statement, changes.landmark());
    auto rows = end->query(asked.text(), by);
    if (!rows || !asked.is_of_same_log(*end)) end.reset();
    return end && rows->next() ? position_of(rows->text(0), rows->text(1)) : std::nullopt;
}

bool ChangeLog::holds_until_now(Tag const& tag, std::span<Table const* const> tables,
                                std::span<Slot const> slots) {
    constexpr auto patience = std::chrono::milliseconds(50);
    constexpr auto pause = std::chrono::microseconds(100); // the stream is as late as a packet
    auto const epoch = state_->current_epoch();
    if (!epoch || epoch->number != tag.epoch || !holds(tag, tables, slots)) return false;
    auto const by = Wire::Clock::now() + patience;
    auto const end = state_->ask_end(*epoch, by);
    while (end && state_->changes.reached() < *end && Wire::Clock::now() < by)
        std::this_thread::sleep_for(pause);
    return end && state_->changes.reached() >= *end && holds(tag, tables, slots);
}

bool ChangeLog::structure_holds(Tag const& tag) const {
    return state_->changes.structure_holds(tag);
}

namespace {

// Asks MariaDB for its last commit that is visible. That belongs to this session in name only:
// since 10.11 at least, the server fills it in for all sessions in one place, where another session
// may replace it before it is sent, even between file and offset. The replacement is of a snapshot
// that began before ours, or of now; so this asks outside of any snapshot, and asks twice to find a
// torn pair. Settlement finds pairs that are torn in the server itself.
Position ask_mariadb(Connection& connection, Settlement const& settlement,
                     parser::Deadline const& deadline) {
    auto const beyond = settlement.true_beyond();
    if (!beyond) return 0;
    if (!connection.command(SqlPiece("COMMIT"), deadline.at)) return 0;
    Position lowest = LastChanges::nothing;
    for (int i = 0; i < 2; ++i) {
        auto rows = connection.query(SqlPiece("SHOW STATUS LIKE 'binlog_snapshot_%'"), deadline);
        if (!rows) return 0;
        std::string file;
        std::string offset;
        while (rows->next()) {
            bool const is_file = rows->text(0).ends_with("file");
            (is_file ? file : offset) = rows->text(1);
        }
        auto const position = position_of(file, offset);
        if (!position || !settlement.is_true(*position, beyond)) return 0;
        lowest = std::min(lowest, *position);
    }
    return lowest;
}

std::uint64_t ask_mysql(Connection& connection, std::string_view uuid,
                        parser::Deadline const& deadline) {
    auto rows = connection.query(SqlPiece("SELECT @@GLOBAL.gtid_executed"), deadline);
    return rows && rows->next() ? settled_number(rows->text(0), uuid) : 0;
}

} // namespace

Tag ChangeLog::tag_for(Connection& connection, std::span<Table const* const> tables,
                       parser::Deadline const& deadline) {
    auto& changes = state_->changes;
    auto const epoch = state_->current_epoch(); // before all else
    if (!epoch) return {};
    auto const server = connection.server(deadline);
    if (!server) return {};
    if (*server != epoch->server) {
        state_->is_elsewhere = true;
        return {};
    }
    auto const ask_wrongly = protocol().ask_wrongly;
    auto at = ask_wrongly ? std::uint64_t{0} : changes.settled();
    if (at == 0 || at < changes.newest(tables)) {
        ++state_->usage->tags_asked;
        if (ask_wrongly)
            at = ask_wrongly(connection, *epoch, changes);
        else if (epoch->is_mysql())
            at = ask_mysql(connection, epoch->uuid, deadline);
        else
            at = ask_mariadb(connection, changes.settlement(), deadline);
        if (at == 0) return {};
        changes.settle(epoch->number, at);
    }
    return {epoch->number, at};
}

} // namespace db
