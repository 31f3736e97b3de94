#include "fixture.hpp"

#include <atomic>
#include <charconv>
#include <thread>

// Equal requests that wait at the same time share one reading of the database.

using namespace faults;
using db::SqlPiece;

BOOST_AUTO_TEST_SUITE(freshness)

namespace {

std::size_t number_after(std::string_view word, std::string_view text) {
    std::size_t number = 0;
    if (auto const at = text.find(word); at != text.npos)
        std::from_chars(text.data() + at + word.size(), text.data() + text.size(), number);
    return number;
}

std::size_t selects(db::Connection& owner) {
    auto const row = server::ask(owner, SqlPiece("SELECT VARIABLE_VALUE FROM"
                                                 " information_schema.GLOBAL_STATUS"
                                                 " WHERE VARIABLE_NAME = 'COM_SELECT'"));
    return number_after("", row);
}

} // namespace

// Clients ask without pause for an entry that is written without pause.
BOOST_AUTO_TEST_CASE(no_response_is_older_than_its_request_and_equal_requests_share_readings) {
    constexpr std::size_t clients = 24;
    constexpr std::size_t requests = 100;
    ApplicationProcess const application({.database = server::setting("POPULATE_TEST_DATABASE"),
                                          .options = {"--workers=2"},
                                          .is_patient = true});
    auto const owner = server::open_owner();
    std::size_t const before = selects(*owner);

    std::atomic<std::size_t> written = 0;
    std::atomic<std::size_t> too_old = 0;
    std::atomic<std::size_t> answered = 0;
    std::atomic<std::size_t> finished = 0;
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < clients; ++i)
        threads.emplace_back([&] {
            auto client = application.connect();
            for (std::size_t n = 0; n < requests; ++n) {
                std::size_t const newest = written;
                auto const response =
                    client.ask(fastcgi::get("/api/tags?filters[id]=1&pagination[withCount]=0"));
                if (number_after("version ", response.body) < newest) ++too_old;
                if (response.status == 200) ++answered;
            }
            ++finished;
        });
    for (std::size_t version = 1; finished < clients; ++version) {
        db::SqlText sql("UPDATE tags SET name = CONCAT('version ', ");
        server::command(*owner, sql.integer(std::uint64_t{version}) << ") WHERE id = 1");
        written = version;
    }
    threads.clear();
    BOOST_TEST(answered == clients * requests);
    BOOST_TEST(too_old == 0U);
    std::size_t const readings = selects(*owner) - before;
    BOOST_TEST_MESSAGE(answered << " answers of " << readings << " readings");
    BOOST_TEST(readings < answered / 2);
}

BOOST_AUTO_TEST_SUITE_END()
