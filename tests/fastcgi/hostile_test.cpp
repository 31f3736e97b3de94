#include "server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <random>

// Anyone who can write to the socket gets an error or is closed; the server lives, the handler is
// not called, and libfcgi sees none of it.

using namespace fastcgi;

BOOST_AUTO_TEST_SUITE(hostile)

namespace {

// The server stands as if `bytes` had never come.
void check_unharmed(ServerProcess const& server) {
    BOOST_TEST(server.ask(get("/calls")).body == "0");
}

std::string head_with(std::string_view parameters) {
    return begin() + record(params, 1, parameters) + record(params, 1, {});
}

} // namespace

// To libfcgi it would be the parameter HTTP_IF_NONE_MATCH, and to those who wait for a worker with
// the same URL this request would be one of theirs.
BOOST_FIXTURE_TEST_CASE(a_name_with_an_equals_sign_is_refused, Connected) {
    client.send(request(get("/shared", {{"HTTP_IF_NONE_MATCH=\"*\"", ""}})));
    BOOST_TEST(client.read_response().status == 400);
    BOOST_TEST(client.is_closed_by_server());
    check_unharmed(server);
}

BOOST_AUTO_TEST_CASE(lengths_that_do_not_fit_their_parameters_are_refused) {
    using namespace std::string_literals;
    std::string const table[] = {
        "\xFF\xFF\xFF\xFF\x04"s, // name of 2^31-1 bytes
        "\xFF\xFF\xFF\xF0\x04"s,
        "\xFF\xFF\xFF\xFE\x01"s,
        "\xC0\0\0\0\xC0\0\0\0"s,             // the sum of both overflows 31 bits
        "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s, // and 32 with the two bytes that libfcgi adds
        "\x05\x05name"s,                     // one byte behind the end
        "\x04"s,                             // no length of a value
        "\x84\0\0"s,                         // half a length
        "\x01\x02"
        "Ab\0"s,         // NUL in the value
        "\x02\x01N\0v"s, // and in the name
    };
    for (auto const& parameters : table) {
        ServerProcess server;
        auto client = server.connect();
        client.send(head_with(pair("REQUEST_METHOD", "GET") + parameters));
        BOOST_TEST(client.read_response().status == 400);
        BOOST_TEST(client.is_closed_by_server());
        check_unharmed(server);
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_fastcgi_is_closed) {
    using namespace std::string_literals;
    std::string const table[] = {
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "\x02\x01\0\x01\0\x08\0\0\0\x01\0\0\0\0\0\0"s, // version 2
        "\0\x01\0\x01\0\x08\0\0\0\x01\0\0\0\0\0\0"s,
        record(begin_request, 1, "short"),
        record(begin_request, 1, "longer than the eight bytes"),
        begin(0),
        begin(1) + begin(1),
    };
    ServerProcess server;
    for (auto const& bytes : table) {
        auto client = server.connect();
        client.send(bytes);
        BOOST_TEST(client.is_closed_by_server());
    }
    check_unharmed(server);
}

BOOST_AUTO_TEST_CASE(random_bytes_do_no_harm) {
    ServerProcess server({.limits = {"read=300"}});
    std::mt19937 random(20'240'601);
    auto number = [&](unsigned below) { return random() % below; };
    for (int round = 0; round < 400; ++round) {
        std::string bytes;
        while (bytes.size() < number(4000)) {
            std::string content(number(300), '\0');
            for (char& byte : content)
                byte = static_cast<char>(number(256));
            if (number(2) == 0)
                bytes += content;
            else
                bytes += record(static_cast<int>(number(13)), static_cast<int>(number(3)), content,
                                number(20));
        }
        auto client = server.connect();
        client.try_send(bytes);
    }
    BOOST_TEST(server.serves());
}

BOOST_AUTO_TEST_CASE(every_byte_of_a_request_may_be_wrong) {
    ServerProcess server({.limits = {"read=300"}});
    std::mt19937 random(7);
    auto const whole = request(get("/echo"), Keep::yes, "body");
    for (std::size_t at = 0; at < whole.size(); ++at) {
        auto bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1 + random() % 255));
        server.connect().try_send(bytes);
    }
    BOOST_TEST(server.serves());
}

BOOST_AUTO_TEST_CASE(management_records_inside_a_body_do_not_reach_libfcgi) {
    // In libfcgi 2.4.2 the response to these overruns 64 bytes of stack.
    std::string asked;
    for (int i = 0; i < 40; ++i)
        asked += pair("FCGI_MAX_CONNS", "");
    ServerProcess server;
    auto client = server.connect();
    client.send(head_with(pairs(get("/echo"))) + record(std_in, 1, "body") +
                record(get_values, 0, asked) + record(std_in, 1, {}));
    BOOST_TEST(client.read_response().status == 200);
    auto values = client.read_record();
    BOOST_REQUIRE(values.has_value());
    BOOST_TEST(values->type == get_values_result);
    BOOST_TEST(client.ask(get("/echo")).status == 200);
}

BOOST_FIXTURE_TEST_CASE(get_values_is_answered_on_an_idle_connection, Connected) {
    client.send(record(get_values, 0, pair("FCGI_MPXS_CONNS", "") + pair("FCGI_MAX_CONNS", "")));
    auto values = client.read_record();
    BOOST_REQUIRE(values.has_value());
    BOOST_TEST(values->type == get_values_result);
    BOOST_TEST(values->id == 0);
    BOOST_TEST(values->content == pair("FCGI_MPXS_CONNS", "0"));
    BOOST_TEST(client.ask(get("/echo")).status == 200);
}

BOOST_FIXTURE_TEST_CASE(an_unknown_management_record_is_named_in_the_reply, Connected) {
    client.send(record(77, 0, "anything"));
    auto reply = client.read_record();
    BOOST_REQUIRE(reply.has_value());
    BOOST_TEST(reply->type == unknown_type);
    BOOST_TEST(reply->content[0] == 77);
}

BOOST_AUTO_TEST_CASE(a_role_other_than_responder_is_refused_in_fastcgi) {
    ServerProcess server;
    for (int role : {0, 2, 3, 200}) {
        auto client = server.connect();
        client.send(begin(1, Keep::yes, role) + record(params, 1, pairs(get("/echo"))) +
                    record(params, 1, {}) + record(std_in, 1, {}));
        auto reply = client.read_record();
        BOOST_REQUIRE(reply.has_value());
        BOOST_TEST(reply->type == end_request);
        BOOST_TEST(reply->content[4] == 3); // FCGI_UNKNOWN_ROLE
        BOOST_TEST(client.ask(get("/echo")).status == 200);
    }
}

BOOST_FIXTURE_TEST_CASE(an_aborted_request_ends_without_the_handler, Connected) {
    client.send(begin() + record(params, 1, pairs(get("/echo"))) + record(abort_request, 1, {}));
    auto reply = client.read_record();
    BOOST_REQUIRE(reply.has_value());
    BOOST_TEST(reply->type == end_request);
    BOOST_TEST(client.ask(get("/calls")).body == "0");

    auto unkept_connection = server.connect();
    unkept_connection.send(begin(1, Keep::no) + record(abort_request, 1, {}));
    BOOST_TEST(unkept_connection.read_record().has_value());
    BOOST_TEST(unkept_connection.is_closed_by_server());
}

BOOST_FIXTURE_TEST_CASE(an_abort_after_the_head_changes_nothing, Connected) {
    client.send(head_with(pairs(get("/echo"))) + record(abort_request, 1, {}));
    BOOST_TEST(client.read_response().status == 200);
    BOOST_TEST(client.ask(get("/echo")).status == 200);
}

BOOST_FIXTURE_TEST_CASE(a_second_request_inside_the_first_is_refused_in_fastcgi, Connected) {
    client.send(begin(1) + begin(2) + record(params, 2, pairs(get("/other"))));
    auto reply = client.read_record();
    BOOST_REQUIRE(reply.has_value());
    BOOST_TEST(reply->type == end_request);
    BOOST_TEST(reply->id == 2);
    BOOST_TEST(reply->content[4] == 1); // FCGI_CANT_MPX_CONN
    client.send(record(params, 1, pairs(get("/first"))) + record(params, 1, {}));
    BOOST_TEST(client.read_response().body == "GET\n/first\n\n\n\n\n\n\n");
}

BOOST_FIXTURE_TEST_CASE(request_ids_up_to_the_last_are_answered, Connected) {
    for (int id : {1, 255, 256, 65'535}) {
        client.send(begin(id) + record(params, id, pairs(get("/echo"))) + record(params, id, {}));
        auto first = client.read_record();
        BOOST_REQUIRE(first.has_value());
        BOOST_TEST(first->id == id);
        while (auto next = client.read_record())
            if (next->type == end_request) break;
    }
}

BOOST_FIXTURE_TEST_CASE(records_of_no_request_without_end_are_cut_short, Connected) {
    auto const useless = record(std_in, 9, std::string(60'000, 'x'));
    client.try_send(useless);
    client.try_send(useless);
    BOOST_TEST(client.is_closed_by_server());
    check_unharmed(server);
}

BOOST_AUTO_TEST_CASE(one_source_file_alone_includes_libfcgi) {
    std::vector<std::string> found;
    for (auto folder : {"parser", "db", "fcgi"}) {
        std::filesystem::path const root = std::filesystem::path(SOURCE_ROOT) / folder;
        for (auto const& entry : std::filesystem::recursive_directory_iterator(root)) {
            std::string line;
            for (std::ifstream file(entry.path()); std::getline(file, line);)
                if (line.starts_with("#include") && line.find("fcgiapp.h") != line.npos)
                    found.push_back(entry.path().filename());
        }
    }
    BOOST_TEST(found == std::vector<std::string>{"request_head.cpp"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
