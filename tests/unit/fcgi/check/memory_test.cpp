#include "fcgi/check/check.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

// These tests make machines of files, and read what is reported of the memory that the program
// may take.

BOOST_AUTO_TEST_SUITE(check_memory)

namespace {

namespace fs = std::filesystem;

constexpr std::size_t mebibyte = 1024 * 1024;

// The folder that a machine's files are below: path -> content.
class Machine {
  public:
    explicit Machine(std::map<std::string, std::string> const& files) {
        for (auto const& [name, content] : files) {
            fs::create_directories((root_ / name).parent_path());
            std::ofstream(root_ / name) << content << '\n';
        }
    }
    Machine(Machine const&) = delete;
    Machine& operator=(Machine const&) = delete;
    ~Machine() { fs::remove_all(root_); }

    // Of a program that may take so much, 64 MiB of it not for requests.
    std::vector<fcgi::Finding> findings(std::size_t mebibytes) const {
        fcgi::Options options;
        options.memory = (mebibytes - 64) * mebibyte;
        options.limits.response = 32 * mebibyte;
        return fcgi::check_memory(options, root_);
    }

  private:
    static fs::path new_folder() {
        std::string name = (fs::temp_directory_path() / "memory-test-XXXXXX").string();
        BOOST_TEST_REQUIRE(::mkdtemp(name.data()) != nullptr);
        return name;
    }
    fs::path root_ = new_folder();
};

std::pair<std::string const, std::string> const two_gibibytes{"proc/meminfo",
                                                              "MemTotal:        2097152 kB"};
std::string const v2 = "sys/fs/cgroup/";
std::string const v1 = "sys/fs/cgroup/memory/";

bool contains(std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_program_fits_up_to_the_lowest_limit) {
    struct {
        std::string name;
        std::map<std::string, std::string> files;
        std::size_t fit; // MiB; one more does not
    } const cases[] = {
        {"the machine alone", {two_gibibytes}, 2048},
        {"no limit",
         {two_gibibytes, {"proc/self/cgroup", "0::/a"}, {v2 + "a/memory.max", "max"}},
         2048},
        {"its own limit",
         {two_gibibytes, {"proc/self/cgroup", "0::/a/b"}, {v2 + "a/b/memory.max", "536870912"}},
         512},
        {"one above it",
         {two_gibibytes,
          {"proc/self/cgroup", "0::/a/b"},
          {v2 + "a/b/memory.max", "max"},
          {v2 + "a/memory.max", "536870912"}},
         512},
        {"the uppermost, as containers see it",
         {two_gibibytes, {"proc/self/cgroup", "0::/"}, {v2 + "memory.max", "805306368"}},
         768},
        {"version 1",
         {two_gibibytes,
          {"proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/a\n0::/"},
          {v1 + "a/memory.limit_in_bytes", "536870912"},
          {v1 + "memory.limit_in_bytes", "9223372036854771712"}},
         512},
    };
    for (auto const& [name, files, fit] : cases) {
        Machine const machine(files);
        BOOST_TEST(machine.findings(fit).empty(), name);
        BOOST_TEST(machine.findings(fit + 1).size() == 1U, name);
    }
}

// 256 MiB, and stacks of 8 MiB for the workers and some more threads.
BOOST_AUTO_TEST_CASE(the_program_fits_into_the_addresses_that_it_may_have) {
    struct {
        char const* megabytes;
        bool fits;
    } const cases[] = {
        {"unlimited", true}, {"1024", true}, {"400", true}, {"280", false}, {"60", false}};
    for (auto const& [megabytes, fits] : cases) {
        auto const limit = std::string(megabytes) + (*megabytes == 'u' ? "" : "000000");
        Machine const machine(
            {{"proc/self/limits", "Limit                     Soft Limit           Hard Limit\n"
                                  "Max stack size            8388608              unlimited bytes\n"
                                  "Max address space         " +
                                      limit + "            unlimited            bytes"}});
        auto const told = machine.findings(256);
        BOOST_TEST_REQUIRE(told.empty() == fits, megabytes);
        BOOST_TEST((fits || contains(told[0].what, "a process (ulimit -v, without stacks) has")));
    }
}

BOOST_AUTO_TEST_CASE(where_nothing_is_known_nothing_is_told) {
    BOOST_TEST(Machine({}).findings(1000).empty());
    BOOST_TEST(Machine({{"proc/meminfo", "?"}, {"proc/self/cgroup", "?"}}).findings(1000).empty());
}

BOOST_AUTO_TEST_CASE(each_limit_that_is_passed_has_a_line_with_its_fix) {
    auto const with_limit = [](std::string const& bytes) {
        return Machine({two_gibibytes,
                        {"proc/self/cgroup", "0::/system.slice/a.service"},
                        {v2 + "system.slice/a.service/memory.max", bytes}});
    };
    auto const told = with_limit("134217728").findings(3072);
    BOOST_TEST_REQUIRE(told.size() == 2U);
    BOOST_TEST((told[0].severity == fcgi::Finding::problem));
    BOOST_TEST(contains(told[0].what, "/system.slice/a.service (memory.max) has 128M"));
    // 128 MiB - 64 MiB, a quarter of which is less than the 32 MiB that are set.
    BOOST_TEST(contains(told[0].fix, "set memory = 64M and response-limit = 16M"));
    BOOST_TEST(contains(told[1].what, "the machine has 2G"));
    BOOST_TEST(contains(told[1].fix, "set memory = 1984M, or add memory there"));
    // Beside the 64 MiB less than 16 MiB are left for requests.
    BOOST_TEST(!contains(with_limit("79000000").findings(3072)[0].fix, "set memory"));
}

BOOST_AUTO_TEST_SUITE_END()
