#include "scraped.hpp"

#include <chrono>
#include <filesystem>

// The system's numbers of the application's processes are read as a scraper reads them.

using namespace operation;

BOOST_AUTO_TEST_SUITE(process_usage)

namespace {

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

double value(Scraped const& scraped, std::string const& name) {
    return scraped.samples()["process_" + name];
}

// The application's own and those of its children.
double sum_over(faults::ApplicationProcess const& application, std::string const& name) {
    auto processes = application.children();
    processes.push_back(application.id());
    double sum = 0;
    for (pid_t const process : processes) {
        std::ifstream status("/proc/" + std::to_string(process) + "/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with(name + ":"))
                sum += std::strtod(line.c_str() + name.size() + 1, {});
    }
    return sum * 1024; // they are told in kB
}

} // namespace

BOOST_AUTO_TEST_CASE(it_is_the_sum_over_the_processes_with_the_one_that_starts_them) {
    struct {
        std::string processes;
        double count;
    } const rows[] = {{"1", 1}, {"2", 3}};
    for (auto const& [processes, count] : rows)
        BOOST_TEST_CONTEXT("--processes=" << processes) {
            auto settings = with({"--processes=" + processes, "--workers=1"});
            settings.process.max_files = 200;
            Scraped const one(settings);
            BOOST_TEST_REQUIRE(one.application.answers("/api/articles", 200));
            BOOST_TEST(eventually([&] { return value(one, "max_fds") == 200 * count; }));
            for (auto const& [metric, line] : {std::pair{"resident_memory_bytes", "VmRSS"},
                                               {"virtual_memory_bytes", "VmSize"}}) {
                double told = 0, is = 0;
                bool const is_so = eventually([&] { // a process that has just started still grows
                    told = value(one, metric), is = sum_over(one.application, line);
                    return told > is * 0.9 && told < is * 1.1;
                });
                BOOST_TEST(is_so, metric << " " << told << " " << is);
            }
        }
}

BOOST_AUTO_TEST_CASE(descriptors_are_those_that_are_open) {
    Scraped const scraped;
    BOOST_TEST_REQUIRE(scraped.application.answers("/_health", 204));
    double open = 0;
    // Ours, as a scraper, is one more than others see.
    auto const is_told = [&] {
        open = value(scraped, "open_fds");
        return open == static_cast<double>(scraped.application.open_files() + 1);
    };
    BOOST_TEST(eventually(is_told));
    double const before = open;
    // Some more than are looked for, since what was open before may be closed by now.
    std::vector<fastcgi::Client> clients;
    for (int i = 0; i < 30; ++i)
        clients.push_back(scraped.application.connect());
    BOOST_TEST(eventually([&] { return is_told() && open >= before + 20; }));
}

BOOST_AUTO_TEST_CASE(time_of_processes_that_have_ended_is_kept) {
    double const start = seconds_now();
    Scraped const scraped(with({"--processes=2", "--workers=1"}));
    auto const& application = scraped.application;
    double before = 0;
    BOOST_TEST(eventually([&] {
        for (int i = 0; i < 20; ++i)
            application.get("/api/articles?populate=*");
        return (before = value(scraped, "cpu_seconds_total")) >= 0.1;
    }));
    for (pid_t const child : application.children())
        ::kill(child, SIGKILL);
    Samples now;
    BOOST_TEST(eventually([&] {
        now = scraped.samples();
        BOOST_TEST(now["process_cpu_seconds_total"] >= before);
        return now["populate_process_ends_total"] == 2 && now["populate_processes"] == 2;
    }));
    BOOST_TEST(now["process_start_time_seconds"] >= start);
    BOOST_TEST(now["process_start_time_seconds"] <= seconds_now());
    BOOST_TEST(now["process_start_time_seconds"] == value(scraped, "start_time_seconds"));
}

BOOST_AUTO_TEST_SUITE_END()
