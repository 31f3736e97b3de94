#include "fcgi/http/http.hpp"
#include "fcgi/server/record.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <memory>
#include <string>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using fcgi::RecordHeader;
using fcgi::RecordType;
using fcgi::Response;
using fcgi::ResponseWriter;
using fcgi::SendResult;

constexpr std::uint16_t id = 7;

// The last header of every response: what it holds is nothing but what Content-Type says.
std::string const end_of_headers = "X-Content-Type-Options: nosniff\r\n\r\n";

struct WriterFixture {
    WriterFixture() {
        BOOST_TEST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets.data()) ==
                           0);
    }
    ~WriterFixture() {
        for (int const socket : sockets)
            ::close(socket);
    }

    void read_what_is_there() {
        std::array<char, 64 * 1024> bytes;
        for (ssize_t count; (count = ::read(sockets[1], bytes.data(), bytes.size())) > 0;)
            wire.append(bytes.data(), static_cast<std::size_t>(count));
    }

    // The content of STDOUT; each record is of this request, and END is the last.
    std::string content() const {
        std::string text;
        std::string_view left = wire;
        RecordType last{};
        while (!left.empty()) {
            auto const header = RecordHeader::decode(left);
            BOOST_TEST(header.request_id == id);
            left.remove_prefix(RecordHeader::bytes);
            if (header.type == RecordType::output) text += left.substr(0, header.content_length);
            left.remove_prefix(header.content_length + header.padding_length);
            last = header.type;
        }
        BOOST_TEST((last == RecordType::end_request));
        return text;
    }

    std::string sent(Response const& response) {
        ResponseWriter writer;
        writer.start(id, response);
        BOOST_TEST((writer.send(sockets[0]) == SendResult::done));
        read_what_is_there();
        return content();
    }

    std::array<int, 2> sockets{};
    std::string wire;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(response_writer, WriterFixture)

BOOST_AUTO_TEST_CASE(status_headers_length_and_body_are_sent) {
    Response response;
    response.headers.emplace_back("Content-Type", "application/json");
    response.body.own() = "{}";
    BOOST_TEST(sent(response) == "Status: 200 OK\r\nContent-Type: application/json\r\n"
                                 "Content-Length: 2\r\n" +
                                     end_of_headers + "{}");
}

BOOST_AUTO_TEST_CASE(a_shared_body_is_sent_as_an_own_one) {
    Response response;
    response.body = fcgi::Body(std::make_shared<std::string const>("[1]"));
    BOOST_TEST(sent(response) ==
               "Status: 200 OK\r\nContent-Length: 3\r\n" + end_of_headers + "[1]");
}

// RFC 9110, 9.3.2: HEAD tells the length that GET would have.
BOOST_AUTO_TEST_CASE(head_gets_the_length_alone) {
    Response response;
    response.body.own() = "{}";
    response.headers_only = true;
    BOOST_TEST(sent(response) == "Status: 200 OK\r\nContent-Length: 2\r\n" + end_of_headers);
}

BOOST_AUTO_TEST_CASE(without_a_body_there_is_no_length) {
    Response response;
    response.status = 304;
    BOOST_TEST(sent(response) == "Status: 304 Not Modified\r\n" + end_of_headers);
}

BOOST_AUTO_TEST_CASE(a_value_cannot_begin_a_header_of_its_own) {
    Response response;
    response.status = 204;
    response.headers.emplace_back("X-Value", std::string("a\r\nX-Other: b\0c", 15));
    BOOST_TEST(sent(response) ==
               "Status: 204 No Content\r\nX-Value: a  X-Other: b c\r\n" + end_of_headers);
}

BOOST_AUTO_TEST_CASE(of_a_request_that_is_handed_over_the_signal_is_sent_alone) {
    Response response;
    response.status = 404;
    response.hand_over_signal = "Status: 404 Not Found\r\nX-Accel-Redirect: /api/x\r\n";
    BOOST_TEST(sent(response) == response.hand_over_signal + "\r\n");
}

BOOST_AUTO_TEST_CASE(what_the_socket_does_not_take_is_sent_later) {
    Response response;
    response.body.own() = std::string(4 * 1024 * 1024, 'x');
    ResponseWriter writer;
    writer.start(id, response);
    int rounds = 0;
    for (auto result = SendResult::blocked; result != SendResult::done; ++rounds) {
        result = writer.send(sockets[0]);
        BOOST_TEST_REQUIRE((result != SendResult::failed));
        read_what_is_there();
    }
    BOOST_TEST(writer.bytes_left() == 0U);
    BOOST_TEST(rounds > 1);
    auto const text = content();
    BOOST_TEST((text.substr(text.find("\r\n\r\n") + 4) == response.body.bytes()));
}

BOOST_AUTO_TEST_CASE(a_client_that_is_gone_is_a_failure) {
    ::shutdown(sockets[0], SHUT_RDWR);
    Response const response;
    ResponseWriter writer;
    writer.start(id, response);
    BOOST_TEST((writer.send(sockets[0]) == SendResult::failed));
}

BOOST_AUTO_TEST_SUITE_END()
