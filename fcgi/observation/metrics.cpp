#include "fcgi/observation/metrics.hpp"

#include "fcgi/observation/exposition.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <new>
#include <utility>
#include <variant>

#include <sys/mman.h>
#include <unistd.h>

namespace fcgi {

namespace {

// Each content type has only every third of them: 1, 10, 100 ms and 1 s.
constexpr std::size_t coarseness = 3;

constexpr std::string_view gauge = "gauge";

std::string_view type_of(MetricKind kind) {
    if (kind == MetricKind::counter) return "counter";
    return kind == MetricKind::histogram ? "histogram" : gauge;
}

bool is_alive(pid_t process) {
    return process != 0 && (::kill(process, 0) == 0 || errno != ESRCH);
}

} // namespace

Metrics::Metrics(std::size_t processes, std::vector<std::string> types)
    : maker_(::getpid()),
      types_(std::move(types)),
      of_events_(event_metrics()),
      of_usage_(usage_metrics()),
      parts_(processes) {
    std::ranges::sort(types_);
    types_.insert(types_.end(), {"other", "none"});
    of_responses_ = response_metrics(types_);
    std::ranges::for_each(of_responses_, [this](Metric& metric) { place(metric); });
    std::ranges::for_each(of_events_, [this](Metric& metric) { place(metric); });
    std::size_t const bytes = parts_ * (sizeof(Part) + counts_ * sizeof(Count));
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<char*>(memory);
    for (std::size_t i = 0; i < parts_; ++i) {
        auto* const made = new (&part(i)) Part;
        for (std::size_t count = 0; count < counts_; ++count)
            new (reinterpret_cast<Count*>(made + 1) + count) Count(0);
    }
}

void Metrics::place(Metric& metric) {
    metric.first = counts_;
    counts_ += metric.labels.size() * (metric.kind == MetricKind::histogram ? histogram_counts : 1);
}

void Metrics::join() {
    pid_t const self = ::getpid();
    for (std::size_t i = 0; i < parts_; ++i) {
        pid_t before = part(i).process;
        if (is_alive(before)) continue;
        if (!part(i).process.compare_exchange_strong(before, self)) continue;
        mine_ = i;
        Usage& usage = part(i).usage;
        usage.pool.open = usage.pool.idle = usage.pool.waiting = usage.pool.left = 0;
        usage.cache_bytes = 0;
        for (Metric const& metric : of_events_)
            if (metric.kind == MetricKind::sum || metric.kind == MetricKind::highest)
                counts(i, metric)[0] = 0;
        return;
    }
}

void Metrics::count(Event const& event) {
    if (auto const* const answered = std::get_if<event::Answered>(&event)) return count(*answered);
    for (EventMetric const& metric : of_events_)
        metric.count(event, counts(mine_, metric));
}

void Metrics::count(event::Answered const& answered) {
    Trace const& trace = answered.response.trace;
    auto type = types_.size() - 1; // none
    if (!trace.type.empty()) {
        auto const known = types_.end() - 2;
        auto const found = std::lower_bound(types_.begin(), known, trace.type);
        bool const is_known = found != known && *found == trace.type;
        type = static_cast<std::size_t>((is_known ? found : known) - types_.begin());
    }
    Measured const measured{answered, answered.response, type, answered.shared ? nullptr : &trace};
    for (ResponseMetric const& metric : of_responses_)
        metric.count(measured, counts(mine_, metric));
}

db::PoolUsage& Metrics::pool() {
    return part(mine_).usage.pool;
}

db::ChangeLogUsage& Metrics::change_log() {
    return part(mine_).usage.change_log;
}

std::atomic<std::uint64_t>& Metrics::cache_bytes() {
    return part(mine_).usage.cache_bytes;
}

std::string Metrics::text() const {
    std::string out;
    append_head(out, "populate_build_info", gauge,
                "The version of the program, in the label version.");
    append_line(out, "populate_build_info", label("version", POPULATE_VERSION), "1");
    for (Metric const& metric : of_responses_)
        append(out, metric);
    for (Metric const& metric : of_events_)
        append(out, metric);
    append_processes(out);
    for (UsageMetric const& metric : of_usage_)
        append_usage(out, metric);
    return out;
}

std::vector<pid_t> Metrics::processes() const {
    std::vector<pid_t> found{maker_};
    for (std::size_t i = 0; i < parts_; ++i)
        if (pid_t const process = part(i).process; process != maker_ && is_alive(process))
            found.push_back(process);
    return found;
}

void Metrics::append(std::string& out, Metric const& metric) const {
    append_head(out, metric.name, type_of(metric.kind), metric.help);
    for (std::size_t i = 0; i < metric.labels.size(); ++i) {
        if (metric.kind == MetricKind::histogram)
            append_histogram(out, metric, i);
        else if (auto const count = value(metric, i); count > 0 || metric.zeros)
            append_line(out, metric.name, metric.labels[i], std::to_string(count));
    }
}

void Metrics::append_histogram(std::string& out, Metric const& metric, std::size_t label) const {
    std::size_t const first = label * histogram_counts;
    std::array<std::uint64_t, bucket_counts> buckets;
    for (std::size_t i = 0; i < bucket_counts; ++i)
        buckets[i] = value(metric, first + i);
    if (!metric.zeros && std::ranges::all_of(buckets, [](auto count) { return count == 0; }))
        return;
    auto const seconds = static_cast<double>(value(metric, first + bucket_counts)) / 1e9;
    append_buckets(out, metric.name, metric.labels[label], bucket_ends,
                   metric.zeros ? 1 : coarseness, buckets, seconds);
}

void Metrics::append_usage(std::string& out, UsageMetric const& metric) const {
    auto const count = value(
        metric.kind, [&](std::size_t part_at) { return metric.count(part(part_at).usage).load(); });
    append_head(out, metric.name, type_of(metric.kind), metric.help);
    append_line(out, metric.name, "", std::to_string(count));
}

void Metrics::append_processes(std::string& out) const {
    std::uint64_t processes = 0;
    for (std::size_t i = 0; i < parts_; ++i)
        processes += is_alive(part(i).process);
    append_head(out, "populate_processes", gauge, "Processes that serve requests.");
    append_line(out, "populate_processes", "", std::to_string(processes));
}

std::uint64_t Metrics::value(MetricKind kind, auto const& count_of) const {
    bool const is_gauge = type_of(kind) == gauge;
    std::uint64_t sum = 0, highest = 0;
    for (std::size_t i = 0; i < parts_; ++i) {
        if (is_gauge && !is_alive(part(i).process)) continue;
        std::uint64_t const count = count_of(i);
        sum += count;
        highest = std::max(highest, count);
    }
    return kind == MetricKind::highest || kind == MetricKind::lasting ? highest : sum;
}

std::uint64_t Metrics::value(Metric const& metric, std::size_t index) const {
    return value(metric.kind, [&](std::size_t part) { return counts(part, metric)[index].load(); });
}

Metrics::Part& Metrics::part(std::size_t index) const {
    auto* const at = memory_ + index * (sizeof(Part) + counts_ * sizeof(Count));
    return *reinterpret_cast<Part*>(at);
}

Count* Metrics::counts(std::size_t part_at, Metric const& metric) const {
    return reinterpret_cast<Count*>(&part(part_at) + 1) + metric.first;
}

} // namespace fcgi
