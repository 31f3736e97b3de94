#include "tests/unit/fcgi/http/stand_in.hpp"

#include <boost/algorithm/string/case_conv.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string_view>

#include <sys/socket.h>

namespace stand_in {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Status = boost::system::error_code;
using tcp = asio::ip::tcp;

namespace {

std::string pem(auto const& write) {
    std::unique_ptr<BIO, decltype(&BIO_free)> const bio(BIO_new(BIO_s_mem()), BIO_free);
    write(bio.get());
    char* bytes = nullptr;
    auto const size = BIO_get_mem_data(bio.get(), &bytes);
    return {bytes, static_cast<std::size_t>(size)};
}

} // namespace

Certificate::Certificate(std::string const& host) {
    std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> const pair(EVP_EC_gen("P-256"),
                                                                   EVP_PKEY_free);
    std::unique_ptr<X509, decltype(&X509_free)> const made(X509_new(), X509_free);
    X509_set_version(made.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), 24 * 3600L);
    X509_set_pubkey(made.get(), pair.get());
    auto* const name = X509_get_subject_name(made.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<unsigned char const*>(host.c_str()), -1, -1, 0);
    X509_set_issuer_name(made.get(), name);
    auto* const names =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, ("DNS:" + host).c_str());
    X509_add_ext(made.get(), names, -1);
    X509_EXTENSION_free(names);
    X509_sign(made.get(), pair.get(), EVP_sha256());
    text = pem([&](BIO* bio) { PEM_write_bio_X509(bio, made.get()); });
    key = pem([&](BIO* bio) {
        PEM_write_bio_PrivateKey(bio, pair.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
}

StandIn::StandIn(Behaviour behaviour, unsigned short port, Certificate const* certificate)
    : acceptor_(context_, {asio::ip::address_v4::loopback(), port}),
      port_(acceptor_.local_endpoint().port()),
      behaviour_(std::move(behaviour)) {
    if (certificate) {
        keys_.emplace(asio::ssl::context::tls_server);
        keys_->use_certificate(asio::buffer(certificate->text), asio::ssl::context::pem);
        keys_->use_private_key(asio::buffer(certificate->key), asio::ssl::context::pem);
    }
    acceptor_thread_ = std::jthread([this] { accept_until_stopped(); });
}

StandIn::~StandIn() {
    {
        std::lock_guard const lock(mutex_);
        is_stopped_ = true;
        for (auto& connection : connections_)
            ::shutdown(connection.socket.native_handle(), SHUT_RDWR);
    }
    changed_.notify_all();
    ::shutdown(acceptor_.native_handle(), SHUT_RDWR); // ends accept()
    acceptor_thread_.join();
    connections_.clear();
}

void StandIn::set(Behaviour behaviour) {
    {
        std::lock_guard const lock(mutex_);
        behaviour_ = std::move(behaviour);
        next_.reset();
    }
    changed_.notify_all();
}

void StandIn::set_from(std::size_t number, Behaviour behaviour) {
    std::lock_guard const lock(mutex_);
    next_.emplace(number, std::move(behaviour));
}

std::vector<StandIn::Received> StandIn::received() const {
    std::lock_guard const lock(mutex_);
    return received_;
}

std::size_t StandIn::connections() const {
    std::lock_guard const lock(mutex_);
    return connections_.size();
}

void StandIn::accept_until_stopped() {
    for (;;) {
        Status status;
        auto socket = acceptor_.accept(status);
        std::lock_guard const lock(mutex_);
        if (status || is_stopped_) return;
        auto& connection = connections_.emplace_back(std::move(socket));
        connection.thread = std::jthread([this, &connection] {
            serve(connection.socket);
            ::shutdown(connection.socket.native_handle(), SHUT_RDWR);
        });
    }
}

void StandIn::serve(Socket& socket) {
    if (!keys_) return converse(socket);
    asio::ssl::stream<Socket&> stream(socket, *keys_);
    Status status;
    stream.handshake(asio::ssl::stream_base::server, status);
    if (!status) converse(stream);
}

StandIn::Behaviour StandIn::behaviour_at(std::size_t number) {
    std::unique_lock lock(mutex_);
    if (next_ && number >= next_->first) behaviour_ = std::exchange(next_, std::nullopt)->second;
    changed_.wait(lock, [this] { return behaviour_.mode != Mode::holds || is_stopped_; });
    return behaviour_;
}

template<class Stream>
void StandIn::converse(Stream& stream) {
    beast::flat_buffer buffer;
    for (Status status;;) {
        http::request<http::string_body> request;
        http::read(stream, buffer, request, status);
        if (status) return;
        std::size_t number = 0;
        {
            std::lock_guard const lock(mutex_);
            number = received_.size();
            received_.push_back({std::string(request.method_string()),
                                 std::string(request.target()),
                                 {},
                                 request.body(),
                                 false});
            for (auto const& field : request)
                received_.back().headers[boost::to_lower_copy(std::string(field.name_string()))] =
                    field.value();
        }
        auto const behaviour = behaviour_at(number);
        if (behaviour.mode == Mode::closes || behaviour.mode == Mode::holds) return;
        if (behaviour.mode == Mode::hangs) {
            http::read(stream, buffer, request, status); // ends with the connection
            return;
        }
        if (behaviour.mode == Mode::responds_half) {
            std::string_view const half = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf";
            asio::write(stream, asio::buffer(half), status);
            return;
        }
        {
            std::lock_guard const lock(mutex_);
            received_[number].acknowledged = behaviour.status / 100 == 2;
        }
        auto const end = std::chrono::steady_clock::now() +
                         std::chrono::seconds(behaviour.mode == Mode::responds_late ? 10 : 0);
        do
            asio::write(stream, asio::buffer(behaviour.before), status);
        while (!status && std::chrono::steady_clock::now() < end);
        http::response<http::string_body> response(static_cast<http::status>(behaviour.status), 11,
                                                   behaviour.body);
        if (!behaviour.location.empty()) response.set(http::field::location, behaviour.location);
        response.prepare_payload();
        http::write(stream, response, status);
        if (status) return;
    }
}

} // namespace stand_in
