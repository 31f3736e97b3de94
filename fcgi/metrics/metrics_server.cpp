#include "fcgi/metrics/metrics_server.hpp"

#include "fcgi/access/route.hpp"
#include "fcgi/handler/handle_request.hpp"
#include "fcgi/metrics/exposition.hpp"
#include "parser/base/signals.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <cerrno>
#include <exception>
#include <list>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/socket.h>

namespace fcgi {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Status = boost::system::error_code;
using Protocol = asio::generic::stream_protocol; // of unix sockets and TCP

constexpr auto patience = std::chrono::seconds(2);
constexpr auto accept_pause = std::chrono::milliseconds(100); // if no descriptors are left, say
constexpr std::size_t longest_head = 16 * 1024;
// This is more than connect at once; beyond it, the client that came first has to go.
constexpr std::size_t most_clients = 64;

Protocol protocol_of(int socket) {
    int family = 0;
    socklen_t size = sizeof family;
    ::getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &size);
    return {family, 0};
}

int duplicate(int socket) {
    int const copy = ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) throw std::system_error(errno, std::generic_category(), "metrics-listen");
    return copy;
}

// The dispatcher handles signals. An exception, most likely of memory, costs one client.
void run(asio::io_context& context) {
    parser::block_all_signals();
    while (!context.stopped()) {
        try {
            context.run();
        } catch (std::exception const&) {
        }
    }
}

} // namespace

// One thread accepts, reads and writes. The other checks whether we are ready, which may have to
// wait for the database.
class MetricsServer::Threads {
  public:
    Threads(Listener const& listener, Metrics const& metrics, Service& service,
            Observer const& observe)
        : acceptor_(exchange_, protocol_of(listener.fd()), duplicate(listener.fd())),
          service_(service),
          observe_(observe),
          metrics_(metrics) {
        accept();
        threads_[0] = std::thread([this] { run(exchange_); });
        threads_[1] = std::thread([this] { run(looks_); });
    }
    ~Threads() {
        exchange_.stop();
        looks_.stop();
        for (auto& thread : threads_)
            thread.join();
    }

    std::string metrics() const { return metrics_.text() + process_usage(metrics_.started()); }
    void handle(Request& request, Response& response) const {
        request.deadline.at = request.arrived + service_.options().limits.request;
        RequestContext context;
        handle_request(service_, request, response, context);
        observe_(RequestHandled{nullptr, request, context, response.trace});
    }
    asio::io_context& looks() { return looks_; }

  private:
    void accept();
    void admit(Protocol::socket socket);

    asio::io_context exchange_{1};
    asio::io_context looks_{1};
    asio::executor_work_guard<asio::io_context::executor_type> there_will_be_looks_{
        looks_.get_executor()};
    asio::basic_socket_acceptor<Protocol> acceptor_;
    asio::steady_timer pause_{exchange_};
    std::list<std::weak_ptr<Client>> clients_; // in the order in which they came
    Service& service_;
    Observer const observe_;
    Metrics const& metrics_;
    std::thread threads_[2];
};

// A client, from accept to the last byte of the response.
class MetricsServer::Client : public std::enable_shared_from_this<Client> {
  public:
    Client(Threads& threads, Protocol::socket socket)
        : threads_(threads), stream_(std::move(socket)) {
        parser_.header_limit(longest_head);
    }

    void begin() {
        stream_.expires_after(patience);
        http::async_read_header(stream_, buffer_, parser_,
                                [self = shared_from_this()](Status status, std::size_t) {
                                    if (!status) self->respond();
                                });
    }
    void close() { stream_.close(); }

  private:
    void respond() {
        request_.arrived = StageTimes::Clock::now();
        request_.method = parser_.get().method_string();
        request_.path = split_target(parser_.get().target()).path;
        auto const route = find_service_route(request_.path);
        if (route == ServiceRoute::health) {
            threads_.handle(request_, response_);
            return send();
        }
        if (route == ServiceRoute::ready)
            return asio::post(threads_.looks(), [self = shared_from_this()] {
                self->threads_.handle(self->request_, self->response_);
                asio::post(self->stream_.get_executor(), [self] { self->send(); });
            });
        response_.headers_only = request_.method == "HEAD";
        if (request_.path == "/metrics" && (request_.method == "GET" || response_.headers_only)) {
            response_.headers.emplace_back("Content-Type",
                                           "text/plain; version=0.0.4; charset=utf-8");
            response_.body.own() = threads_.metrics();
        } else {
            response_.status = 404;
            response_.headers.emplace_back("Content-Type", "text/plain");
            response_.body.own() =
                "There is nothing at this path. Try /metrics, /_health or /_ready.\n";
        }
        send();
    }

    void send() {
        http::response<http::empty_body> head;
        head.result(static_cast<unsigned>(response_.status));
        for (auto const& [name, value] : response_.headers)
            head.insert(name, value);
        if (response_.status != 204) head.content_length(response_.body.size());
        head.keep_alive(false);
        std::ostringstream text;
        text << head.base();
        if (!response_.headers_only) text << response_.body.bytes();
        text_ = std::move(text).str();
        stream_.expires_after(patience);
        asio::async_write(stream_, asio::buffer(text_),
                          [self = shared_from_this()](Status, std::size_t) {});
    }

    Threads& threads_;
    beast::basic_stream<Protocol> stream_;
    beast::flat_buffer buffer_;
    http::request_parser<http::empty_body> parser_;
    Request request_; // views into the parser
    Response response_;
    std::string text_; // of the response
};

void MetricsServer::Threads::accept() {
    acceptor_.async_accept([this](Status status, Protocol::socket socket) {
        if (!status) {
            accept(); // comes first, since admit() may throw
            return admit(std::move(socket));
        }
        pause_.expires_after(accept_pause);
        pause_.async_wait([this](Status) { accept(); });
    });
}

void MetricsServer::Threads::admit(Protocol::socket socket) {
    std::erase_if(clients_, [](auto const& client) { return client.expired(); });
    if (clients_.size() == most_clients) {
        if (auto const first = clients_.front().lock()) first->close();
        clients_.pop_front();
    }
    auto const client = std::make_shared<Client>(*this, std::move(socket));
    clients_.push_back(client);
    client->begin();
}

MetricsServer::MetricsServer(Listener const& listener, Metrics const& metrics, Service& service,
                             Observer const& observe)
    : threads_(std::make_unique<Threads>(listener, metrics, service, observe)) {
}

MetricsServer::~MetricsServer() = default;

} // namespace fcgi
