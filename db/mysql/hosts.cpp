#include "db/mysql/hosts.hpp"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <boost/icl/interval_set.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <random>
#include <utility>

namespace db {

namespace {

using namespace std::chrono_literals;

std::optional<std::uint64_t> number_in(std::string_view text) {
    std::uint64_t number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    boost::split(parts, text, [separator](char c) { return c == separator; });
    for (auto& part : parts)
        boost::trim(part); // MySQL breaks its lines
    return parts;
}

} // namespace

// By source of transactions.
struct TransactionSet::Numbers
    : std::map<std::string, boost::icl::interval_set<std::uint64_t>, std::less<>> {
    void add(std::string const& source, std::uint64_t first, std::uint64_t last) {
        (*this)[source] += boost::icl::interval<std::uint64_t>::closed(first, last);
    }
};

TransactionSet::TransactionSet() : TransactionSet(Numbers()) {
}

TransactionSet::TransactionSet(Numbers numbers)
    : numbers_(std::make_shared<Numbers const>(std::move(numbers))) {
}

std::optional<TransactionSet> TransactionSet::of_mariadb(std::string_view positions) {
    Numbers numbers;
    for (auto const& position : split(positions, ',')) {
        if (position.empty()) continue;
        auto const parts = split(position, '-'); // domain, server, number
        auto const last = parts.size() == 3 ? number_in(parts[2]) : std::nullopt;
        if (!last) return std::nullopt;
        numbers.add(parts[0], 0, *last);
    }
    return TransactionSet(std::move(numbers));
}

std::optional<TransactionSet> TransactionSet::of_mysql(std::string_view executed) {
    Numbers numbers;
    for (auto const& of_server : split(executed, ',')) {
        if (of_server.empty()) continue;
        auto const parts = split(of_server, ':');
        std::string source = parts[0];
        for (std::size_t i = 1; i < parts.size(); ++i) {
            if (parts[i].empty()) return std::nullopt;
            if (!std::isdigit(static_cast<unsigned char>(parts[i][0]))) {
                source = parts[0] + ':' + parts[i];
                continue;
            }
            auto const range = split(parts[i], '-');
            auto const first = number_in(range.front());
            auto const last = number_in(range.back());
            if (range.size() > 2 || !first || !last || *last < *first) return std::nullopt;
            numbers.add(source, *first, *last);
        }
    }
    return TransactionSet(std::move(numbers));
}

TransactionSet TransactionSet::of_galera(std::string_view cluster, std::uint64_t last_committed) {
    Numbers numbers;
    numbers.add(std::string(cluster), 0, last_committed);
    return TransactionSet(std::move(numbers));
}

bool TransactionSet::includes(TransactionSet const& other) const {
    return std::ranges::all_of(*other.numbers_, [this](auto const& of_source) {
        auto const own = numbers_->find(of_source.first);
        return own != numbers_->end() && boost::icl::contains(own->second, of_source.second);
    });
}

void TransactionSet::add(TransactionSet const& other) {
    Numbers sum = *numbers_;
    for (auto const& [source, numbers] : *other.numbers_)
        sum[source] += numbers;
    *this = TransactionSet(std::move(sum));
}

bool TransactionSet::operator==(TransactionSet const& other) const {
    return *numbers_ == *other.numbers_;
}

namespace {

// After this many reports are missing, what is known of a host is of no use: it is about to be
// found silent, or nobody had the time to ask it.
constexpr int missed_reports = 3;

// If no host may be asked, one may come back within moments. With a longer wait all requests would
// wait in vain.
constexpr auto patience = 2s;

std::chrono::milliseconds interval_of(HostRules const& rules) {
    return std::clamp(rules.max_lag / 4, 50ms, 250ms);
}

} // namespace

Hosts::Hosts(DatabaseHosts const& database) : turn_(std::random_device()()) {
    replace(database);
}

void Hosts::replace(DatabaseHosts const& database) {
    std::lock_guard const lock(mutex_);
    auto const before = std::exchange(hosts_, {});
    for (auto const& url : database.urls) {
        auto const same = std::ranges::find(before, url, [](auto& host) { return host->url(); });
        hosts_.push_back(same == before.end() ? std::make_shared<Host>(url) : *same);
        if (are_reported_ && same == before.end())
            hosts_.back()->trouble_ = hosts_.back()->reported_ = "has not been queried yet";
    }
    for (auto const& host : before)
        host->is_gone_ = std::ranges::count(hosts_, host) == 0;
    rules_ = database.rules;
    settle(Clock::now());
    changed_.notify_all();
}

bool Hosts::is_alone() const {
    std::lock_guard const lock(mutex_);
    return hosts_.size() == 1;
}

std::vector<HostPointer> Hosts::all() const {
    std::lock_guard const lock(mutex_);
    return hosts_;
}

HostRules Hosts::rules() const {
    std::lock_guard const lock(mutex_);
    return rules_;
}

bool Hosts::is_gone(Host const& host) const {
    std::lock_guard const lock(mutex_);
    return host.is_gone_;
}

std::chrono::milliseconds Hosts::interval() const {
    std::lock_guard const lock(mutex_);
    return interval_of(rules_);
}

void Hosts::begin_reports() {
    std::lock_guard const lock(mutex_);
    are_reported_ = true;
    settle(Clock::now());
}

void Hosts::end_reports() {
    std::lock_guard const lock(mutex_);
    are_reported_ = false;
    changed_.notify_all();
}

bool Hosts::may_be_asked(Host const& host, Time now) const {
    if (!are_reported_) return host.suspected_ == Time();
    auto const longest = missed_reports * interval_of(rules_);
    return host.asked_ && host.trouble_.empty() && *host.asked_ > host.suspected_ &&
           *host.asked_ + longest + rules_.connect_timeout >= now;
}

bool Hosts::is_confirmed(Host const& host, Time now) const {
    return !are_reported_ || host.confirmed_ + rules_.max_lag >= now;
}

HostPointer Hosts::pick(Time now) {
    if (hosts_.size() == 1) return hosts_.front();
    std::vector<HostPointer> candidates;
    std::ranges::copy_if(hosts_, std::back_inserter(candidates),
                         [&](auto& host) { return may_be_asked(*host, now); });
    std::vector<HostPointer> confirmed;
    std::ranges::copy_if(candidates, std::back_inserter(confirmed),
                         [&](auto& host) { return is_confirmed(*host, now); });
    if (!confirmed.empty() || !rules_.serves_unconfirmed) candidates = std::move(confirmed);
    if (candidates.empty()) return nullptr;
    if (rules_.balance == HostRules::Balance::ordered) return candidates.front();
    if (rules_.stays && std::ranges::count(candidates, current_) > 0) return current_;
    return candidates[++turn_ % candidates.size()];
}

parser::Result<HostPointer> Hosts::choose(Time by) {
    std::unique_lock lock(mutex_);
    for (;;) {
        auto const now = Clock::now();
        settle(now);
        auto host = rules_.stays ? current_ : pick(now);
        if (host) {
            none_since_.reset();
            return host;
        }
        if (!none_since_) none_since_ = now;
        auto const until = std::min(by, *none_since_ + patience);
        if (now >= until) break;
        changed_.wait_until(lock, until);
    }
    std::string cause = "no database host may be used";
    char const* separator = ": ";
    for (auto const& host : hosts_) {
        cause.append(std::exchange(separator, "; ")).append(host->url().address()).append(" ");
        cause += state_of(*host, Clock::now());
    }
    return parser::unreachable(std::move(cause));
}

bool Hosts::is_well(Host const& host) const {
    std::lock_guard const lock(mutex_);
    return hosts_.size() == 1 || may_be_asked(host, Clock::now());
}

bool Hosts::suspect(Host& host) {
    std::lock_guard const lock(mutex_);
    if (hosts_.size() == 1) return false;
    host.suspected_ = Clock::now();
    settle(Clock::now());
    changed_.notify_all();
    return true;
}

void Hosts::report(Host& host, HostReport report) {
    std::lock_guard const lock(mutex_);
    auto const now = Clock::now();
    host.asked_ = report.asked;
    host.is_writable_ = report.is_writable;
    host.transactions_ = std::move(report.transactions);
    host.trouble_.clear();
    mark(now);
    confirm();
    settle(now);
    changed_.notify_all();
}

void Hosts::fail(Host& host, std::string why, bool is_silent) {
    std::lock_guard const lock(mutex_);
    bool const was_silent = !host.asked_;
    host.asked_.reset();
    host.confirmed_ = {};
    host.trouble_ = std::move(why);
    settle(Clock::now());
    changed_.notify_all();
    if (is_silent && !was_silent) lost(host);
}

// A host that has not reported yet may be the one that has more than all others.
bool Hosts::are_all_known() const {
    return std::ranges::all_of(hosts_,
                               [](auto& host) { return host->asked_ || !host->trouble_.empty(); });
}

// Notes what all hosts that take writes had, at the earliest of the moments at which they were
// asked. A host that is in trouble takes none, or none that count: what it has besides is not
// acknowledged in a cluster, and is lost if another host was made the primary.
void Hosts::mark(Time now) {
    if (!are_all_known()) return;
    Watermark watermark{Time::max(), {}};
    for (auto const& host : hosts_) {
        if (!host->is_writable_ || !may_be_asked(*host, now)) continue;
        watermark.transactions.add(host->transactions_);
        // A host that did not report lately delays nobody, but what it had still counts.
        auto const longest = missed_reports * interval_of(rules_);
        if (*host->asked_ + longest >= now)
            watermark.asked = std::min(watermark.asked, *host->asked_);
    }
    if (watermark.asked == Time::max()) return;
    if (!watermarks_.empty() && watermarks_.back().asked >= watermark.asked) return;
    watermarks_.push_back(std::move(watermark));
    while (watermarks_.size() > 1 && watermarks_[1].asked + rules_.max_lag < now)
        watermarks_.pop_front();
}

// If no transaction is named, as by MySQL without GTIDs, only hosts that take writes are known to
// have what there is.
void Hosts::confirm() {
    for (auto const& host : hosts_) {
        if (!host->asked_) continue;
        auto const newest =
            std::find_if(watermarks_.rbegin(), watermarks_.rend(), [&](auto const& watermark) {
                return watermark.transactions == TransactionSet()
                           ? host->is_writable_
                           : host->transactions_.includes(watermark.transactions);
            });
        if (newest != watermarks_.rend())
            host->confirmed_ = std::max(host->confirmed_, newest->asked);
    }
}

std::string Hosts::state_of(Host const& host, Time now) const {
    if (!host.trouble_.empty()) return host.trouble_;
    if (!may_be_asked(host, now)) return "has not reported lately";
    if (is_confirmed(host, now)) return {};
    if (host.confirmed_ == Time()) return "is not known to have everything that the primary has";
    return "is not known to be within max-lag of the primary";
}

// Reports what changed.
void Hosts::settle(Time now) {
    if (rules_.stays) {
        auto host = pick(now);
        if (host != current_) moved(current_ = std::move(host));
    }
    if (!are_reported_ || hosts_.size() == 1 || !are_all_known()) return;
    for (auto const& host : hosts_) {
        // A host that is about to be asked again is reported when it has answered.
        if (host->asked_ && *host->asked_ <= host->suspected_) continue;
        auto state = state_of(*host, now);
        if (state.empty() == host->reported_.empty()) continue;
        host->reported_ = std::move(state);
        auto const left =
            std::ranges::count_if(hosts_, [](auto& one) { return !one->reported_.empty(); });
        report_host({host->url().address(), host->reported_, static_cast<std::size_t>(left)});
    }
}

bool Hosts::wait(Host const& host, Time asked, Time until) {
    std::unique_lock lock(mutex_);
    auto const is_over = [&] { return host.is_gone_ || !are_reported_; };
    changed_.wait_until(lock, until, [&] { return is_over() || host.suspected_ > asked; });
    settle(Clock::now());
    return !is_over();
}

HostsView Hosts::view() const {
    std::lock_guard const lock(mutex_);
    auto const now = Clock::now();
    HostsView view{{}, hosts_.size() == 1};
    for (auto const& host : hosts_) {
        bool const is_alone = hosts_.size() == 1;
        view.hosts.push_back({host->url().address(), is_alone ? "" : state_of(*host, now)});
        view.has_primary = view.has_primary || (host->is_writable_ && may_be_asked(*host, now));
    }
    return view;
}

} // namespace db
