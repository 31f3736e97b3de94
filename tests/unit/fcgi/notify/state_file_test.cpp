#include "fcgi/notify/state_file.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <string>

#include <sys/stat.h>

BOOST_AUTO_TEST_SUITE(notify_state_file)

namespace {

using fcgi::notify::State;
using fcgi::notify::StateFile;

State const state{{"hostname=db\nserver_id=\"1\"\n", 1'700'000'000, db::position_in(7, 1'234)},
                  "0123abcd",
                  "kZ3_u0aQ"};

struct Folder {
    TemporaryProject project;
    std::filesystem::path path = project.folder() / "state";
    StateFile file{path};

    void write(std::string const& text) { std::ofstream(path) << text; }
    bool is_refused() { return !file.read().has_value(); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(what_was_written_is_read, Folder) {
    BOOST_TEST((file.read().value() == std::nullopt));
    BOOST_TEST(file.write(state).has_value());
    BOOST_TEST((file.read().value() == state));
    auto next = state;
    next.place.position = db::position_in(8, 4);
    BOOST_TEST(file.write(next).has_value());
    BOOST_TEST((file.read().value() == next));
}

BOOST_FIXTURE_TEST_CASE(the_file_is_the_owners_alone_and_nothing_else_is_left, Folder) {
    write("{}");
    ::chmod(path.c_str(), 0644);
    BOOST_TEST(file.write(state).has_value());
    struct stat status{};
    BOOST_TEST(::stat(path.c_str(), &status) == 0);
    BOOST_TEST((status.st_mode & 0777) == 0600U);
    BOOST_TEST(!std::filesystem::exists(path.string() + ".new"));
}

BOOST_FIXTURE_TEST_CASE(what_is_no_state_is_refused, Folder) {
    file.write(state).value();
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
    BOOST_TEST(!file.write(state).has_value());
}

BOOST_AUTO_TEST_CASE(a_folder_that_does_not_exist_is_named) {
    auto const done = StateFile("/nonexistent/state").write(state);
    BOOST_TEST_REQUIRE(!done.has_value());
    BOOST_TEST(done.error().message == "/nonexistent/state: No such file or directory");
}

BOOST_AUTO_TEST_SUITE_END()
