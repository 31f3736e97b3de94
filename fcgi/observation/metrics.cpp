#include "fcgi/observation/metrics.hpp"

#include "fcgi/http/http.hpp"
#include "fcgi/log/log.hpp"
#include "fcgi/observation/exposition.hpp"
#include "parser/base/limits.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

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
// The upper ends in seconds; longer times have a bucket as well.
constexpr double buckets[] = {0.00001, 0.0001, 0.001, 0.0025, 0.005, 0.01, 0.025,
                              0.05,    0.1,    0.25,  0.5,    1,     2.5,  10};
// Each content type has only every third of them: 1, 10, 100 ms and 1 s.
constexpr std::size_t coarseness = 3;
constexpr std::size_t bucket_counts = std::size(buckets) + 1;
constexpr std::size_t histogram_counts = bucket_counts + 1;

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

template<class... Cases>
struct overloaded : Cases... {
    using Cases::operator()...;
};

bool is_alive(pid_t process) {
    return process != 0 && (::kill(process, 0) == 0 || errno != ESRCH);
}

} // namespace

Metrics::Metrics(std::size_t processes, std::vector<std::string> types)
    : maker_(::getpid()), types_(std::move(types)), parts_(processes) {
    std::ranges::sort(types_);
    types_.insert(types_.end(), {"other", "none"});
    add_families();
    std::size_t const bytes = parts_ * (sizeof(Part) + counts_ * sizeof(Count));
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<char*>(memory);
    for (std::size_t i = 0; i < parts_; ++i) {
        new (&part(i)) Part;
        for (std::size_t count = 0; count < counts_; ++count)
            new (&count_of(i, count)) Count(0);
    }
}

std::size_t Metrics::add(Family family) {
    family.first = counts_;
    counts_ += family.labels.size() * (family.type == "histogram" ? histogram_counts : 1);
    families_.push_back(std::move(family));
    return families_.back().first;
}

void Metrics::add_families() {
    std::vector<std::string> requests;
    for (std::string const& type : types_) {
        for (int const status : statuses)
            requests.push_back(label("type", type) + "," + label("status", std::to_string(status)));
        requests.push_back(label("type", type) + "," + label("status", "other"));
    }
    requests_ = add({"populate_requests_total", "counter",
                     "Requests answered, by content type and status.", requests, false});
    shared_ = add({"populate_shared_requests_total", "counter",
                   "Requests that shared the response to an equal request."});
    costs_ =
        add({"populate_request_costs_total", "counter",
             "Requests answered, by their cost for the database.", labels("cost", cost_names)});
    unavailable_ = add({"populate_unavailable_total", "counter",
                        "Requests answered with 502 or 503, by their cost for the database.",
                        labels("cost", cost_names)});
    bytes_ = add({"populate_response_bytes_total", "counter", "Bytes of response bodies sent."});
    times_ = add({"populate_type_seconds", "histogram", "Duration of requests, by content type.",
                  labels("type", types_), false});
    stages_ = add({"populate_stage_seconds", "histogram", "Duration of each stage of a request.",
                   labels("stage", stage_names)});
    statements_ = add({"populate_statements_total", "counter", "SQL statements sent."});
    forms_ = add({"populate_statement_forms_total", "counter",
                  "SQL statements in an unusual form, and those given up for the usual one.",
                  labels("form", forms)});
    rows_ = add({"populate_rows_total", "counter", "Rows that SQL statements returned."});
    plans_ = add({"populate_plans_total",
                  "counter",
                  "Plans of requests, from the cache or bound anew.",
                  {label("from", "cache"), label("from", "bind")}});
    refusals_ = add({"populate_limit_refusals_total", "counter",
                     "Requests refused because of a limit, by the option that sets the limit.",
                     labels("limit", limits)});
    lines_ = add({"populate_log_lines_dropped_total", "counter",
                  "Log lines dropped because they could not be written at once."});
    caches_ = add({"populate_cache_requests_total", "counter",
                   "Requests that the cache could have answered, by the result.",
                   labels("use", std::span(cache_use_names).subspan(1))});
    reloads_ = add({"populate_reloads_total",
                    "counter",
                    "Reloads of the schema: read, or the old one kept, as the new one is unusable.",
                    {label("schema", "read"), label("schema", "kept")}});
    outdated_ = add({"populate_schema_outdated_total", "counter",
                     "Requests that found tables other than the schema declares."});
    cut_offs_ = add({"populate_requests_cut_off_total", "counter",
                     "Requests that were neither answered nor refused in time."});
    sending_ = add({"populate_sending_answers", "gauge",
                    "Responses that clients read slowly; they hold no worker."});
    sending_bytes_ = add({"populate_sending_bytes", "gauge",
                          "Bytes not sent yet of the responses that clients read slowly."});
    unread_ = add({"populate_unread_answers_total", "counter",
                   "Responses cut off because their clients did not read them."});
    accept_failures_ =
        add({"populate_accept_failures_total", "counter", "Failures to accept a connection."});
    idle_closes_ = add(
        {"populate_idle_closes_total", "counter", "Idle connections closed to accept new ones."});
    refused_hosts_ = add({"populate_refused_hosts_total", "counter",
                          "Connections refused because listen-allow does not name their address."});
    left_hosts_ = add({"populate_database_hosts_left_out", "gauge",
                       "Database hosts that are not used now, counted by each process."});
    process_ends_ = add({"populate_process_ends_total", "counter",
                         "Processes that ended while they should serve."});
}

void Metrics::join() {
    pid_t const self = ::getpid();
    for (std::size_t i = 0; i < parts_; ++i) {
        pid_t before = part(i).process;
        if (is_alive(before)) continue;
        if (!part(i).process.compare_exchange_strong(before, self)) continue;
        mine_ = i;
        db::PoolUsage& usage = part(i).pool;
        usage.open = usage.idle = usage.waiting = usage.left = 0;
        part(i).lacks = part(i).missing_indexes = 0;
        part(i).cache_bytes = 0;
        mine(sending_) = mine(sending_bytes_) = mine(left_hosts_) = 0;
        return;
    }
}

void Metrics::count(Event const& event) {
    std::visit(
        overloaded{
            [this](event::Answered const& answered) { count(answered); },
            [this](event::SchemaRead const& read) {
                if (read.cause != event::SchemaRead::Cause::started) ++mine(reloads_);
            },
            [this](event::SchemaKept const&) { ++mine(reloads_ + 1); },
            [this](event::SchemaOutdated const&) { ++mine(outdated_); },
            [this](event::SchemaLacks const& lacks) { part(mine_).lacks = lacks.count; },
            [this](event::IndexesMissing const& indexes) {
                part(mine_).missing_indexes = indexes.count;
            },
            [this](event::ReleaseUnknown const& unknown) {
                part(mine_).unknown_release = unknown.release.empty() ? 0 : 1;
            },
            [this](event::HostChanged const& host) { mine(left_hosts_) = host.left_out; },
            [this](event::CutOff const& cut) { mine(cut_offs_) += cut.requests; },
            [this](event::Sending const& sending) {
                mine(sending_) = sending.answers;
                mine(sending_bytes_) = sending.bytes;
            },
            [this](event::Unread const&) { ++mine(unread_); },
            [this](event::AcceptFailed const&) { ++mine(accept_failures_); },
            [this](event::IdleClosed const& idle) { mine(idle_closes_) += idle.connections; },
            [this](event::HostRefused const&) { ++mine(refused_hosts_); },
            [this](event::ProcessEnded const&) { ++mine(process_ends_); },
            [](auto const&) {}, // reported in the log alone
        },
        event);
}

void Metrics::count(event::Answered const& answered) {
    Response const& response = answered.response;
    Trace const& trace = response.trace;
    auto type = types_.size() - 1; // none
    if (!trace.type.empty()) {
        auto const known = types_.end() - 2;
        auto const found = std::lower_bound(types_.begin(), known, trace.type);
        bool const is_known = found != known && *found == trace.type;
        type = static_cast<std::size_t>((is_known ? found : known) - types_.begin());
    }
    ++mine(requests_ + type * (std::size(statuses) + 1) + index_in(statuses, response.status));
    auto const cost = static_cast<std::size_t>(trace.cost);
    ++mine(costs_ + cost);
    if (response.status == 502 || response.status == 503) ++mine(unavailable_ + cost);
    if (auto const size = response.body.size(); !response.headers_only)
        mine(bytes_) += size - std::min(size, answered.unsent);
    observe(times_, type, answered.total);
    if (trace.cache != CacheUse::none) ++mine(caches_ + static_cast<std::size_t>(trace.cache) - 1);
    mine(lines_) = dropped_log_lines();
    if (answered.shared) {
        ++mine(shared_);
        return;
    }
    for (std::size_t i = 0; i < stage_names.size(); ++i)
        if (auto const time = trace.times.of(Stage(i))) observe(stages_, i, *time);
    mine(statements_) += trace.statements;
    for (std::size_t i = 0; i < trace.other_forms.size(); ++i)
        mine(forms_ + i) += trace.other_forms[i];
    mine(forms_ + trace.other_forms.size()) += trace.given_up;
    mine(rows_) += trace.rows;
    if (trace.plan_known) ++mine(plans_ + (*trace.plan_known ? 0 : 1));
    if (auto const limit = index_in(limits, trace.limit); limit < std::size(limits))
        ++mine(refusals_ + limit);
}

void Metrics::observe(std::size_t histogram, std::size_t label, StageTimes::Duration time) {
    std::size_t const first = histogram + label * histogram_counts;
    double const seconds = std::chrono::duration<double>(time).count();
    auto const bucket = std::ranges::lower_bound(buckets, seconds) - std::begin(buckets);
    ++mine(first + static_cast<std::size_t>(bucket));
    mine(first + bucket_counts) +=
        static_cast<std::uint64_t>(std::chrono::nanoseconds(time).count());
}

db::PoolUsage& Metrics::pool() {
    return part(mine_).pool;
}

db::ChangeLogUsage& Metrics::change_log() {
    return part(mine_).change_log;
}

std::atomic<std::uint64_t>& Metrics::cache_bytes() {
    return part(mine_).cache_bytes;
}

std::string Metrics::text() const {
    std::string out;
    append_head(out, "populate_build_info", "gauge",
                "The version of the program, in the label version.");
    append_line(out, "populate_build_info", label("version", POPULATE_VERSION), "1");
    append_times(out);
    for (Family const& family : families_)
        append(out, family);
    append_pool(out);
    append_cache(out);
    append_lacks(out);
    return out;
}

std::vector<pid_t> Metrics::processes() const {
    std::vector<pid_t> found{maker_};
    for (std::size_t i = 0; i < parts_; ++i)
        if (pid_t const process = part(i).process; process != maker_ && is_alive(process))
            found.push_back(process);
    return found;
}

void Metrics::append(std::string& out, Family const& family) const {
    append_head(out, family.name, family.type, family.help);
    for (std::size_t i = 0; i < family.labels.size(); ++i) {
        if (family.type == "histogram") {
            auto const first = family.first + i * histogram_counts;
            append_histogram(out, family, family.labels[i],
                             [&](std::size_t count) { return sum(first + count); });
            continue;
        }
        auto const value = sum(family.first + i, family.type == "gauge");
        if (value > 0 || family.zeros)
            append_line(out, family.name, family.labels[i], std::to_string(value));
    }
}

// Appends the times of all types together, in more buckets than those of each.
void Metrics::append_times(std::string& out) const {
    Family const times{"populate_request_seconds", "histogram",
                       "Time from a complete request until its response was sent."};
    append_head(out, times.name, times.type, times.help);
    append_histogram(out, times, "", [this](std::size_t count) {
        std::uint64_t of_all = 0;
        for (std::size_t type = 0; type < types_.size(); ++type)
            of_all += sum(times_ + type * histogram_counts + count);
        return of_all;
    });
}

void Metrics::append_histogram(std::string& out, Family const& family, std::string const& labels,
                               auto const& count_of_index) const {
    std::array<std::uint64_t, bucket_counts> counts;
    for (std::size_t i = 0; i < bucket_counts; ++i)
        counts[i] = count_of_index(i);
    if (!family.zeros && std::ranges::all_of(counts, [](auto count) { return count == 0; })) return;
    auto const seconds = static_cast<double>(count_of_index(bucket_counts)) / 1e9;
    append_buckets(out, family.name, labels, buckets, family.zeros ? 1 : coarseness, counts,
                   seconds);
}

void Metrics::append_pool(std::string& out) const {
    struct {
        std::string_view name, type, help;
        Count db::PoolUsage::* count;
    } const usages[] = {
        {"populate_connections_open", "gauge", "Open database connections.", &db::PoolUsage::open},
        {"populate_connections_idle", "gauge", "Open database connections that no request uses.",
         &db::PoolUsage::idle},
        {"populate_connections_wanted", "gauge",
         "Requests that wait for a database connection now.", &db::PoolUsage::waiting},
        {"populate_connection_waits_total", "counter",
         "Requests that had to wait for a database connection.", &db::PoolUsage::waits},
        {"populate_connection_timeouts_total", "counter",
         "Requests that waited for a database connection and got none in time.",
         &db::PoolUsage::timeouts},
    };
    std::uint64_t processes = 0;
    for (std::size_t i = 0; i < parts_; ++i)
        processes += is_alive(part(i).process);
    append_head(out, "populate_processes", "gauge", "Processes that serve requests.");
    append_line(out, "populate_processes", "", std::to_string(processes));
    for (auto const& [name, type, help, count] : usages) {
        append_head(out, name, type, help);
        append_line(
            out, name, "",
            std::to_string(total([&](Part const& part) -> Count const& { return part.pool.*count; },
                                 type == "gauge")));
    }
}

void Metrics::append_cache(std::string& out) const {
    struct {
        std::string_view name, help;
        Count db::ChangeLogUsage::* count;
    } const usages[] = {
        {"populate_cache_epochs_total",
         "Times that following the binlog began; all earlier entries are invalid.",
         &db::ChangeLogUsage::epochs},
        {"populate_cache_events_total", "Events read from the binlog.",
         &db::ChangeLogUsage::events},
        {"populate_cache_statements_total",
         "Statements in the binlog that invalidated the whole cache.",
         &db::ChangeLogUsage::statements},
        {"populate_cache_unknown_events_total",
         "Binlog events of unknown meaning, which invalidated the whole cache.",
         &db::ChangeLogUsage::unknown_events},
        {"populate_cache_questions_total", "Queries for the position at which the binlog ends.",
         &db::ChangeLogUsage::questions},
        {"populate_cache_waits_total",
         "Queries for the end of the binlog after which it had to be read up to there.",
         &db::ChangeLogUsage::waits},
        {"populate_cache_tags_total",
         "Queries for the binlog position up to which a snapshot has all changes.",
         &db::ChangeLogUsage::tags_asked},
    };
    for (auto const& [name, help, count] : usages) {
        append_head(out, name, "counter", help);
        append_line(
            out, name, "",
            std::to_string(total(
                [&](Part const& part) -> Count const& { return part.change_log.*count; }, false)));
    }
    append_head(out, "populate_cache_bytes", "gauge", "Memory that the cache uses.");
    append_line(out, "populate_cache_bytes", "",
                std::to_string(total(
                    [](Part const& part) -> Count const& { return part.cache_bytes; }, true)));
}

std::uint64_t Metrics::total(auto const& count, bool of_now) const {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < parts_; ++i)
        if (!of_now || is_alive(part(i).process)) total += count(part(i));
    return total;
}

// Each process looks for itself. The highest number counts, since others may have yet to look.
void Metrics::append_lacks(std::string& out) const {
    auto const append_most = [&](std::string_view name, Count Part::* count,
                                 std::string_view help) {
        std::uint64_t most = 0;
        for (std::size_t i = 0; i < parts_; ++i)
            if (is_alive(part(i).process)) most = std::max(most, (part(i).*count).load());
        append_head(out, name, "gauge", help);
        append_line(out, name, "", std::to_string(most));
    };
    append_most("populate_schema_lacks", &Part::lacks,
                "Tables and columns that content types need and the database lacks.");
    append_most("populate_indexes_missing", &Part::missing_indexes,
                "Indexes of the setting indexes that do not exist.");
    append_most("populate_release_unknown", &Part::unknown_release,
                "1 if the CMS has a newer release than this program knows, else 0.");
}

Metrics::Part& Metrics::part(std::size_t index) const {
    auto* const at = memory_ + index * (sizeof(Part) + counts_ * sizeof(Count));
    return *reinterpret_cast<Part*>(at);
}

Metrics::Count& Metrics::count_of(std::size_t part_at, std::size_t index) const {
    auto* const counts = reinterpret_cast<Count*>(&part(part_at) + 1);
    return counts[index];
}

std::uint64_t Metrics::sum(std::size_t index, bool of_now) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < parts_; ++i)
        if (!of_now || is_alive(part(i).process)) sum += count_of(i, index);
    return sum;
}

} // namespace fcgi
