#include "fcgi/metrics/metrics.hpp"

#include "fcgi/metrics/exposition.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace fcgi {

namespace {

// Each content type has only every third of them: 1, 10, 100 ms and 1 s.
constexpr std::size_t coarseness = 3;

constexpr std::string_view gauge = "gauge";

std::string_view type_of(MetricKind kind) {
    if (kind == MetricKind::counter) return "counter";
    return kind == MetricKind::histogram ? "histogram" : gauge;
}

// Gives each metric its counts. Returns how many all of them have.
std::size_t place(std::vector<ResponseMetric>& metrics) {
    std::size_t first = 0;
    for (Metric& metric : metrics) {
        metric.first = first;
        first +=
            metric.labels.size() * (metric.kind == MetricKind::histogram ? histogram_counts : 1);
    }
    return first;
}

// For each event the first that has the same metric and label: it has their count.
constexpr auto counted_as = [] {
    std::array<std::size_t, std::size(event::table)> firsts{};
    for (std::size_t i = 0; i < firsts.size(); ++i)
        while (event::table[firsts[i]].metric != event::table[i].metric ||
               event::table[firsts[i]].label != event::table[i].label)
            ++firsts[i];
    return firsts;
}();

} // namespace

Metrics::Metrics(std::vector<std::string> types)
    : types_(std::move(types)), of_usage_(usage_metrics()) {
    std::ranges::sort(types_);
    types_.insert(types_.end(), {"other", "none"});
    of_responses_ = response_metrics(types_);
    counts_ = std::vector<Count>(place(of_responses_));
}

void Metrics::count(Event const& event) {
    if (auto const* const sent = std::get_if<ResponseSent>(&event)) count(*sent);
    if (auto const* const notice = std::get_if<Notice>(&event)) count(*notice);
}

void Metrics::count(Notice const& notice) {
    Count& count = event_counts_[counted_as[notice.id.index()]];
    if (notice.id.row().kind == MetricKind::gauge)
        count = notice.number;
    else
        count += notice.number;
}

void Metrics::count(ResponseSent const& sent) {
    Trace const& trace = sent.response.trace;
    auto type = types_.size() - 1; // none
    if (!trace.type.empty()) {
        auto const known = types_.end() - 2;
        auto const found = std::lower_bound(types_.begin(), known, trace.type);
        bool const is_known = found != known && *found == trace.type;
        type = static_cast<std::size_t>((is_known ? found : known) - types_.begin());
    }
    Measured const measured{sent, sent.response, type, sent.shared ? nullptr : &trace};
    for (ResponseMetric const& metric : of_responses_)
        metric.count(measured, &counts_[metric.first]);
}

std::string Metrics::text() const {
    std::string out;
    append_head(out, "populate_build_info", gauge,
                "The version of the program, in the label version.");
    append_line(out, "populate_build_info", label("version", POPULATE_VERSION), "1");
    for (Metric const& metric : of_responses_)
        append(out, metric);
    append_events(out);
    for (UsageMetric const& metric : of_usage_)
        append_usage(out, metric);
    return out;
}

void Metrics::append(std::string& out, Metric const& metric) const {
    append_head(out, metric.name, type_of(metric.kind), metric.help);
    for (std::size_t i = 0; i < metric.labels.size(); ++i) {
        if (metric.kind == MetricKind::histogram)
            append_histogram(out, metric, i);
        else if (auto const count = counts_[metric.first + i].load(); count > 0 || metric.zeros)
            append_line(out, metric.name, metric.labels[i], std::to_string(count));
    }
}

void Metrics::append_histogram(std::string& out, Metric const& metric, std::size_t label) const {
    auto const* const counts = &counts_[metric.first + label * histogram_counts];
    std::array<std::uint64_t, bucket_counts> buckets;
    std::copy_n(counts, bucket_counts, buckets.begin());
    if (!metric.zeros && std::ranges::all_of(buckets, [](auto count) { return count == 0; }))
        return;
    auto const seconds = static_cast<double>(counts[bucket_counts]) / 1e9;
    append_buckets(out, metric.name, metric.labels[label], bucket_ends,
                   metric.zeros ? 1 : coarseness, buckets, seconds);
}

void Metrics::append_events(std::string& out) const {
    for (std::size_t i = 0; i < std::size(event::table); ++i) {
        EventRow const& row = event::table[i];
        if (row.metric.empty() || counted_as[i] != i) continue;
        if (!row.help.empty()) append_head(out, row.metric, type_of(row.kind), row.help);
        append_line(out, row.metric, row.label, std::to_string(event_counts_[i].load()));
    }
}

void Metrics::append_usage(std::string& out, UsageMetric const& metric) const {
    append_head(out, metric.name, type_of(metric.kind), metric.help);
    append_line(out, metric.name, "", std::to_string(metric.count(usage_).load()));
}

} // namespace fcgi
