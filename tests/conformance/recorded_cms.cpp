#include "tests/conformance/record.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <fstream>
#include <map>

// A web server that answers public GETs as the CMS was recorded to, one connection after another:
//
//     recorded-cms RECORDS PORT_FILE
//
// Writes the port that it listens at to PORT_FILE. Of what is sent besides the path, it knows the
// header by which Strapi 5 chooses a format.

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using conformance::Record;

constexpr std::string_view format_header = "Strapi-Response-Format";

using RequestKey = std::pair<std::string, std::string>; // path, and what format_header says
using Responses = std::map<RequestKey, Record>;

Responses responses_in(std::string const& file) {
    Responses responses;
    for (Record& record : conformance::read_records(file)) {
        auto const& headers = record.headers;
        bool const has_format = headers.size() == 1 && headers[0].first == format_header;
        if (record.method != "GET" || record.auth != "public" || (!headers.empty() && !has_format))
            continue;
        RequestKey key(record.path, has_format ? headers[0].second : "");
        responses.emplace(std::move(key), std::move(record));
    }
    return responses;
}

void respond_to_all(asio::ip::tcp::socket socket, Responses const& responses) {
    beast::flat_buffer buffer;
    beast::error_code status;
    while (!status) {
        http::request_parser<http::empty_body> parser;
        http::read(socket, buffer, parser, status);
        if (status) return;
        http::response<http::string_body> response(http::status::not_found, 11);
        auto const found = responses.find({parser.get().target(), parser.get()[format_header]});
        if (found != responses.end()) {
            response.result(static_cast<unsigned>(found->second.status));
            if (!found->second.content_type.empty())
                response.set(http::field::content_type, found->second.content_type);
            response.body() = found->second.bodies.front();
        }
        response.prepare_payload();
        http::write(socket, response, status);
    }
}

} // namespace

int main(int count, char** arguments) {
    if (count != 3) return 64;
    auto const responses = responses_in(arguments[1]);
    asio::io_context context;
    asio::ip::tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
    std::ofstream(arguments[2]) << acceptor.local_endpoint().port() << std::endl;
    for (;;)
        respond_to_all(acceptor.accept(), responses);
}
