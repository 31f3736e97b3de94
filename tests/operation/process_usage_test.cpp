#include "scraped.hpp"

#include <chrono>
#include <filesystem>

// The system's numbers of the application's process are read as a scraper reads them.

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

// What the system says of the process.
double bytes_of(faults::ApplicationProcess const& application, std::string const& name) {
    std::ifstream status("/proc/" + std::to_string(application.id()) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name + ":"))
            return std::strtod(line.c_str() + name.size() + 1, {}) * 1024; // it is in kB
    return 0;
}

} // namespace

BOOST_AUTO_TEST_CASE(memory_and_the_limit_of_descriptors_are_those_of_the_process) {
    auto settings = with({"--workers=1"});
    settings.process.max_files = 200;
    Scraped const one(settings);
    BOOST_TEST_REQUIRE(one.application.responds("/api/articles", 200));
    BOOST_TEST(value(one, "max_fds") == 200);
    for (auto const& [metric, line] :
         {std::pair{"resident_memory_bytes", "VmRSS"}, {"virtual_memory_bytes", "VmSize"}}) {
        double told = 0, is = 0;
        bool const is_so = eventually([&] { // a process that has just started still grows
            told = value(one, metric), is = bytes_of(one.application, line);
            return told > is * 0.9 && told < is * 1.1;
        });
        BOOST_TEST(is_so, metric << " " << told << " " << is);
    }
}

BOOST_AUTO_TEST_CASE(descriptors_are_those_that_are_open) {
    Scraped const scraped;
    BOOST_TEST_REQUIRE(scraped.application.responds("/_health", 204));
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

BOOST_AUTO_TEST_CASE(processor_time_and_the_start_of_the_process_are_reported) {
    double const start = seconds_now();
    Scraped const scraped;
    BOOST_TEST(eventually([&] {
        for (int i = 0; i < 20; ++i)
            scraped.application.get("/api/articles?populate=*");
        return value(scraped, "cpu_seconds_total") >= 0.1;
    }));
    double const told = value(scraped, "start_time_seconds");
    BOOST_TEST(told >= start);
    BOOST_TEST(told <= seconds_now());
}

BOOST_AUTO_TEST_SUITE_END()
