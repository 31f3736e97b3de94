#include "fcgi/notify/outboxes.hpp"

#include "parser/base/signals.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <iterator>
#include <new>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace fcgi::notify {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_positions = 10'000;

void unite(auto& into, auto const& other) {
    auto const middle = static_cast<std::ptrdiff_t>(into.size());
    into.insert(into.end(), other.begin(), other.end());
    std::inplace_merge(into.begin(), into.begin() + middle, into.end());
    into.erase(std::unique(into.begin(), into.end()), into.end());
}

void become_site(ChangeBatch& batch) {
    batch.site = true;
    batch.names = {};
}

void unite(ChangeBatch& into, ChangeBatch const& other, std::size_t most) {
    if (into.site || other.site)
        become_site(into);
    else
        unite(into.names, other.names);
    auto documents = other.documents;
    std::ranges::sort(documents);
    unite(into.documents, documents);
    bool const is_large = into.documents.size() > most;
    if (is_large) into.documents = {};
    if (is_large || into.names.size() > most) become_site(into);
}

bool is_empty(ChangeBatch const& batch) {
    return !batch.site && batch.names.empty() && batch.documents.empty();
}

// What a reply means: why it is a failure; empty: it is none.
std::string why_failed(HttpUrl const& url, parser::Result<HttpClient::Reply> const& reply) {
    if (!reply) return reply.error().message;
    if (reply->status >= 200 && reply->status < 300) return {};
    auto const status = url.address() + " responds with status " + std::to_string(reply->status);
    return reply->status >= 300 && reply->status < 400
               ? status + ", and redirects are not followed: set the URL that it redirects to"
               : status;
}

} // namespace

// Everything for one target.
class Outboxes::Outbox {
  public:
    Outbox(Target target, Report const& report, OutboxSettings const& settings)
        : target_(std::move(target)),
          report_(report),
          settings_(settings),
          thread_([this](std::stop_token const& stop) { run(stop); }) {}

    void add(ChangeBatch const& batch, std::uint64_t number);
    void request_stop() { thread_.request_stop(); }
    // The number of the last batch that was acknowledged twice.
    std::uint64_t delivered() const;
    Counts counts() const;

  private:
    // Batches, united, up to the one with this number.
    struct Pending {
        ChangeBatch batch;
        std::uint64_t number = 0;
        Clock::time_point since; // of the first
        std::chrono::system_clock::time_point time;
    };
    struct Again {
        ChangeBatch batch;
        std::uint64_t number;
        Clock::time_point due;
    };
    // What is sent next: what is new, and what is sent for the second time.
    struct Round {
        std::optional<Pending> fresh;
        std::optional<std::uint64_t> second; // up to this number
        ChangeBatch all;
        std::chrono::system_clock::time_point time;
    };

    void run(std::stop_token const& stop);
    std::optional<Round> next(std::stop_token const& stop);
    Round take(Clock::time_point now);
    bool send(Round const& round, std::stop_token const& stop);
    std::string attempt(Target::Message const& message, std::stop_token const& stop);
    void note(std::string const& why);
    bool pause(std::chrono::milliseconds time, std::stop_token const& stop);
    void finish(Round round);
    void begin_again();

    Target const target_;
    Report const& report_;
    OutboxSettings const& settings_;
    std::optional<HttpClient> client_; // absent: none is connected

    mutable std::mutex mutex_;
    std::condition_variable_any woken_;
    std::optional<Pending> waiting_;
    std::deque<Again> again_;
    std::uint64_t last_ = 0; // the number of the last batch that was added
    std::uint64_t delivered_ = 0;
    // Of the round in flight.
    std::size_t in_flight_ = 0;
    std::optional<Clock::time_point> in_flight_since_;
    std::uint64_t sent_ = 0;
    std::uint64_t failed_ = 0;
    bool fails_ = false;

    std::jthread thread_; // the last member: it uses the others
};

void Outboxes::Outbox::add(ChangeBatch const& batch, std::uint64_t number) {
    {
        std::lock_guard const lock(mutex_);
        last_ = number;
        if (!waiting_)
            waiting_ = Pending{{}, number, Clock::now(), std::chrono::system_clock::now()};
        waiting_->number = number;
        try {
            unite(waiting_->batch, batch, settings_.most_names);
        } catch (std::bad_alloc const&) {
            become_site(waiting_->batch);
            waiting_->batch.documents = {};
        }
    }
    woken_.notify_one();
}

std::uint64_t Outboxes::Outbox::delivered() const {
    std::lock_guard const lock(mutex_);
    return delivered_;
}

Outboxes::Counts Outboxes::Outbox::counts() const {
    std::lock_guard const lock(mutex_);
    Counts counts{target_.name(), sent_, failed_, in_flight_};
    if (waiting_) counts.queued += waiting_->batch.site ? 1 : waiting_->batch.names.size();
    auto oldest = in_flight_since_;
    if (!oldest && waiting_) oldest = waiting_->since;
    if (oldest)
        counts.lag = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - *oldest);
    return counts;
}

// An exception, most likely of memory, costs no change: everything is sent anew.
void Outboxes::Outbox::run(std::stop_token const& stop) {
    parser::block_all_signals();
    while (!stop.stop_requested()) {
        try {
            auto round = next(stop);
            if (!round || !send(*round, stop)) return;
            finish(*std::move(round));
        } catch (std::exception const&) {
            begin_again();
            pause(settings_.first_pause, stop);
        }
    }
}

std::optional<Outboxes::Outbox::Round> Outboxes::Outbox::next(std::stop_token const& stop) {
    std::unique_lock lock(mutex_);
    auto const has_more = [this] { return waiting_.has_value(); };
    while (!stop.stop_requested()) {
        auto const now = Clock::now();
        if (waiting_ || (!again_.empty() && again_.front().due <= now)) return take(now);
        if (again_.empty())
            woken_.wait(lock, stop, has_more);
        else
            woken_.wait_until(lock, stop, again_.front().due, has_more);
    }
    return std::nullopt;
}

Outboxes::Outbox::Round Outboxes::Outbox::take(Clock::time_point now) {
    Round round;
    if (waiting_) round.all = waiting_->batch;
    round.time = waiting_ ? waiting_->time : std::chrono::system_clock::now();
    in_flight_since_ = waiting_ ? std::optional(waiting_->since) : std::nullopt;
    round.fresh = std::exchange(waiting_, std::nullopt);
    while (!again_.empty() && again_.front().due <= now) {
        unite(round.all, again_.front().batch, settings_.most_names);
        round.second = again_.front().number;
        again_.pop_front();
    }
    in_flight_ = round.all.site ? 1 : round.all.names.size();
    return round;
}

// Returns false if it is to stop.
bool Outboxes::Outbox::send(Round const& round, std::stop_token const& stop) {
    for (auto const& message : target_.messages(round.all, round.time)) {
        auto rest = settings_.first_pause;
        for (;;) {
            auto const why = attempt(message, stop);
            if (stop.stop_requested()) return false;
            note(why);
            if (why.empty()) break;
            if (!pause(rest, stop)) return false;
            rest = std::min({2 * rest, settings_.longest_pause, target_.longest_pause()});
        }
    }
    return true;
}

std::string Outboxes::Outbox::attempt(Target::Message const& message, std::stop_token const& stop) {
    if (!client_) {
        auto limits = settings_.limits;
        limits.exchange = std::min(limits.exchange, target_.longest_attempt());
        client_.emplace(target_.url(), limits);
    }
    auto const request = target_.request(message, std::chrono::system_clock::now());
    return why_failed(target_.url(), client_->send(request, stop));
}

void Outboxes::Outbox::note(std::string const& why) {
    bool is_news = false;
    {
        std::lock_guard const lock(mutex_);
        ++(why.empty() ? sent_ : failed_);
        is_news = fails_ == why.empty();
        fails_ = !why.empty();
    }
    if (is_news) report_(target_.name(), why);
}

// Returns false if it is to stop.
bool Outboxes::Outbox::pause(std::chrono::milliseconds time, std::stop_token const& stop) {
    std::unique_lock lock(mutex_);
    woken_.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

void Outboxes::Outbox::finish(Round round) {
    std::lock_guard const lock(mutex_);
    in_flight_ = 0;
    in_flight_since_.reset();
    if (round.second) delivered_ = *round.second;
    if (!round.fresh) return;
    auto& [batch, number, since, time] = *round.fresh;
    if (!is_empty(batch))
        again_.push_back({std::move(batch), number, Clock::now() + settings_.second_time});
    else if (again_.empty())
        delivered_ = number;
    else
        again_.back().number = number;
}

void Outboxes::Outbox::begin_again() {
    client_.reset(); // what was in flight is lost with its connection
    std::lock_guard const lock(mutex_);
    in_flight_ = 0;
    in_flight_since_.reset();
    again_.clear();
    waiting_ = Pending{{}, last_, Clock::now(), std::chrono::system_clock::now()};
    become_site(waiting_->batch);
}

Outboxes::Outboxes(std::vector<Target> targets, Report report, OutboxSettings const& settings)
    : report_(std::move(report)), settings_(settings) {
    for (auto& target : targets)
        outboxes_.push_back(std::make_unique<Outbox>(std::move(target), report_, settings_));
}

Outboxes::~Outboxes() {
    for (auto const& outbox : outboxes_)
        outbox->request_stop();
}

void Outboxes::add(ChangeBatch const& batch) {
    std::uint64_t number = 0;
    {
        std::lock_guard const lock(mutex_);
        number = ++added_;
        positions_[number] = batch.position;
        if (positions_.size() > most_positions) thin_positions();
    }
    for (auto const& outbox : outboxes_)
        outbox->add(batch, number);
}

// Keeps the first, every other one, and the last: a position further back serves, too.
void Outboxes::thin_positions() {
    for (auto at = std::next(positions_.begin());
         at != positions_.end() && std::next(at) != positions_.end();)
        at = std::next(positions_.erase(at));
}

std::uint64_t Outboxes::delivered() const {
    std::lock_guard const lock(mutex_);
    auto number = added_;
    for (auto const& outbox : outboxes_)
        number = std::min(number, outbox->delivered());
    auto const after = positions_.upper_bound(number);
    if (after == positions_.begin()) return 0;
    positions_.erase(positions_.begin(), std::prev(after));
    return positions_.begin()->second;
}

std::vector<Outboxes::Counts> Outboxes::counts() const {
    std::vector<Counts> counts;
    for (auto const& outbox : outboxes_)
        counts.push_back(outbox->counts());
    return counts;
}

} // namespace fcgi::notify
