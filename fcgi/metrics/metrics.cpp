#include "fcgi/metrics/metrics.hpp"

#include "fcgi/metrics/exposition.hpp"
#include "fcgi/process/log.hpp"
#include "parser/base/limits.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <utility>
#include <variant>

namespace fcgi {

namespace {

constexpr int statuses[] = {200, 204, 304, 400, 401, 403, 404, 405,
                            413, 414, 431, 500, 501, 502, 503, 504};
constexpr auto limits = [] {
    constexpr auto times = std::ranges::count_if(parser::time_limits, &parser::TimeLimit::refuses);
    std::array<std::string_view, std::size(parser::amount_limits) + times> options;
    auto next = options.begin();
    for (auto const& limit : parser::amount_limits)
        *next++ = limit.option;
    for (auto const& limit : parser::time_limits)
        if (limit.refuses) *next++ = limit.option;
    return options;
}();
constexpr auto forms = [] {
    std::array<std::string_view, db::other_forms.size() + 1> names;
    std::ranges::transform(db::other_forms, names.begin(),
                           [](db::Form form) { return name_of(form); });
    names.back() = "given-up";
    return names;
}();

constexpr std::string_view plan_sources[] = {"cache", "bind"};

// Returns the index of a value in a list, or that behind its end.
std::size_t index_in(auto const& list, auto const& value) {
    return static_cast<std::size_t>(std::ranges::find(list, value) - std::begin(list));
}

std::vector<std::string> labels(std::string_view name, auto const& values) {
    std::vector<std::string> list;
    for (auto const& value : values)
        list.push_back(label(name, value));
    return list;
}

std::vector<std::string> by_type_and_status(std::vector<std::string> const& types) {
    std::vector<std::string> list;
    for (std::string const& type : types) {
        for (int const status : statuses)
            list.push_back(label("type", type) + "," + label("status", std::to_string(status)));
        list.push_back(label("type", type) + "," + label("status", "other"));
    }
    return list;
}

void observe(Count* counts, std::size_t label, StageTimes::Duration time) {
    Count* const first = counts + label * histogram_counts;
    double const seconds = std::chrono::duration<double>(time).count();
    ++first[std::ranges::lower_bound(bucket_ends, seconds) - std::begin(bucket_ends)];
    first[bucket_counts] += static_cast<std::uint64_t>(std::chrono::nanoseconds(time).count());
}

void count_bytes(Measured const& of, Count* counts) {
    auto const size = of.response.body.size();
    if (!of.response.headers_only) counts[0] += size - std::min(size, of.sent.unsent);
}

void count_stages(Measured const& of, Count* counts) {
    if (!of.work) return;
    for (std::size_t i = 0; i < stage_names.size(); ++i)
        if (auto const time = of.work->times.of(RequestStage(i))) observe(counts, i, *time);
}

void count_forms(Measured const& of, Count* counts) {
    if (!of.work) return;
    for (std::size_t i = 0; i < of.work->other_forms.size(); ++i)
        counts[i] += of.work->other_forms[i];
    counts[of.work->other_forms.size()] += of.work->given_up;
}

void count_limits(Measured const& of, Count* counts) {
    if (!of.work) return;
    if (auto const limit = index_in(limits, of.work->limit); limit < std::size(limits))
        ++counts[limit];
}

void count_plans(Measured const& of, Count* counts) {
    if (of.work && of.work->plan_known) ++counts[*of.work->plan_known ? 0 : 1];
}

template<auto member>
void add_work(Measured const& of, Count* counts) {
    if (of.work) counts[0] += of.work->*member;
}

std::size_t cost_of(Measured const& of) {
    return static_cast<std::size_t>(of.response.trace.cost);
}

template<auto count>
Count const& pool(Usage const& usage) {
    return usage.pool.*count;
}
template<auto count>
Count const& change_log(Usage const& usage) {
    return usage.change_log.*count;
}

bool is_unavailable(Measured const& of) {
    return of.response.status == 502 || of.response.status == 503;
}

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

std::vector<ResponseMetric> response_metrics(std::vector<std::string> const& types) {
    using enum MetricKind;
    using Of = Measured const&;
    return {
        {{"populate_request_seconds", histogram,
          "Time from a complete request until its response was sent."},
         [](Of of, Count* counts) { observe(counts, 0, of.sent.total); }},
        {{"populate_requests_total", counter, "Requests answered, by content type and status.",
          by_type_and_status(types), false},
         [](Of of, Count* counts) {
             ++counts[of.type * (std::size(statuses) + 1) + index_in(statuses, of.response.status)];
         }},
        {{"populate_shared_requests_total", counter,
          "Requests that shared the response to an equal request."},
         [](Of of, Count* counts) { counts[0] += of.work ? 0 : 1; }},
        {{"populate_request_costs_total", counter,
          "Requests answered, by their cost for the database.", labels("cost", cost_names)},
         [](Of of, Count* counts) { ++counts[cost_of(of)]; }},
        {{"populate_unavailable_total", counter,
          "Requests answered with 502 or 503, by their cost for the database.",
          labels("cost", cost_names)},
         [](Of of, Count* counts) { counts[cost_of(of)] += is_unavailable(of) ? 1 : 0; }},
        {{"populate_handed_over_total", counter, "Requests handed over to the CMS, by the reason.",
          labels("reason", std::span(hand_over_names).subspan(1))},
         [](Of of, Count* counts) {
             auto const reason = static_cast<std::size_t>(of.response.trace.handed_over);
             if (reason > 0) ++counts[reason - 1];
         }},
        {{"populate_response_bytes_total", counter, "Bytes of response bodies sent."}, count_bytes},
        {{"populate_type_seconds", histogram, "Duration of requests, by content type.",
          labels("type", types), false},
         [](Of of, Count* counts) { observe(counts, of.type, of.sent.total); }},
        {{"populate_stage_seconds", histogram, "Duration of each stage of a request.",
          labels("stage", stage_names)},
         count_stages},
        {{"populate_statements_total", counter, "SQL statements sent."},
         add_work<&Trace::statements>},
        {{"populate_statement_forms_total", counter,
          "SQL statements in an unusual form, and those given up for the usual one.",
          labels("form", forms)},
         count_forms},
        {{"populate_rows_total", counter, "Rows that SQL statements returned."},
         add_work<&Trace::rows>},
        {{"populate_plans_total", counter, "Plans of requests, from the cache or bound anew.",
          labels("from", plan_sources)},
         count_plans},
        {{"populate_limit_refusals_total", counter,
          "Requests refused because of a limit, by the option that sets the limit.",
          labels("limit", limits)},
         count_limits},
        {{"populate_log_lines_dropped_total", counter,
          "Log lines dropped because they could not be written at once."},
         [](Of, Count* counts) { counts[0] = dropped_log_lines(); }},
        {{"populate_cache_requests_total", counter,
          "Requests that the cache could have answered, by the result.",
          labels("use", std::span(cache_use_names).subspan(1))},
         [](Of of, Count* counts) {
             auto const use = static_cast<std::size_t>(of.response.trace.cache);
             if (use > 0) ++counts[use - 1];
         }},
    };
}

std::vector<UsageMetric> usage_metrics() {
    using enum MetricKind;
    return {
        {{"populate_connections_open", gauge, "Open database connections."},
         pool<&db::PoolUsage::open>},
        {{"populate_connections_idle", gauge, "Open database connections that no request uses."},
         pool<&db::PoolUsage::idle>},
        {{"populate_connections_wanted", gauge,
          "Requests that wait for a database connection now."},
         pool<&db::PoolUsage::waiting>},
        {{"populate_connection_waits_total", counter,
          "Requests that had to wait for a database connection."},
         pool<&db::PoolUsage::waits>},
        {{"populate_connection_timeouts_total", counter,
          "Requests that waited for a database connection and got none in time."},
         pool<&db::PoolUsage::timeouts>},
        {{"populate_cache_epochs_total", counter,
          "Times that following the binlog began; all earlier entries are invalid."},
         change_log<&db::ChangeLogUsage::epochs>},
        {{"populate_cache_events_total", counter, "Events read from the binlog."},
         change_log<&db::ChangeLogUsage::events>},
        {{"populate_cache_statements_total", counter,
          "Statements in the binlog that invalidated the whole cache."},
         change_log<&db::ChangeLogUsage::statements>},
        {{"populate_cache_unknown_events_total", counter,
          "Binlog events of unknown meaning, which invalidated the whole cache."},
         change_log<&db::ChangeLogUsage::unknown_events>},
        {{"populate_cache_questions_total", counter,
          "Queries for the position at which the binlog ends."},
         change_log<&db::ChangeLogUsage::inquiries>},
        {{"populate_cache_waits_total", counter,
          "Queries for the end of the binlog after which it had to be read up to there."},
         change_log<&db::ChangeLogUsage::waits>},
        {{"populate_cache_tags_total", counter,
          "Queries for the binlog position up to which a snapshot has all changes."},
         change_log<&db::ChangeLogUsage::tags_asked>},
        {{"populate_cache_bytes", gauge, "Memory that the cache uses."},
         [](Usage const& usage) -> Count const& { return usage.cache_bytes; }},
    };
}

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
    Measured const measured{sent, sent.response, type, sent.coalesced ? nullptr : &trace};
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
