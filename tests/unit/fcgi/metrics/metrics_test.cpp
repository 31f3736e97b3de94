#include "fcgi/http/http.hpp"
#include "fcgi/metrics/exposition.hpp"
#include "fcgi/metrics/metrics.hpp"
#include "fcgi/server/request_head.hpp"
#include "parser/base/limits.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

BOOST_AUTO_TEST_SUITE(metrics)

using namespace fcgi;

BOOST_AUTO_TEST_CASE(events_that_belong_to_no_request_are_counted) {
    struct {
        Notice event;
        std::string counted; // empty: nothing is
    } const rows[] = {
        {{"schema-read"}, ""},
        {{"reloaded"}, "populate_reloads_total{schema=\"read\"} 1"},
        {{"reloaded-changed-files"}, "populate_reloads_total{schema=\"read\"} 1"},
        {{"schema-kept", {"why"}}, "populate_reloads_total{schema=\"kept\"} 1"},
        {{"schema-outdated", {"why"}}, "populate_schema_outdated_total 1"},
        {{"schema-lacks", {"tags"}, 2}, "populate_schema_lacks 2"},
        {{"indexes-missing", {"pf_slug"}, 1}, "populate_indexes_missing 1"},
        {{"release-unknown", {"5.99.0", "5.54.0"}}, "populate_release_unknown 1"},
        {{"release-known", {}, 0}, ""},
        {{"description-stale", {"src/index.js"}, 1}, "populate_description_stale 1"},
        {{"description-current", {}, 0}, ""},
        {{"host-refused", {"10.0.0.5"}}, "populate_refused_hosts_total 1"},
        {{"database-host-left-out", {"db2", "is gone"}, 1}, "populate_database_hosts_left_out 1"},
        {{"requests-cut-off", {}, 3}, "populate_requests_cut_off_total 3"},
        {{"sending-responses", {}, 2}, "populate_sending_answers 2"},
        {{"sending-bytes", {}, 5'000}, "populate_sending_bytes 5000"},
        {{"client-cut-off"}, "populate_unread_answers_total 1"},
        {{"client-cut-off-for-memory"}, "populate_unread_answers_total 1"},
        {{"accept-failed", {"why"}}, "populate_accept_failures_total 1"},
        {{"idle-closed", {}, 3}, "populate_idle_closes_total 3"},
        {{"stopped"}, ""},
    };
    Metrics untouched({});
    std::string const before = untouched.text();
    for (auto const& [event, counted] : rows) {
        Metrics metrics({});
        metrics.count(Event(event));
        std::string const text = metrics.text();
        BOOST_TEST((text == before) == counted.empty(), counted);
        if (!counted.empty()) BOOST_TEST(text.find("\n" + counted + "\n") != text.npos, text);
    }
    for (EventRow const& event : event::table)
        BOOST_TEST(std::ranges::any_of(
                       rows, [&](auto& row) { return row.counted.starts_with(event.metric); }),
                   event.metric << " has no row");
}

BOOST_AUTO_TEST_CASE(a_response_is_counted_by_all_that_its_trace_reports_unless_it_was_shared) {
    Metrics metrics({"api::tag.tag"});
    RequestHead const head;
    Response response;
    response.status = 503;
    response.body.own() = "12345";
    Trace& trace = response.trace;
    trace.times.enter(RequestStage::execute);
    trace.type = "api::tag.tag";
    trace.limit = "rows-limit";
    trace.statements = 2;
    trace.rows = 3;
    trace.other_forms[0] = 1;
    trace.given_up = 1;
    trace.plan_known = true;
    trace.cost = Cost::expensive;
    trace.cache = CacheUse::table;
    trace.handed_over = HandOver::database;
    for (bool const coalesced : {false, true})
        metrics.count(Event(ResponseSent{head, response, 1, coalesced, {}, 0}));
    std::string const samples[] = {
        "populate_request_seconds_count 2",
        "populate_requests_total{type=\"api::tag.tag\",status=\"503\"} 2",
        "populate_shared_requests_total 1",
        "populate_request_costs_total{cost=\"expensive\"} 2",
        "populate_unavailable_total{cost=\"expensive\"} 2",
        "populate_handed_over_total{reason=\"database\"} 2",
        "populate_response_bytes_total 10",
        "populate_type_seconds_count{type=\"api::tag.tag\"} 2",
        "populate_stage_seconds_count{stage=\"execute\"} 1",
        "populate_statements_total 2",
        "populate_statement_forms_total{form=\"" + std::string(name_of(db::other_forms[0])) +
            "\"} 1",
        "populate_statement_forms_total{form=\"given-up\"} 1",
        "populate_rows_total 3",
        "populate_plans_total{from=\"cache\"} 1",
        "populate_limit_refusals_total{limit=\"rows-limit\"} 1",
        "populate_log_lines_dropped_total 0",
        "populate_cache_requests_total{use=\"table\"} 2",
    };
    auto const text = metrics.text();
    for (auto const& sample : samples)
        BOOST_TEST(text.find("\n" + sample + "\n") != text.npos, sample);
    for (Metric const& metric : response_metrics({}))
        BOOST_TEST(std::ranges::any_of(
                       samples, [&](auto& sample) { return sample.starts_with(metric.name); }),
                   metric.name << " has no sample");
}

BOOST_AUTO_TEST_CASE(responses_are_counted_by_what_they_cost_and_refusals_among_them) {
    Metrics metrics({});
    RequestHead const head;
    std::pair<Cost, int> const responses[] = {{Cost::cheap, 200},     {Cost::cheap, 404},
                                              {Cost::cheap, 200},     {Cost::unknown, 200},
                                              {Cost::expensive, 200}, {Cost::expensive, 503}};
    for (auto const& [cost, status] : responses) {
        Response response;
        response.status = status;
        response.trace.cost = cost;
        metrics.count(Event(ResponseSent{head, response, 1, false, {}, 0}));
    }
    auto const text = metrics.text();
    for (std::string const sample : {"populate_request_costs_total{cost=\"cheap\"} 3",
                                     "populate_request_costs_total{cost=\"unknown\"} 1",
                                     "populate_request_costs_total{cost=\"expensive\"} 2",
                                     "populate_unavailable_total{cost=\"cheap\"} 0",
                                     "populate_unavailable_total{cost=\"unknown\"} 0",
                                     "populate_unavailable_total{cost=\"expensive\"} 1"})
        BOOST_TEST(text.find("\n" + sample + "\n") != text.npos, sample);
}

BOOST_AUTO_TEST_CASE(times_are_reported_by_content_type_of_those_that_were_asked_for) {
    using namespace std::chrono_literals;
    Metrics metrics({"api::asked.asked", "api::quiet.quiet"});
    RequestHead const head;
    std::pair<std::string, std::chrono::milliseconds> const responses[] = {
        {"api::asked.asked", 5ms},
        {"api::asked.asked", 50ms},
        {"api::later.later", 3s},
        {"api::latest.latest", 3s},
        {"", 0ms}};
    for (auto const& [type, total] : responses) {
        Response response;
        response.trace.type = type;
        metrics.count(Event(ResponseSent{head, response, 1, false, total, 0}));
    }
    auto const text = metrics.text();
    for (std::string const sample :
         {"bucket{type=\"api::asked.asked\",le=\"0.001\"} 0",
          "bucket{type=\"api::asked.asked\",le=\"0.01\"} 1",
          "bucket{type=\"api::asked.asked\",le=\"0.1\"} 2",
          "bucket{type=\"api::asked.asked\",le=\"1\"} 2",
          "bucket{type=\"api::asked.asked\",le=\"+Inf\"} 2", "sum{type=\"api::asked.asked\"} 0.055",
          "count{type=\"api::asked.asked\"} 2", "bucket{type=\"other\",le=\"1\"} 0",
          "bucket{type=\"other\",le=\"+Inf\"} 2", "count{type=\"none\"} 1"})
        BOOST_TEST(text.find("\npopulate_type_seconds_" + sample + "\n") != text.npos, sample);
    BOOST_TEST(text.find("seconds_count{type=\"api::quiet.quiet\"") == text.npos, text);
    BOOST_TEST(text.find("\npopulate_request_seconds_count 5\n") != text.npos, text);
    BOOST_TEST(text.find("\npopulate_request_seconds_bucket{le=\"2.5\"} 3\n") != text.npos, text);
    std::size_t lines = 0; // of a type: four buckets, the last, sum and count
    for (auto at = text.find("\npopulate_type_seconds_"); at != text.npos;
         at = text.find("\npopulate_type_seconds_", at + 1))
        ++lines;
    BOOST_TEST(lines == 3 * 7U);
}

BOOST_AUTO_TEST_CASE(refusals_are_counted_for_each_limit_that_a_response_can_name) {
    auto const text = fcgi::Metrics({}).text();
    auto const is_counted = [&text](std::string_view option) {
        auto const series =
            "populate_limit_refusals_total{limit=\"" + std::string(option) + "\"} 0\n";
        return text.find(series) != std::string::npos;
    };
    for (auto const& limit : parser::amount_limits)
        BOOST_TEST(is_counted(limit.option), limit.option);
    for (auto const& limit : parser::time_limits)
        BOOST_TEST(is_counted(limit.option) == limit.refuses, limit.option);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(process_usage)

namespace {

constexpr auto started = std::chrono::system_clock::time_point(std::chrono::seconds(1'700'000'001));

double value(std::string const& text, std::string const& name) {
    auto const line = text.find("\nprocess_" + name + ' ');
    BOOST_TEST_REQUIRE(line != text.npos, text);
    return std::strtod(text.c_str() + text.find(' ', line), nullptr);
}

} // namespace

BOOST_AUTO_TEST_CASE(memory_descriptors_and_start_of_the_process_are_reported) {
    constexpr std::size_t more = 64 * 1024 * 1024;
    auto const before = fcgi::process_usage(started);
    std::vector<char> const touched(more, 'x');
    int const descriptor = ::dup(STDIN_FILENO);
    auto const after = fcgi::process_usage(started);
    ::close(descriptor);
    auto const resident = value(after, "resident_memory_bytes");
    BOOST_TEST(resident >= value(before, "resident_memory_bytes") + more * 0.9);
    BOOST_TEST(value(after, "virtual_memory_bytes") >= resident);
    BOOST_TEST(value(after, "open_fds") == value(before, "open_fds") + 1);
    BOOST_TEST(value(after, "max_fds") >= value(after, "open_fds"));
    BOOST_TEST(after.find("\nprocess_start_time_seconds 1700000001\n") != after.npos, after);
}

BOOST_AUTO_TEST_SUITE_END()
