#include "fcgi/notify/written_files.hpp"
#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <string>

#include <sys/stat.h>

BOOST_AUTO_TEST_SUITE(notify_state_file)

namespace {

using fcgi::notify::Checkpoint;
using fcgi::notify::read_checkpoint;
using fcgi::notify::write_checkpoint;

Checkpoint const state{{"hostname=db\nserver_id=\"1\"\n", 1'700'000'000, db::position_in(7, 1'234)},
                       "0123abcd",
                       "kZ3_u0aQ"};

struct Folder {
    TemporaryProject project;
    std::filesystem::path path = project.folder() / "state";

    void write(std::string const& text) { std::ofstream(path) << text; }
    bool is_refused() { return !read_checkpoint(path).has_value(); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(what_was_written_is_read, Folder) {
    BOOST_TEST((read_checkpoint(path).value() == std::nullopt));
    BOOST_TEST(write_checkpoint(path, state).has_value());
    BOOST_TEST((read_checkpoint(path).value() == state));
    auto next = state;
    next.place.position = db::position_in(8, 4);
    BOOST_TEST(write_checkpoint(path, next).has_value());
    BOOST_TEST((read_checkpoint(path).value() == next));
}

BOOST_FIXTURE_TEST_CASE(the_file_is_the_owners_alone_and_nothing_else_is_left, Folder) {
    write("{}");
    ::chmod(path.c_str(), 0644);
    BOOST_TEST(write_checkpoint(path, state).has_value());
    struct stat status{};
    BOOST_TEST(::stat(path.c_str(), &status) == 0);
    BOOST_TEST((status.st_mode & 0777) == 0600U);
    BOOST_TEST(!std::filesystem::exists(path.string() + ".new"));
}

BOOST_FIXTURE_TEST_CASE(what_is_no_state_is_refused, Folder) {
    write_checkpoint(path, state).value();
    std::ifstream written(path);
    std::string const text{std::istreambuf_iterator<char>(written), {}};
    for (std::size_t length = 0; length + 1 < text.size(); ++length) {
        write(text.substr(0, length));
        BOOST_TEST(is_refused(), length);
    }
    for (
        auto const* other :
        {"[]", "{}", "null", R"({"server": 1})",
         R"({"server": "a", "file": -1, "offset": 4, "file_begun": 1, "columns": "", "secret": ""})",
         R"({"server": "a", "file": 1, "offset": "4", "file_begun": 1, "columns": "", "secret": ""})"}) {
        write(other);
        BOOST_TEST(is_refused(), other);
    }
    std::filesystem::remove(path);
    std::filesystem::create_directory(path);
    BOOST_TEST(is_refused());
    BOOST_TEST(!write_checkpoint(path, state).has_value());
}

BOOST_AUTO_TEST_CASE(a_folder_that_does_not_exist_is_named) {
    auto const done = write_checkpoint("/nonexistent/state", state);
    BOOST_TEST_REQUIRE(!done.has_value());
    BOOST_TEST(done.error().message == "/nonexistent/state: No such file or directory");
}

BOOST_AUTO_TEST_SUITE_END()

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
