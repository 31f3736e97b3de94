#include "fcgi/check/check.hpp"
#include "parser/base/units.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t mebibyte = 1024 * 1024;
// What the process takes besides its requests: the program, the schema, stacks, the memory of the
// database library.
constexpr std::size_t beside_requests = 64 * mebibyte;
// Less than this for requests is never advised.
constexpr std::size_t least_memory = 16 * mebibyte;

struct MemoryLimit {
    std::string name;
    std::size_t bytes;
};

// Returns the number that a file begins with, and nothing for `max`.
std::optional<std::size_t> number_in(fs::path const& file) {
    std::ifstream stream(file);
    std::string word;
    if (!(stream >> word)) return std::nullopt;
    return parser::read_number(word);
}

// Finds the lowest limit of a cgroup and those above it.
void look_up(fs::path const& base, std::string_view path, std::string const& file,
             std::optional<MemoryLimit>& lowest) {
    for (fs::path group = fs::path(path).relative_path();; group = group.parent_path()) {
        auto const bytes = number_in(base / group / file);
        if (bytes && (!lowest || *bytes < lowest->bytes))
            lowest = MemoryLimit{"the cgroup /" + group.string() + " (" + file + ')', *bytes};
        if (group.empty()) return;
    }
}

// cgroups(7): a line is `ID:CONTROLLERS:PATH`; without controllers it is one of version 2.
std::optional<MemoryLimit> cgroup_limit(fs::path const& root) {
    std::optional<MemoryLimit> lowest;
    std::ifstream groups(root / "proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        auto const first = line.find(':');
        auto const second = line.find(':', first + 1);
        if (second == line.npos) continue;
        auto const controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
        auto const path = std::string_view(line).substr(second + 1);
        if (controllers == ",,")
            look_up(root / "sys/fs/cgroup", path, "memory.max", lowest);
        else if (controllers.find(",memory,") != controllers.npos)
            look_up(root / "sys/fs/cgroup/memory", path, "memory.limit_in_bytes", lowest);
    }
    return lowest;
}

// proc(5): the first line is `MemTotal:  2035372 kB`.
std::optional<MemoryLimit> machine_limit(fs::path const& root) {
    std::ifstream lines(root / "proc/meminfo");
    std::string name;
    std::size_t kibibytes = 0;
    if (!(lines >> name >> kibibytes) || name != "MemTotal:") return std::nullopt;
    return MemoryLimit{"the machine", kibibytes * 1024};
}

// proc(5): a line of limits is `Max address space     400000000   unlimited   bytes`. Returns
// nothing for `unlimited`.
std::optional<std::size_t> process_limit(fs::path const& root, std::string_view name) {
    std::ifstream limits(root / "proc/self/limits");
    for (std::string line; std::getline(limits, line);) {
        if (!line.starts_with(name)) continue;
        std::string word;
        std::istringstream(line.substr(name.size())) >> word;
        return parser::read_number(word);
    }
    return std::nullopt;
}

// The addresses that a process may have (ulimit -v), less those of its threads' stacks, which are
// mostly never used.
std::optional<MemoryLimit> address_limit(fs::path const& root, Options const& options) {
    constexpr std::size_t other_threads = 8;
    auto const bytes = process_limit(root, "Max address space");
    if (!bytes) return std::nullopt;
    auto const stack = process_limit(root, "Max stack size").value_or(2 * mebibyte);
    auto const stacks = (options.workers + other_threads) * stack;
    return MemoryLimit{"a process (ulimit -v, without stacks)", *bytes - std::min(stacks, *bytes)};
}

// Returns what the process may take besides its requests.
std::size_t beside_memory(Options const& options) {
    return beside_requests + (options.cache ? options.cache_memory : 0);
}

std::string fix_of(Options const& options, std::size_t room) {
    std::string fix;
    auto const beside = beside_memory(options);
    if (room >= beside + least_memory) {
        auto const memory = (room - beside) / mebibyte * mebibyte;
        fix = "set memory = " + parser::write_size(memory);
        auto const most = memory / 4;
        if (options.limits.response > most)
            fix += " and response-limit = " + parser::write_size(most / mebibyte * mebibyte);
        fix += ", or ";
    }
    return fix + "add memory there";
}

} // namespace

std::vector<Finding> check_memory(Options const& options, fs::path const& root) {
    std::vector<Finding> findings;
    std::size_t const most = options.memory + beside_memory(options);
    std::string const parts = options.cache ? "memory, cache-memory and 64M" : "memory and 64M";
    for (auto const& limit :
         {address_limit(root, options), cgroup_limit(root), machine_limit(root)}) {
        if (!limit || most <= limit->bytes) continue;
        findings.push_back(
            {Finding::problem,
             "memory: the program may take " + parser::write_size(most) + " (" + parts + "), and " +
                 limit->name + " has " +
                 parser::write_size(std::max(limit->bytes / mebibyte * mebibyte, mebibyte)),
             fix_of(options, limit->bytes)});
    }
    return findings;
}

} // namespace fcgi
