#include "tests/properties/sample.hpp"

#include <atomic>
#include <iostream>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>

// Sends mutants of recorded requests and fails if a response is wrong whatever was asked.

using namespace properties;

namespace {

struct Findings {
    std::mutex mutex;
    std::map<int, std::uint64_t> statuses;
    std::map<std::string, std::vector<Request>> faults;
    std::chrono::steady_clock::duration longest{0};
    Request slowest;
};

void send(std::string const& socket, Sample const& sample, std::atomic<std::uint64_t>& next,
          Findings& findings) {
    Application application(socket);
    for (std::uint64_t number = next++; number < sample.mutants(); number = next++) {
        auto const request = sample.mutant(number);
        auto const start = std::chrono::steady_clock::now();
        auto const response = application.response(request);
        auto const duration = std::chrono::steady_clock::now() - start;
        auto const problem = fault(request, response);

        std::lock_guard const lock(findings.mutex);
        ++findings.statuses[response.status];
        if (!problem.empty()) findings.faults[problem].push_back(request);
        // The application may be gone; each further request would wait for it.
        if (response.status == 0) next = sample.mutants();
        if (duration > findings.longest) {
            findings.longest = duration;
            findings.slowest = request;
        }
    }
}

// The same request without each parameter that the fault does not need.
Request smallest(Request request, std::string const& problem, Application& application) {
    if (problem.starts_with("no answer")) return request;
    auto pieces = pieces_of(request.url, "?&");
    for (std::size_t i = pieces.size(); i-- > 1;) {
        auto fewer = pieces;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        if (fewer.size() > 1) fewer[1][0] = '?';
        Request trial = request;
        trial.url = std::accumulate(fewer.begin(), fewer.end(), std::string());
        if (fault(trial, application.response(trial)) != problem) continue;
        pieces = std::move(fewer);
        request = std::move(trial);
    }
    return request;
}

void print_faults(std::string const& socket, Findings& findings) {
    constexpr std::ptrdiff_t shown = 5;
    Application application(socket);
    for (auto& [problem, requests] : findings.faults) {
        std::cout << '\n' << requests.size() << " x " << problem << '\n';
        std::ranges::sort(requests, {}, [](Request const& request) { return request.url.size(); });
        requests.resize(std::min<std::size_t>(requests.size(), shown));
        for (Request const& request : requests)
            std::cout << "  " << reproduction(smallest(request, problem, application)) << '\n';
    }
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Sends mutants of recorded requests");
    Sample sample(app);
    std::string socket;
    unsigned connections = 4;
    app.add_option("--socket", socket)->required()->envname("STACK_SOCKET");
    app.add_option("--connections", connections)->check(CLI::Range(1, 64));
    CLI11_PARSE(app, argc, argv);
    sample.load();

    Findings findings;
    std::atomic<std::uint64_t> next = 0;
    {
        std::vector<std::jthread> threads;
        for (unsigned i = 0; i < connections; ++i)
            threads.emplace_back([&] { send(socket, sample, next, findings); });
    }
    for (auto const& [status, count] : findings.statuses)
        std::cout << count << " x " << status << '\n';
    std::cout << "slowest: "
              << std::chrono::duration_cast<std::chrono::milliseconds>(findings.longest).count()
              << " ms, " << reproduction(findings.slowest) << '\n';
    print_faults(socket, findings);

    // Mutants that all fail, or none, would show nothing.
    for (int const status : {200, 400})
        if (findings.statuses[status] * 10 < sample.mutants()) {
            std::cout << "less than a tenth of the answers is a " << status << '\n';
            return 1;
        }
    return findings.faults.empty() ? 0 : 1;
}
