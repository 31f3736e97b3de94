#include "db/binlog/inquiry.hpp"

#include "db/binlog/change_log_state.hpp"
#include "db/binlog/protocol.hpp"

#include <deque>
#include <exception>
#include <system_error>
#include <utility>

#include <sys/epoll.h>
#include <unistd.h>

namespace db {

namespace {

// The most replies whose place in the binlog the stream has not reached. A stream that is further
// behind has no use for more of them.
constexpr std::size_t most_waiting = 8;

} // namespace

struct Inquiry::State {
    explicit State(ChangeLog::State& its_log);
    ~State();
    State(State const&) = delete;

    void ask();
    InquiryResult look();

    // Takes the connection of a new epoch. Returns false if there is no epoch to ask in.
    bool renew();
    void drop();
    void fail(std::string why);
    void handle(Wire::CallState progress);
    void receive(WireRows rows);
    void advance();
    void listen(int operation);

    // A reply that the stream has not reached yet.
    struct UnreachedEnd {
        std::uint64_t number;
        Position at;
    };

    ChangeLog::State& log;
    std::shared_ptr<Bell> const bell = std::make_shared<Bell>();
    int const descriptor;
    std::shared_ptr<Epoch const> epoch; // of the wire
    std::unique_ptr<Wire> wire;
    std::optional<EndStatement> statement;
    bool listens_for_writing = false;
    Position before = 0; // where the stream was when the last inquiry was sent
    std::uint64_t sent = 0;
    std::uint64_t confirmed = 0; // the last one whose reply the stream has reached
    std::deque<UnreachedEnd> waiting;
    bool has_lost = false; // there are inquiries whose replies will not come
};

Inquiry::State::State(ChangeLog::State& its_log)
    : log(its_log), descriptor(::epoll_create1(EPOLL_CLOEXEC)) {
    if (descriptor < 0) throw std::system_error(errno, std::generic_category(), "epoll_create1");
    epoll_event event{.events = EPOLLIN, .data = {}};
    ::epoll_ctl(descriptor, EPOLL_CTL_ADD, bell->descriptor(), &event);
    std::lock_guard const lock(log.mutex);
    log.bell = bell;
    bell->ring(); // an epoch may have begun before
}

Inquiry::State::~State() {
    drop();
    {
        std::lock_guard const lock(log.mutex);
        log.bell.reset();
    }
    ::close(descriptor);
}

void Inquiry::State::listen(int operation) {
    listens_for_writing = wire->waits_for_writing();
    epoll_event event{.events = EPOLLIN, .data = {}};
    if (listens_for_writing) event.events |= EPOLLOUT;
    ::epoll_ctl(descriptor, operation, wire->socket(), &event);
}

void Inquiry::State::drop() {
    has_lost = has_lost || !waiting.empty() || (wire && wire->is_busy());
    waiting.clear();
    log.changes.await(LastChanges::nothing);
    log.inquiry_since = 0;
    if (wire) listen(EPOLL_CTL_DEL);
    wire.reset();
    epoch.reset();
}

bool Inquiry::State::renew() {
    if (epoch && epoch->number == log.changes.epoch()) return true;
    drop();
    {
        std::lock_guard const lock(log.mutex);
        if (log.changes.epoch() == 0 || !log.inquiry_wire) return false;
        wire = std::move(log.inquiry_wire);
        epoch = log.epoch;
    }
    listen(EPOLL_CTL_ADD);
    return true;
}

void Inquiry::State::fail(std::string why) {
    if (epoch) log.end_epoch(epoch->number, std::move(why));
    drop();
}

void Inquiry::State::handle(Wire::CallState progress) {
    if (listens_for_writing != wire->waits_for_writing()) listen(EPOLL_CTL_MOD);
    switch (progress) {
    case Wire::CallState::waiting:
        break;
    case Wire::CallState::failed:
        fail("the query for the end of the binary log failed: " + wire->error());
        break;
    case Wire::CallState::done:
        receive(wire->take_rows());
        break;
    }
}

void Inquiry::State::receive(WireRows rows) {
    log.inquiry_since = 0;
    auto const at = rows.next() ? position_of(rows.text(0), rows.text(1)) : std::nullopt;
    if (!at) return fail("the server no longer reports where its binary log ends");
    // The binlog ends no earlier than where the stream was before.
    if (*at < before || !statement->is_of_same_log(*wire)) return fail("the binary log was reset");
    if (epoch->is_mysql())
        log.changes.settle(epoch->number, settled_number(rows.text(4), epoch->uuid));
    if (log.changes.reached() < *at) ++log.usage->waits;
    waiting.push_back({sent, *at});
}

// Counts what the stream has reached as answered, and has the stream ring when it reaches the next.
void Inquiry::State::advance() {
    while (!waiting.empty()) {
        log.changes.await(waiting.front().at);
        if (log.changes.reached() < waiting.front().at) return;
        confirmed = waiting.front().number;
        waiting.pop_front();
    }
    log.changes.await(LastChanges::nothing);
}

Inquiry::Inquiry(ChangeLog& log) : state_(std::make_unique<State>(*log.state_)) {
}
Inquiry::~Inquiry() = default;

int Inquiry::descriptor() const {
    return state_->descriptor;
}

std::uint64_t Inquiry::next() const {
    return state_->sent + 1;
}

void Inquiry::State::ask() {
    if (!renew() || wire->is_busy() || waiting.size() >= most_waiting) return;
    ++sent;
    if (!protocol().asks) {
        confirmed = sent;
        return bell->ring();
    }
    ++log.usage->inquiries;
    before = log.changes.reached();
    log.inquiry_since = Wire::Clock::now().time_since_epoch().count();
    statement.emplace(epoch->end_statement, log.changes.landmark());
    handle(wire->ask(statement->text()));
    if (!wire || !wire->is_busy()) bell->ring();
}

Inquiry::InquiryResult Inquiry::State::look() {
    bell->still();
    if (renew()) {
        if (wire->is_busy())
            handle(wire->go_on());
        else if (wire->was_ended())
            fail("the connection for the end of the binary log was closed");
    }
    advance();
    // What was reached belongs to this epoch only if that is still the same.
    bool const is_there = renew();
    if (std::exchange(has_lost, false) || !is_there) return {sent, 0};
    return {confirmed, epoch->number};
}

void Inquiry::ask() {
    try {
        state_->ask();
    } catch (std::exception const& exception) { // no memory
        state_->fail(exception.what());
    }
}

Inquiry::InquiryResult Inquiry::look() {
    try {
        return state_->look();
    } catch (std::exception const& exception) {
        state_->fail(exception.what());
        return {state_->sent, 0};
    }
}

} // namespace db
