#include "server_process.hpp"

#include <boost/test/unit_test.hpp>

// The handler is given the whole request, and the client gets its response.

using namespace fastcgi;

BOOST_AUTO_TEST_SUITE(requests)

BOOST_FIXTURE_TEST_CASE(path_and_query_are_the_raw_bytes_of_the_request_uri, Connected) {
    struct {
        std::string uri, path, query;
    } const table[] = {
        {"/api/x", "/api/x", ""},
        {"/api/x?", "/api/x", ""},
        {"/api/x?a=%20&b[c]=?d", "/api/x", "a=%20&b[c]=?d"},
        {"/api//x/%2e%2E/\xC3?\xFF", "/api//x/%2e%2E/\xC3", "\xFF"},
        {"http://example.org/api/x?q=1", "/api/x", "q=1"},
    };
    for (auto const& row : table)
        BOOST_TEST_CONTEXT(row.uri) {
            auto const expected = "GET\n" + row.path + "\n" + row.query + "\n\n\n\n\n\n";
            BOOST_TEST(client.ask(get(row.uri)).body == expected);
        }
}

BOOST_FIXTURE_TEST_CASE(without_request_uri_the_other_parameters_serve, Connected) {
    struct {
        Parameters parameters;
        std::string path;
    } const table[] = {
        {{{"DOCUMENT_URI", "/api/x"}, {"SCRIPT_NAME", "/other"}}, "/api/x"},
        {{{"REQUEST_URI", ""}, {"DOCUMENT_URI", "/api/x"}}, "/api/x"},
        {{{"SCRIPT_NAME", "/api"}, {"PATH_INFO", "/x"}}, "/api/x"},
        {{{"SCRIPT_NAME", "/api/x"}}, "/api/x"},
        {{{"PATH_INFO", "/api/x"}}, "/api/x"},
        {{}, ""},
    };
    for (auto row : table) {
        row.parameters.emplace_back("REQUEST_METHOD", "GET");
        row.parameters.emplace_back("QUERY_STRING", "a=1");
        BOOST_TEST(client.ask(row.parameters).body == "GET\n" + row.path + "\na=1\n\n\n\n\n\n");
    }
}

BOOST_AUTO_TEST_CASE(the_headers_that_matter_reach_the_handler) {
    ServerProcess server;
    auto response = server.ask(request_of("OPTIONS", "/api/x",
                                          {{"HTTP_AUTHORIZATION", "Bearer t"},
                                           {"HTTP_ORIGIN", "http://o"},
                                           {"HTTP_ACCESS_CONTROL_REQUEST_METHOD", "PUT"},
                                           {"HTTP_IF_NONE_MATCH", "\"e\""},
                                           {"HTTP_STRAPI_RESPONSE_FORMAT", "v4"}}));
    BOOST_TEST(response.body == "OPTIONS\n/api/x\n\nBearer t\nhttp://o\nPUT\n\"e\"\nv4\n");
}

BOOST_FIXTURE_TEST_CASE(a_request_without_a_method_is_refused_before_the_handler, Connected) {
    Parameters const table[] = {
        {}, {{"REQUEST_URI", "/api/x"}}, {{"REQUEST_METHOD", ""}, {"REQUEST_URI", "/api/x"}}};
    for (auto const& parameters : table) {
        auto response = client.ask(parameters);
        BOOST_TEST(response.status == 400);
        BOOST_TEST(response.body.find("BadRequestError") != response.body.npos);
    }
    BOOST_TEST(client.ask(get("/calls")).body == "0");
}

BOOST_AUTO_TEST_CASE(of_a_parameter_sent_twice_the_first_counts) {
    ServerProcess server;
    auto response = server.ask({{"REQUEST_METHOD", "GET"},
                                {"REQUEST_METHOD", "PUT"},
                                {"REQUEST_URI", "/first"},
                                {"REQUEST_URI", "/second"}});
    BOOST_TEST(response.body == "GET\n/first\n\n\n\n\n\n\n");
}

BOOST_AUTO_TEST_CASE(a_response_of_eight_megabytes_reaches_a_slow_reader_unchanged) {
    std::size_t const size = 8 * 1024 * 1024;
    ServerProcess server;
    auto client = server.connect();
    client.send(request(get("/bytes?" + std::to_string(size))));
    std::string output;
    while (auto record = client.read_record()) {
        if (record->type == end_request) break;
        output += record->content;
        // Slow: asks only once the server could not go on.
        static_cast<void>(client.has_arrivals_within(std::chrono::milliseconds(1)));
    }
    auto const body = output.find("\r\n\r\n") + 4;
    BOOST_REQUIRE(output.size() - body == size);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < size; ++i)
        wrong += output[body + i] != static_cast<char>(i * 31 + (i >> 8) * 7);
    BOOST_TEST(wrong == 0U);
    BOOST_TEST(client.ask(get("/echo")).status == 200);
}

BOOST_FIXTURE_TEST_CASE(responses_around_the_size_of_a_record_are_whole, Connected) {
    for (std::size_t size : {0U, 1U, 65'000U, 65'400U, 65'528U, 65'535U, 65'536U, 131'072U}) {
        auto response = client.ask(get("/bytes?" + std::to_string(size)));
        BOOST_TEST(response.body.size() == size);
        BOOST_TEST(response.header("Content-Length") == std::to_string(size));
    }
}

BOOST_FIXTURE_TEST_CASE(head_gets_the_headers_of_get_without_its_body, Connected) {
    auto head = client.ask(request_of("HEAD", "/bytes?100000"));
    BOOST_TEST(head.header("Content-Length") == "100000");
    BOOST_TEST(head.body.empty());
    BOOST_TEST(client.ask(get("/bytes?10")).body.size() == 10U);
}

BOOST_AUTO_TEST_CASE(a_line_end_in_a_header_value_makes_no_header) {
    ServerProcess server;
    auto response = server.ask(get("/split"));
    BOOST_TEST(response.header("X-Injected").empty());
    BOOST_TEST(response.header("X-Value") == "one  X-Injected: two");
}

BOOST_AUTO_TEST_SUITE_END()
