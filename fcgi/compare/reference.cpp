#include "fcgi/compare/reference.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/url/parse.hpp>

#include <chrono>
#include <optional>

namespace comparison {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Status = boost::system::error_code;

constexpr std::chrono::seconds patience{30};

} // namespace

class Reference::HttpClient {
  public:
    HttpClient(std::string host, std::string port, std::string prefix)
        : host_(std::move(host)), port_(std::move(port)), prefix_(std::move(prefix)) {}

    parser::Result<Reply> get(Question const& question) {
        http::request<http::empty_body> request(http::verb::get,
                                                prefix_ + std::string(question.path), 11);
        request.set(http::field::host, host_ + ":" + port_);
        request.set(http::field::user_agent, "populate-fcgi");
        request.set(http::field::accept, "application/json");
        if (!question.authorization.empty())
            request.set(http::field::authorization, question.authorization);
        if (!question.response_format.empty())
            request.set("Strapi-Response-Format", question.response_format);

        bool const kept = stream_.has_value();
        Reply reply;
        auto status = exchange(request, reply);
        // The CMS may have closed the connection while it was idle.
        if (status && kept) status = exchange(request, reply);
        if (status)
            return parser::Error{parser::ErrorKind::unavailable,
                                 "no answer from " + host_ + ":" + port_ + ": " + status.message()};
        return reply;
    }

  private:
    Status exchange(http::request<http::empty_body> const& request, Reply& reply) {
        if (auto status = stream_ ? Status() : connect()) return status;
        http::response_parser<http::string_body> parser;
        parser.body_limit(boost::none);
        auto status = wait([&](auto done) { http::async_write(*stream_, request, done); });
        if (!status)
            status = wait([&](auto done) { http::async_read(*stream_, buffer_, parser, done); });
        if (status || !parser.get().keep_alive()) {
            stream_.reset();
            buffer_.clear();
        }
        if (status) return status;
        auto const content_type = parser.get()[http::field::content_type];
        reply = {static_cast<int>(parser.get().result_int()), std::string(content_type),
                 std::move(parser.get().body())};
        return {};
    }

    Status connect() {
        Status status;
        asio::ip::tcp::resolver resolver(context_);
        auto const addresses = resolver.resolve(host_, port_, status);
        if (status) return status;
        stream_.emplace(context_);
        status = wait([&](auto done) { stream_->async_connect(addresses, done); });
        if (status) stream_.reset();
        return status;
    }

    // Waits for an asynchronous operation: only such can have a timeout.
    Status wait(auto const& start) {
        Status result;
        stream_->expires_after(patience);
        start([&result](Status status, auto const&...) { result = status; });
        context_.restart();
        context_.run();
        return result;
    }

    std::string host_;
    std::string port_;
    std::string prefix_;
    asio::io_context context_;
    std::optional<beast::tcp_stream> stream_;
    beast::flat_buffer buffer_;
};

parser::Result<Reference> Reference::at(std::string_view url) {
    auto const parsed = boost::urls::parse_uri(url);
    if (!parsed || parsed->scheme() != "http" || parsed->host().empty())
        return parser::Error{
            parser::ErrorKind::configuration,
            "expected http://host:port, the address of the CMS's own process, not " +
                std::string(url)};
    std::string_view prefix = parsed->encoded_path();
    if (prefix.ends_with('/')) prefix.remove_suffix(1);
    std::string_view const port = parsed->has_port() ? parsed->port() : "80";
    return Reference(std::make_unique<HttpClient>(parsed->host_address(), std::string(port),
                                                  std::string(prefix)));
}

Reference::Reference(std::unique_ptr<HttpClient> connection) : connection_(std::move(connection)) {
}
Reference::Reference(Reference&&) noexcept = default;
Reference::~Reference() = default;

parser::Result<Reply> Reference::get(Question const& question) {
    return connection_->get(question);
}

} // namespace comparison
