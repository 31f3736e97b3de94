#include "fcgi/notify/metrics_file.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <string>

#include <sys/stat.h>

BOOST_AUTO_TEST_SUITE(notify_metrics_file)

namespace {

using namespace std::chrono_literals;

std::string read(std::filesystem::path const& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

BOOST_AUTO_TEST_CASE(each_target_has_its_own_samples) {
    auto const text = fcgi::notify::exposition_of(
        {{"varnish 127.0.0.1:6081", 3, 1, 2, 1'500ms}, {"template a\"b", 0, 0, 0, 0ms}}, true);
    for (char const* line :
         {"populate_notify_following 1\n",
          "# TYPE populate_notify_sent_total counter\n"
          "populate_notify_sent_total{target=\"varnish 127.0.0.1:6081\"} 3\n"
          "populate_notify_sent_total{target=\"template a_b\"} 0\n",
          "populate_notify_failed_total{target=\"varnish 127.0.0.1:6081\"} 1\n",
          "populate_notify_queued_names{target=\"varnish 127.0.0.1:6081\"} 2\n",
          "populate_notify_lag_seconds{target=\"varnish 127.0.0.1:6081\"} 1.5\n"})
        BOOST_TEST(text.find(line) != text.npos, line << " is missing in\n" << text);
    BOOST_TEST(fcgi::notify::exposition_of({}, false).find("following 0\n") != text.npos);
}

BOOST_AUTO_TEST_CASE(the_file_is_replaced_as_a_whole_and_anyone_may_read_it) {
    TemporaryProject const project;
    auto const path = project.folder() / "notify.prom";
    BOOST_TEST(fcgi::notify::write_metrics(path, "long before\n").has_value());
    BOOST_TEST(fcgi::notify::write_metrics(path, "now\n").has_value());
    BOOST_TEST(read(path) == "now\n");
    struct stat status{};
    BOOST_TEST(::stat(path.c_str(), &status) == 0);
    BOOST_TEST((status.st_mode & 0777) == 0644U);
    BOOST_TEST(!std::filesystem::exists(project.folder() / "notify.prom.new"));
    auto const failed = fcgi::notify::write_metrics(project.folder() / "none" / "x.prom", "now\n");
    BOOST_TEST_REQUIRE(!failed.has_value());
    BOOST_TEST(failed.error().message.find("none/x.prom: No such file") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
