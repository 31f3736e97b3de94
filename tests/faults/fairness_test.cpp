#include "fixture.hpp"
#include "load.hpp"

#include <algorithm>

// Clients that ask for something expensive again and again keep nobody from something small.

using namespace faults;
using std::chrono::milliseconds;

BOOST_AUTO_TEST_SUITE(fairness)

namespace {

constexpr auto patience = 2'000ms; // the application's default acquire-timeout

// Between a refusal and the next try: not all of them are on the same machine, whose processors
// they would take from the database.
constexpr auto distance = 10ms;

// Seconds of the database's time: a hundred paths of four relations, for a word that nothing has.
std::string expensive_request(std::string const& word) {
    std::string uri = "/api/articles?";
    for (int i = 0; i < 100; ++i)
        uri += "filters[$or][" + std::to_string(i) +
               "][tags][articles][author][articles][title][$contains]=" + word + std::to_string(i) +
               "&";
    return uri;
}

// Returns the request that a client makes in its next turn.
using Requests = std::function<std::string(unsigned client, unsigned turn)>;

struct Sample {
    int status;
    milliseconds time;
};

// Clients that ask until `stop`.
class Askers {
  public:
    Askers(ApplicationProcess const& application, unsigned clients, Requests const& requests)
        : samples_(clients) {
        for (unsigned client = 0; client < clients; ++client)
            threads_.emplace_back([this, ask = ask_socket(application.address()), requests,
                                   client](std::stop_token const& stopped) {
                for (unsigned turn = 0; !stopped.stop_requested(); ++turn) {
                    auto const uri = requests(client, turn);
                    auto const start = Clock::now();
                    int const status = ask(uri).status;
                    samples_[client].push_back(
                        {status, std::chrono::ceil<milliseconds>(Clock::now() - start)});
                    if (status == 503) std::this_thread::sleep_for(distance);
                }
            });
    }

    // Returns the samples of all clients, the fastest first.
    std::vector<Sample> stop() {
        threads_.clear();
        std::vector<Sample> all;
        for (auto const& samples : samples_)
            all.insert(all.end(), samples.begin(), samples.end());
        std::ranges::sort(all, {}, &Sample::time);
        return all;
    }

  private:
    std::vector<std::vector<Sample>> samples_;
    std::vector<std::jthread> threads_;
};

std::size_t count_of(std::vector<Sample> const& samples, int status) {
    return static_cast<std::size_t>(std::ranges::count(samples, status, &Sample::status));
}

std::string summary(char const* name, std::vector<Sample> const& samples) {
    auto const at = [&](std::size_t part) {
        return std::to_string(samples[samples.size() * part / 1'000].time.count());
    };
    std::string text = std::string(name) + ": median " + at(500) + " ms, p99 " + at(990) +
                       " ms, longest " + std::to_string(samples.back().time.count()) + " ms";
    for (int const status : {200, 503, 504})
        text += ", " + std::to_string(count_of(samples, status)) + " x " + std::to_string(status);
    return text;
}

struct Round {
    char const* name;
    unsigned expensive_clients;
    Requests expensive;
};

} // namespace

BOOST_AUTO_TEST_CASE(
    who_asks_for_something_small_is_answered_beside_who_asks_for_something_expensive) {
    auto const small = [](unsigned client, unsigned turn) -> std::string {
        return turn % 2 == 0 ? "/api/tags?pagination[pageSize]=1"
                             : "/api/articles/" + std::to_string(1 + client) + "?populate=author";
    };
    Round const rounds[] = {
        {"all the same", 8, [](auto, auto) { return expensive_request("zzq"); }},
        {"each its own", 16,
         [](unsigned client, auto) {
             return expensive_request("zz" + std::to_string(client) + "q");
         }},
        {"each time another", 8,
         [](unsigned client, unsigned turn) {
             return expensive_request("z" + std::to_string(client) + "z" + std::to_string(turn) +
                                      "q");
         }},
    };
    ApplicationProcess const application({.database = server::setting("POPULATE_TEST_DATABASE")});
    BOOST_TEST_REQUIRE(application.responds("/_ready", 204), application.log());
    for (auto const& round : rounds)
        BOOST_TEST_CONTEXT(round.name) {
            Askers expensive(application, round.expensive_clients, round.expensive);
            Askers small_ones(application, 4, small);
            std::this_thread::sleep_for(6s); // how long they are watched
            auto const small_samples = small_ones.stop();
            auto const expensive_samples = expensive.stop();
            BOOST_TEST_MESSAGE(round.name << "\n  " << summary("small", small_samples) << "\n  "
                                          << summary("expensive", expensive_samples));

            BOOST_TEST(count_of(small_samples, 200) == small_samples.size());
            BOOST_TEST(small_samples[small_samples.size() / 2].time.count() <= 100);
            BOOST_TEST(small_samples[small_samples.size() * 99 / 100].time.count() <= 1'000);
            BOOST_TEST(count_of(expensive_samples, 200) + count_of(expensive_samples, 503) +
                           count_of(expensive_samples, 504) ==
                       expensive_samples.size());
            BOOST_TEST(count_of(expensive_samples, 200) > 0U);
            milliseconds longest{0}; // to a refusal
            for (auto const& sample : expensive_samples)
                if (sample.status == 503) longest = std::max(longest, sample.time);
            BOOST_TEST(longest.count() <= (patience + 500ms).count());
        }
}

BOOST_AUTO_TEST_SUITE_END()
