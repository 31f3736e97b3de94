#include "db/schema/project_watch.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

#include <thread>

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

// A project with a type, and its stamp.
struct StampFixture {
    StampFixture() {
        project.type("post", R"("title": {"type": "string", "private": false})")
            .component("shared", "seo", "");
        // The system's clock for files ticks in milliseconds.
        std::this_thread::sleep_for(20ms);
        before = stamp();
    }

    db::ProjectStamp stamp() const { return db::stamp_of({project.folder()}); }

    std::string text() const {
        std::ifstream file(schema);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    // With a private attribute, and as long as it was.
    std::string private_text() const {
        auto changed = text();
        return changed.replace(changed.find("false"), 5, "true ");
    }

    TemporaryProject project;
    fs::path const schema = project.folder() / "src/api/post/content-types/post/schema.json";
    db::ProjectStamp before;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(schema_stamp, StampFixture)

BOOST_AUTO_TEST_CASE(it_stays_while_nothing_is_written) {
    BOOST_TEST((stamp() == before));
}

BOOST_AUTO_TEST_CASE(it_tells_whether_a_file_was_written_added_or_removed) {
    auto const component = project.folder() / "src/components/shared/seo.json";
    fs::last_write_time(component, fs::last_write_time(component) + 1s);
    auto const written = stamp();
    BOOST_TEST((written != before));
    project.component("shared", "link", "");
    auto const added = stamp();
    BOOST_TEST((added != written));
    fs::remove(project.folder() / "src/components/shared/link.json");
    BOOST_TEST((stamp() != added));
    auto const removed = stamp();
    std::ofstream(project.folder() / "package.json") << "{}";
    BOOST_TEST((stamp() != removed));
}

// As `touch -r` and archives do.
BOOST_AUTO_TEST_CASE(it_tells_that_a_file_of_the_same_size_was_written_and_its_time_set_back) {
    auto const time = fs::last_write_time(schema);
    auto const changed = private_text();
    std::ofstream(schema) << changed;
    fs::last_write_time(schema, time);
    BOOST_TEST((stamp() != before));
}

BOOST_AUTO_TEST_CASE(it_tells_that_a_file_of_the_same_size_and_time_took_the_place_of_another) {
    auto const other = project.folder() / "other.json";
    std::ofstream(other) << private_text();
    fs::last_write_time(other, fs::last_write_time(schema));
    fs::rename(other, schema);
    BOOST_TEST((stamp() != before));
}

BOOST_AUTO_TEST_CASE(it_tells_of_a_change_while_another_file_is_dated_in_the_future) {
    auto const component = project.folder() / "src/components/shared/seo.json";
    fs::last_write_time(component, fs::file_time_type::clock::now() + 24h * 365 * 5);
    auto const dated = stamp();
    auto const changed = private_text();
    std::ofstream(schema) << changed;
    BOOST_TEST((stamp() != dated));
}

BOOST_AUTO_TEST_CASE(it_tells_that_two_files_changed_places) {
    project.component("shared", "one", R"("a": {"type": "string"})")
        .component("shared", "two", R"("b": {"type": "string"})");
    auto const folder = project.folder() / "src/components/shared";
    auto const placed = stamp();
    fs::rename(folder / "one.json", folder / "three");
    fs::rename(folder / "two.json", folder / "one.json");
    fs::rename(folder / "three", folder / "two.json");
    BOOST_TEST((stamp() != placed));
}

BOOST_AUTO_TEST_SUITE_END()
