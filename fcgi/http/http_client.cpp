#include "fcgi/http/http_client.hpp"

#include "parser/base/signals.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <boost/url/parse.hpp>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <sstream>
#include <thread>

namespace fcgi {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Status = boost::system::error_code;
using tcp = asio::ip::tcp;
using Addresses = std::vector<tcp::endpoint>;
using Clock = std::chrono::steady_clock;

parser::Error configuration_error(std::string what) {
    return {parser::ErrorKind::configuration, std::move(what)};
}

struct AddressLookup {
    std::mutex mutex;
    std::condition_variable_any ended;
    bool has_ended = false;
    Status status;
    Addresses addresses;
};

// getaddrinfo() cannot be interrupted, so it has a thread that may outlive this call.
Status look_up(HttpUrl const& url, Clock::time_point end, std::stop_token const& stop,
               Addresses& addresses) {
    auto const lookup = std::make_shared<AddressLookup>();
    std::thread([lookup, host = url.host, port = url.port] {
        parser::block_all_signals();
        asio::io_context context;
        Status status;
        auto const found = tcp::resolver(context).resolve(host, port, status);
        std::lock_guard const lock(lookup->mutex);
        lookup->status = status;
        for (auto const& entry : found)
            lookup->addresses.push_back(entry.endpoint());
        lookup->has_ended = true;
        lookup->ended.notify_all();
    }).detach();
    std::unique_lock lock(lookup->mutex);
    if (!lookup->ended.wait_until(lock, stop, end, [&] { return lookup->has_ended; }))
        return stop.stop_requested() ? asio::error::operation_aborted
                                     : Status(asio::error::host_not_found_try_again);
    addresses = std::move(lookup->addresses);
    return lookup->status;
}

asio::ssl::context verifying_context() {
    asio::ssl::context context(asio::ssl::context::tls_client);
    SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
    context.set_default_verify_paths();
    context.set_verify_mode(asio::ssl::verify_peer);
    return context;
}

bool is_address(std::string const& host) {
    Status status;
    asio::ip::make_address(host, status);
    return !status;
}

std::string host_in_url(HttpUrl const& url) {
    return url.host.find(':') == url.host.npos ? url.host : '[' + url.host + ']';
}

// What is sent. http::async_write() would be compiled for each kind of stream, which takes long.
std::string written(http::request<http::string_body> const& message) {
    std::ostringstream text;
    text << message.base() << message.body();
    return std::move(text).str();
}

bool has_control_character(std::string_view text) {
    return std::ranges::any_of(
        text, [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; });
}

} // namespace

parser::Result<HttpUrl> HttpUrl::read(std::string_view text) {
    auto const parsed = boost::urls::parse_uri(text);
    bool const is_http = parsed && (parsed->scheme() == "http" || parsed->scheme() == "https");
    if (!is_http || parsed->host().empty() || parsed->has_userinfo() || parsed->has_fragment())
        return configuration_error("expected http://HOST:PORT/PATH or https://HOST/PATH, without "
                                   "user, password and #");
    HttpUrl url{parsed->scheme() == "https", std::string(parsed->host_address()),
                std::string(parsed->port()), std::string(parsed->encoded_target())};
    if (url.port.empty()) url.port = url.is_encrypted ? "443" : "80";
    if (!url.target.starts_with('/')) url.target.insert(0, 1, '/');
    return url;
}

std::string HttpUrl::address() const {
    return host_in_url(*this) + ':' + port;
}

class HttpClient::Connection {
  public:
    Connection(HttpUrl url, ExchangeLimits limits) : url_(std::move(url)), limits_(limits) {
        if (url_.is_encrypted) keys_.emplace(verifying_context());
    }

    parser::Result<Reply> send(OutgoingRequest const& request, std::stop_token const& stop) {
        http::request<http::string_body> message;
        if (auto refusal = write(request, message)) return *std::move(refusal);
        stop_ = stop;
        end_ = Clock::now() + limits_.exchange;
        std::stop_callback const on_stop(stop_, [this] {
            asio::post(context_, [this] {
                if (is_open()) transport().cancel();
            });
        });
        bool const kept = is_open();
        trust_.clear();
        Reply reply;
        auto const text = written(message);
        auto status = exchange(text, reply);
        // The server may have closed the connection while it was idle.
        if (status && kept && status != beast::error::timeout && !stop_.stop_requested())
            status = exchange(text, reply);
        if (status)
            return parser::Error{parser::ErrorKind::unavailable,
                                 "no answer from " + url_.address() + ": " + status.message() +
                                     (trust_.empty() ? "" : ": " + trust_)};
        return reply;
    }

  private:
    using Encrypted = beast::ssl_stream<beast::tcp_stream>;

    std::optional<parser::Error> write(OutgoingRequest const& request,
                                       http::request<http::string_body>& message) const {
        message.method_string(request.method);
        message.target(request.target);
        message.version(11);
        bool const is_usual = url_.port == (url_.is_encrypted ? "443" : "80");
        message.set(http::field::host, is_usual ? host_in_url(url_) : url_.address());
        message.set(http::field::user_agent, "populate-fcgi");
        for (auto const& [name, value] : request.headers) {
            // A line end would begin a header of its own.
            if (has_control_character(value))
                return configuration_error("header " + name + " has a control character");
            message.insert(name, value);
        }
        message.body() = request.body;
        message.prepare_payload();
        return std::nullopt;
    }

    Status exchange(std::string const& request, Reply& reply) {
        if (auto const status = is_open() ? Status() : connect()) return status;
        auto const status =
            encrypted_ ? exchange(*encrypted_, request, reply) : exchange(*plain_, request, reply);
        if (status) close();
        return status;
    }

    template<class Stream>
    Status exchange(Stream& stream, std::string const& request, Reply& reply) {
        if (auto const status =
                wait([&](auto done) { asio::async_write(stream, asio::buffer(request), done); }))
            return status;
        std::optional<http::response_parser<http::string_body>> parser;
        do { // before the response there may be others, of status 1xx
            parser.emplace();
            if (limits_.body)
                parser->body_limit(*limits_.body);
            else
                parser->body_limit(boost::none);
            if (auto const status =
                    wait([&](auto done) { http::async_read(stream, buffer_, *parser, done); }))
                return status;
        } while (parser->get().result_int() / 100 == 1);
        auto& response = parser->get();
        reply = {static_cast<int>(response.result_int()),
                 std::string(response[http::field::content_type]), std::move(response.body())};
        // Bytes after a response belong to none.
        if (!response.keep_alive() || buffer_.size() > 0) close();
        return {};
    }

    Status connect() {
        Addresses addresses;
        if (auto const status = look_up(url_, end_, stop_, addresses)) return status;
        if (keys_)
            encrypted_.emplace(context_, *keys_);
        else
            plain_.emplace(context_);
        auto status = wait([&](auto done) { transport().async_connect(addresses, done); });
        if (!status && encrypted_) status = agree_on_keys();
        if (status) close();
        return status;
    }

    Status agree_on_keys() {
        auto* const native = encrypted_->native_handle();
        if (!is_address(url_.host)) SSL_set_tlsext_host_name(native, url_.host.c_str());
        encrypted_->set_verify_callback(asio::ssl::host_name_verification(url_.host));
        auto const status = wait(
            [&](auto done) { encrypted_->async_handshake(asio::ssl::stream_base::client, done); });
        if (auto const result = SSL_get_verify_result(native); status && result != X509_V_OK)
            trust_ = X509_verify_cert_error_string(result);
        return status;
    }

    // Waits for an asynchronous operation: only such can have a timeout. One that has all it needs
    // at once ends before its timeout, however late it is.
    Status wait(auto const& start) {
        if (stop_.stop_requested()) return asio::error::operation_aborted;
        if (Clock::now() >= end_) return beast::error::timeout;
        Status result;
        transport().expires_at(end_);
        start([&result](Status status, auto const&...) { result = status; });
        context_.restart();
        context_.run();
        return result;
    }

    bool is_open() const { return plain_ || encrypted_; }
    beast::tcp_stream& transport() { return encrypted_ ? encrypted_->next_layer() : *plain_; }
    void close() {
        encrypted_.reset();
        plain_.reset();
        buffer_.clear();
    }

    HttpUrl const url_;
    ExchangeLimits const limits_;
    asio::io_context context_;
    std::optional<asio::ssl::context> keys_; // absent: nothing is encrypted
    std::optional<beast::tcp_stream> plain_;
    std::optional<Encrypted> encrypted_;
    beast::flat_buffer buffer_;
    Clock::time_point end_; // of the current request
    std::stop_token stop_;  // likewise
    std::string trust_;     // why the server's certificate was refused
};

HttpClient::HttpClient(HttpUrl url, ExchangeLimits limits)
    : connection_(std::make_unique<Connection>(std::move(url), limits)) {
}
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient::~HttpClient() = default;

parser::Result<HttpClient::Reply> HttpClient::send(OutgoingRequest const& request,
                                                   std::stop_token const& stop) {
    return connection_->send(request, stop);
}

} // namespace fcgi
