#include "server_process.hpp"

#include <boost/test/unit_test.hpp>

// However a request arrives, it gets the same response, and so does the next one on its connection.

using namespace fastcgi;

BOOST_AUTO_TEST_SUITE(arrival)

namespace {

std::string const echoed = "GET\n/api/x\na=1\n\n\n\n\n\n";

void check_reuse(Client& client) {
    BOOST_TEST(client.ask(get("/api/x?a=1")).body == echoed);
}

// Parameters whose wire form has exactly `bytes` bytes, with one that fills them up.
Parameters parameters_of_size(std::size_t bytes) {
    auto parameters = get("/api/x?a=1");
    auto const used = pairs(parameters).size();
    auto const lengths = 5U; // one byte for the name's, four for the value's
    std::string const name = "FILL";
    parameters.emplace_back(name, std::string(bytes - used - name.size() - lengths, 'f'));
    BOOST_REQUIRE(pairs(parameters).size() == bytes);
    return parameters;
}

std::string in_records_of(std::size_t size, std::string_view parameters, std::size_t padding = 0) {
    auto out = begin();
    for (; !parameters.empty(); parameters.remove_prefix(std::min(size, parameters.size())))
        out += record(params, 1, parameters.substr(0, size), padding);
    return out + record(params, 1, {}) + record(std_in, 1, {});
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_request_in_one_piece_is_answered, Connected) {
    auto response = client.ask(get("/api/x?a=1"));
    BOOST_TEST(response.status == 200);
    BOOST_TEST(response.header("Content-Type") == "text/plain");
    BOOST_TEST(response.header("Content-Length") == std::to_string(echoed.size()));
    BOOST_TEST(response.body == echoed);
    check_reuse(client);
}

BOOST_FIXTURE_TEST_CASE(a_request_arriving_byte_by_byte_is_answered, Connected) {
    // More one-byte pieces than the buffer of a unix socket holds at once.
    auto const parameters = get("/api/x?a=1", {{"HTTP_COOKIE", std::string(2000, 'c')}});
    for (char byte : request(parameters))
        client.send({&byte, 1});
    BOOST_TEST(client.read_response().body == echoed);
    check_reuse(client);
}

BOOST_FIXTURE_TEST_CASE(a_request_split_at_any_place_is_answered, Connected) {
    auto const whole = request(get("/api/x?a=1"), Keep::yes, "body");
    for (std::size_t at = 1; at < whole.size(); ++at) {
        client.send(std::string_view(whole).substr(0, at));
        client.send(std::string_view(whole).substr(at));
        BOOST_REQUIRE(client.read_response().body == echoed);
    }
}

BOOST_FIXTURE_TEST_CASE(parameters_may_be_cut_into_records_anywhere, Connected) {
    for (std::size_t size : {1U, 2U, 3U, 7U, 100U}) {
        client.send(in_records_of(size, pairs(get("/api/x?a=1"))));
        BOOST_TEST(client.read_response().body == echoed);
    }
}

BOOST_FIXTURE_TEST_CASE(sixty_kilobytes_of_parameters_in_one_byte_records_are_answered, Connected) {
    client.send(in_records_of(1, pairs(parameters_of_size(60'000))));
    BOOST_TEST(client.read_response().body == echoed);
    check_reuse(client);
}

BOOST_FIXTURE_TEST_CASE(padding_is_skipped_wherever_it_is, Connected) {
    auto const all = pairs(get("/api/x?a=1"));
    std::string const begin_content = begin().substr(8);
    client.send(record(begin_request, 1, begin_content, 7) + record(params, 1, all, 255) +
                record(params, 1, {}, 8) + record(std_in, 1, "body", 4) + record(std_in, 1, {}, 3));
    BOOST_TEST(client.read_response().body == echoed);
    check_reuse(client);
}

BOOST_FIXTURE_TEST_CASE(a_body_that_comes_late_does_not_hold_the_response_up, Connected) {
    client.send(begin() + record(params, 1, pairs(get("/api/x?a=1"))) + record(params, 1, {}));
    BOOST_TEST(client.read_response().body == echoed);
    client.send(record(std_in, 1, "late"));
    client.send(record(std_in, 1, {}));
    check_reuse(client);
}

BOOST_FIXTURE_TEST_CASE(a_body_of_twenty_kilobytes_is_ignored, Connected) {
    client.send(request(get("/api/x?a=1"), Keep::yes, std::string(20'000, 'b')));
    BOOST_TEST(client.read_response().body == echoed);
    check_reuse(client);
}

BOOST_FIXTURE_TEST_CASE(a_body_of_a_megabyte_is_answered_and_the_connection_closed, Connected) {
    client.send(begin() + record(params, 1, pairs(get("/api/x?a=1"))) + record(params, 1, {}));
    std::string const piece = record(std_in, 1, std::string(65'000, 'b'));
    for (int i = 0; i < 16; ++i)
        client.try_send(piece);
    BOOST_TEST(client.read_response().body == echoed);
    BOOST_TEST(client.is_closed_by_server());
}

BOOST_FIXTURE_TEST_CASE(a_second_request_that_does_not_wait_is_answered_after_the_first,
                        Connected) {
    client.send(request(get("/api/x?a=1")) + request(get("/api/y")) + request(get("/api/x?a=1")));
    BOOST_TEST(client.read_response().body == echoed);
    BOOST_TEST(client.read_response().body == "GET\n/api/y\n\n\n\n\n\n\n");
    BOOST_TEST(client.read_response().body == echoed);
}

BOOST_FIXTURE_TEST_CASE(a_client_that_closes_its_side_after_the_request_is_answered, Connected) {
    client.send(request(get("/api/x?a=1")));
    client.shut_sending();
    BOOST_TEST(client.read_response().body == echoed);
    BOOST_TEST(client.is_closed_by_server());
}

BOOST_FIXTURE_TEST_CASE(a_connection_not_to_be_kept_is_closed_after_the_response, Connected) {
    BOOST_TEST(client.ask(get("/api/x?a=1"), Keep::no).body == echoed);
    BOOST_TEST(client.is_closed_by_server());
}

BOOST_FIXTURE_TEST_CASE(parameters_at_the_limit_are_answered, Connected) {
    client.send(in_records_of(30'000, pairs(parameters_of_size(65'536))));
    BOOST_TEST(client.read_response().body == echoed);
    check_reuse(client);
}

BOOST_FIXTURE_TEST_CASE(parameters_one_byte_over_the_limit_are_refused_by_name, Connected) {
    client.send(in_records_of(30'000, pairs(parameters_of_size(65'537))));
    auto response = client.read_response();
    BOOST_TEST(response.status == 400);
    BOOST_TEST(response.header("Content-Type") == "application/json; charset=utf-8");
    std::string const refusal =
        R"json({"data":null,"error":{"status":400,"name":"ValidationError",)json"
        R"json("message":"The request is over parameters-limit (65536 bytes)",)json"
        R"json("details":{}}})json";
    BOOST_TEST(response.body == refusal);
    BOOST_TEST(client.is_closed_by_server());
    BOOST_TEST(server.ask(get("/calls")).body == "0");
}

BOOST_AUTO_TEST_CASE(while_memory_is_short_long_heads_are_refused_and_short_ones_answered) {
    ServerProcess server({.limits = {"workers=1", "memory=4194304"}});
    auto blocks = server.connect();
    blocks.send(request(get("/block")));
    server.wait_for_blocked(1);
    std::vector<Client> clients; // that wait for the worker, with more than half of the memory
    for (int i = 0; i < 60; ++i) {
        clients.push_back(server.connect());
        clients.back().send(request(parameters_of_size(60'000)));
    }
    auto& last = clients.back();
    auto const refused = last.read_response();
    BOOST_TEST(refused.status == 503);
    BOOST_TEST(refused.header("Retry-After") == "1");
    BOOST_TEST(last.is_closed_by_server());
    BOOST_TEST(number_of(server.ask(needs_no_worker(1))) == 1);
    BOOST_TEST(server.log().find("refused a request: the memory budget is used up") !=
               std::string::npos);
    server.release(1);
    clients.clear();
    BOOST_TEST(eventually([&] { // they hold nothing any more
        return server.ask(parameters_of_size(60'000)).status == 200;
    }));
}

BOOST_AUTO_TEST_CASE(three_thousand_parameters_are_answered) {
    ServerProcess server;
    auto parameters = get("/api/x?a=1");
    for (int i = 0; i < 3000; ++i)
        parameters.emplace_back("HTTP_P" + std::to_string(i), "value");
    BOOST_TEST(server.ask(parameters).body == echoed);
}

BOOST_AUTO_TEST_SUITE_END()
