#include "disturbances.hpp"
#include "reader.hpp"
#include "session.hpp"
#include "tests/faults/chaos_proxy.hpp"
#include "writer.hpp"

#include <csignal>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <vector>

// Writers commit and note what was acknowledged; readers ask the application and note what they
// saw. A response that is older than what was acknowledged, or seen by another reader, before its
// request was sent, is stale.

using namespace hammer;

namespace {

using Seconds = std::chrono::duration<double>;

// A machine that is slow, or a server that is down, gets so many times the time that was given, to
// come to the hits that are wanted.
constexpr int slowest = 6;

// Of the cache that the readers ask.
std::uint64_t hits(Run const& run, cache_test::Counts const& counted) {
    if (!run.options.ask.empty()) return run.edge_hits;
    return static_cast<std::uint64_t>(cache_test::uses(counted, "hit"));
}

bool is_enough(Run const& run, Application& application, Clock::time_point start) {
    auto const& options = run.options;
    if (options.expects_stale && run.is_stale()) return true;
    Seconds const took = Clock::now() - start;
    if (took < Seconds(options.seconds) || run.reads < options.reads || run.writes < options.writes)
        return false;
    return took >= slowest * Seconds(options.seconds) ||
           hits(run, application.counted()) >= options.hits;
}

// The database's URL, through the proxy if it has a socket.
std::string through(std::string const& proxy, std::string url) {
    constexpr std::string_view before = "socket=";
    auto socket = url.find(before);
    if (socket == url.npos) return url;
    socket += before.size();
    return url.replace(socket, url.find('&', socket) - socket, proxy);
}

std::string socket_of(std::string const& url) {
    return db::parse_database_url(url).value().first().socket;
}

void work(Run& run, Application& application, faults::ChaosProxy& proxy) {
    Disturbances const disturbances({run, application, proxy});
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < run.options.writers; ++i)
        threads.emplace_back([&run, i](std::stop_token stopped) { Writer(run, i).work(stopped); });
    for (unsigned i = 0; i < run.options.readers; ++i)
        threads.emplace_back([&run, &application, i](std::stop_token stopped) {
            Reader(run, application.asked(), i).work(stopped);
        });
    for (auto const start = Clock::now();
         !is_enough(run, application, start) && !disturbances.failure();)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (auto& thread : threads)
        thread.request_stop();
    threads.clear();
    if (auto const counts = disturbances.counts(); !counts.empty())
        std::cout << "disturbed: " << counts << '\n';
    if (auto const failure = disturbances.failure()) throw std::runtime_error(*failure);
}

void print(Run const& run, cache_test::Counts const& counted, Seconds took) {
    for (auto const& [name, count] : counted)
        if (count > 0) std::cout << name << ' ' << count << '\n';
    std::cout << "reads " << run.reads << " (304: " << run.unchanged << ", hits "
              << hits(run, counted) << "), refused " << run.refused << "; writes " << run.writes
              << ", rolled back " << run.rolled_back << ", of unknown outcome " << run.unknown
              << "; in " << took.count() << " s\n"
              << "stale: vs acknowledged " << run.older_than_acknowledged << ", vs seen "
              << run.older_than_seen << "; wrong: " << run.wrong << '\n';
    if (!run.told().empty()) std::cout << run.told() << '\n';
}

// A naive program asks by the pool's account where the log ends.
void admit_requests(Options const& options) {
    Session owner(db::parse_database_url(options.owner).value().first());
    owner.run(db::SqlPiece("GRANT REPLICATION CLIENT ON *.* TO populate@localhost"));
}

bool hammer_it(Options const& options) {
    auto const server = socket_of(options.owner);
    auto const proxied = server + ".proxy";
    faults::ChaosProxy proxy(proxied, server);
    proxy.set({.delay = options.delay});
    Run run(options);
    if (options.expects_stale) admit_requests(options);
    Application application(options, through(proxied, options.reader));
    auto const start = Clock::now();
    work(run, application, proxy);
    if (!options.expects_stale) Reader(run, application.asked(), 0).ask_all(2); // at rest
    auto const took = Seconds(Clock::now() - start);
    bool const ended = application.end();
    auto const counted = application.counted();
    print(run, counted, took);
    if (!ended || run.wrong > 0) std::cout << application.log();
    bool const passed = ended && run.wrong == 0 && run.reads > 0 && run.writes > 0 &&
                        run.is_stale() == options.expects_stale &&
                        hits(run, counted) >= options.hits;
    std::cout << (passed ? "passed\n" : "FAILED\n");
    return passed;
}

} // namespace

int main(int argc, char** argv) try {
    std::signal(SIGPIPE, SIG_IGN);
    ::curl_global_init(CURL_GLOBAL_DEFAULT);
    return hammer_it(read_options(argc, argv)) ? 0 : 1;
} catch (std::exception const& error) {
    std::cerr << "hammer: " << error.what() << '\n';
    return 1;
}
