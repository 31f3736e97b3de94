#include "fcgi/check/settings_file.hpp"
#include "folder.hpp"

#include <boost/test/unit_test.hpp>

#include <iterator>

#include <sys/stat.h>
#include <unistd.h>

BOOST_AUTO_TEST_SUITE(settings_file)

namespace {

std::string content(std::filesystem::path const& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

BOOST_AUTO_TEST_CASE(a_value_is_set_and_everything_else_stays) {
    struct {
        char const* before;
        char const* after; // `name` set to `new`
    } const cases[] = {
        {"", "name = \"new\"\n"},
        {"# about\nother = 1\n", "# about\nother = 1\nname = \"new\"\n"},
        {"#name = old\nother = 1\n", "#name = old\nname = \"new\"\nother = 1\n"},
        {"# name = a\n# name = b\n\nother = 1",
         "# name = a\n# name = b\nname = \"new\"\n\nother = 1\n"},
        {"other = 1\n  name=old\n# end\n", "other = 1\nname = \"new\"\n# end\n"},
        {"#name = old\nname = older\n", "#name = old\nname = \"new\"\n"},
        {"names = 1\n", "names = 1\nname = \"new\"\n"},
    };
    for (auto const& [before, after] : cases) {
        BOOST_TEST_CONTEXT(before) {
            Folder const folder;
            folder.write("settings", before);
            auto text = fcgi::SettingsText::read(folder.path / "settings");
            BOOST_TEST_REQUIRE(text.has_value());
            BOOST_TEST(text->set("name", "new").has_value());
            BOOST_TEST(text->str() == after);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_was_set_is_read_again_or_refused) {
    for (std::string const value :
         {"a b", "a#b", "say \"no\"", "it's", "it's \"so\"", "\\n", " a "}) {
        BOOST_TEST_CONTEXT(value) {
            Folder const folder;
            fcgi::SettingsText text;
            BOOST_TEST(text.set("name", value).has_value());
            folder.write("settings", text.str());
            auto const again = fcgi::SettingsText::read(folder.path / "settings");
            BOOST_TEST_REQUIRE(again.has_value());
            BOOST_TEST(again->value("name") == value);
        }
    }
    for (std::string const value : {"a\nb", "\"'", "a\"b'c#d", "a\"b' "}) {
        BOOST_TEST_CONTEXT(value) {
            fcgi::SettingsText text;
            auto const done = text.set("name", value);
            BOOST_TEST_REQUIRE(!done.has_value());
            BOOST_TEST(done.error().message.find(value) == std::string::npos);
            BOOST_TEST(text.str() == "");
        }
    }
}

BOOST_AUTO_TEST_CASE(a_value_is_no_longer_set_and_its_comment_stays) {
    Folder const folder;
    folder.write("settings", "#name = 1\nname = 2\nother = 3\n");
    auto text = fcgi::SettingsText::read(folder.path / "settings");
    BOOST_TEST_REQUIRE(text.has_value());
    text->remove("name");
    BOOST_TEST(text->str() == "#name = 1\nother = 3\n");
}

BOOST_AUTO_TEST_CASE(a_link_or_folder_is_no_file_of_settings) {
    Folder const folder;
    folder.write("elsewhere", "name = 1\n");
    std::filesystem::create_symlink(folder.path / "elsewhere", folder.path / "link");
    std::filesystem::create_symlink(folder.path / "nowhere", folder.path / "dangling");
    for (auto const name : {"link", "dangling", "."})
        BOOST_TEST(!fcgi::SettingsText::read(folder.path / name).has_value(), name);
}

BOOST_AUTO_TEST_CASE(a_file_takes_the_place_of_another_as_a_whole_or_not_at_all) {
    Folder const folder;
    auto const place = folder.path / "settings";
    folder.write("settings", "old");
    {
        auto const given_up = fcgi::StagedFile::write(place, "new", ::getgid());
        BOOST_TEST_REQUIRE(given_up.has_value());
        BOOST_TEST(content(given_up->path()) == "new");
        BOOST_TEST(content(place) == "old");
        BOOST_TEST(!fcgi::StagedFile::write(place, "third", ::getgid()).has_value());
    }
    BOOST_TEST(content(place) == "old");
    {
        auto put = fcgi::StagedFile::write(place, "new", ::getgid());
        BOOST_TEST_REQUIRE(put.has_value());
        BOOST_TEST(put->put_in_place().has_value());
    }
    BOOST_TEST(content(place) == "new");
    struct stat facts{};
    BOOST_TEST(::stat(place.c_str(), &facts) == 0);
    BOOST_TEST((facts.st_mode & 07777) == 0640);
    BOOST_TEST(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

BOOST_AUTO_TEST_CASE(what_a_killed_setup_left_is_no_obstacle_and_no_link_is_followed) {
    Folder const folder;
    folder.write("elsewhere", "mine");
    std::filesystem::create_symlink(folder.path / "elsewhere", folder.path / ".settings.setup");
    auto put = fcgi::StagedFile::write(folder.path / "settings", "new", ::getgid());
    BOOST_TEST_REQUIRE(put.has_value());
    BOOST_TEST(put->put_in_place().has_value());
    BOOST_TEST(content(folder.path / "elsewhere") == "mine");
    BOOST_TEST(content(folder.path / "settings") == "new");
    BOOST_TEST(!std::filesystem::is_symlink(folder.path / "settings"));
}

BOOST_AUTO_TEST_SUITE_END()
