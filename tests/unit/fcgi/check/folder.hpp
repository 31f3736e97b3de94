#pragma once

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>

// A folder of a test's own, which goes with it.
class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "setup-test-XXXXXX").string();
        BOOST_TEST_REQUIRE(::mkdtemp(name.data()) != nullptr);
        path = name;
    }
    Folder(Folder const&) = delete;
    Folder& operator=(Folder const&) = delete;
    ~Folder() { std::filesystem::remove_all(path); }

    void write(std::string const& name, std::string const& text) const {
        std::filesystem::create_directories((path / name).parent_path());
        std::ofstream(path / name) << text;
    }

    std::filesystem::path path;
};
