#include "false_server.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <memory>
#include <stdexcept>
#include <utility>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace faults {

namespace {

using namespace std::string_literals;

std::string const scramble = "abcdefghijklmnopqrst";

// Returns the key that all false servers have.
EVP_PKEY* key() {
    static std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> const instance(EVP_RSA_gen(2048),
                                                                              EVP_PKEY_free);
    return instance.get();
}

// As MariaDB 10.11 has it, with all that it can but TLS.
std::string greeting(std::string const& way) {
    auto const at = scramble.begin() + 8;
    return "\x0a"
           "5.5.5-10.11.19-MariaDB\0"
           "\x07\0\0\0"s +
           std::string(scramble.begin(), at) +
           "\0"
           "\xfe\xf7"
           "\x2d"
           "\x02\0"
           "\x2f\0"
           "\x15"
           "\0\0\0\0\0\0\0\0\0\0"s +
           std::string(at, scramble.end()) + '\0' + way + '\0';
}

// Returns the first bytes that the plugin sends.
std::string first_words(std::string const& way) {
    if (way == "mysql_clear_password") return {};
    return way == "dialog" ? "\4Password: "s : scramble + '\0';
}

bool receive_all(int client, std::string& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        auto const size = ::recv(client, bytes.data() + done, bytes.size() - done, 0);
        if (size <= 0) return false;
        done += static_cast<std::size_t>(size);
    }
    return true;
}

std::string public_key() {
    std::unique_ptr<BIO, decltype(&BIO_free)> const memory(BIO_new(BIO_s_mem()), BIO_free);
    PEM_write_bio_PUBKEY(memory.get(), key());
    char* text = nullptr;
    auto const size = BIO_get_mem_data(memory.get(), &text);
    return {text, static_cast<std::size_t>(size)};
}

// The password is in there by XOR with the scramble, as both plugins of MySQL send it.
std::string decrypted(std::string const& payload) {
    std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> const context(
        EVP_PKEY_CTX_new(key(), nullptr), EVP_PKEY_CTX_free);
    EVP_PKEY_decrypt_init(context.get());
    EVP_PKEY_CTX_set_rsa_padding(context.get(), RSA_PKCS1_OAEP_PADDING);
    std::string text(payload.size() + 256, '\0');
    auto size = text.size();
    if (EVP_PKEY_decrypt(context.get(), reinterpret_cast<unsigned char*>(text.data()), &size,
                         reinterpret_cast<unsigned char const*>(payload.data()),
                         payload.size()) <= 0)
        return {};
    text.resize(size);
    for (std::size_t i = 0; i < size; ++i)
        text[i] = static_cast<char>(text[i] ^ scramble[i % scramble.size()]);
    return text;
}

} // namespace

FalseServer::FalseServer(std::string way, When when, std::string path)
    : way_(std::move(way)),
      when_(when),
      path_(std::move(path)),
      listener_(::socket(path_.empty() ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    key(); // is made, which takes a while, before anybody waits for a response
    sockaddr_in port{};
    port.sin_family = AF_INET;
    port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr_un named{};
    named.sun_family = AF_UNIX;
    path_.copy(named.sun_path, sizeof named.sun_path - 1);
    auto const bound =
        path_.empty() ? ::bind(listener_, reinterpret_cast<sockaddr const*>(&port), sizeof port)
                      : ::bind(listener_, reinterpret_cast<sockaddr const*>(&named), sizeof named);
    if (bound < 0 || ::listen(listener_, 10) < 0)
        throw std::runtime_error("a false server cannot listen");
    acceptor_ = std::jthread([this](std::stop_token stopped) { accept_until_stopped(stopped); });
}

FalseServer::~FalseServer() {
    acceptor_ = {};
    ::close(listener_);
    if (!path_.empty()) ::unlink(path_.c_str());
}

unsigned FalseServer::port() const {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
}

std::string FalseServer::told() const {
    std::lock_guard const lock(mutex_);
    return told_;
}

void FalseServer::accept_until_stopped(std::stop_token const& stopped) {
    while (!stopped.stop_requested()) {
        constexpr int tick = 5; // milliseconds
        pollfd arrival{listener_, POLLIN, 0};
        if (::poll(&arrival, 1, tick) != 1) continue;
        int const client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (client < 0) continue;
        constexpr timeval patience{.tv_sec = 10, .tv_usec = 0};
        ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        ask(client);
        ::close(client);
    }
}

// Until the client says no more.
void FalseServer::ask(int client) {
    if (!send(client, 0, greeting(when_ == When::later ? "mysql_native_password" : way_))) return;
    unsigned char number = 0;
    auto const login = receive(client, number);
    if (login.empty()) return;
    bool const goes_that_way = login.find(way_) != login.npos;
    auto const words = first_words(way_);
    if (!send(client, ++number, goes_that_way ? '\1' + words : '\xfe' + way_ + '\0' + words))
        return;
    for (;;) {
        auto const payload = receive(client, number);
        if (payload.empty()) return;
        constexpr std::size_t size_of_proof = 32; // of caching_sha2_password
        bool const asks_for_key = payload == "\1" || payload == "\2";
        if (asks_for_key && !send(client, ++number, '\1' + public_key())) return;
        bool const proves = payload.size() == size_of_proof;
        if (proves && !send(client, ++number, "\1\4")) return;
        if (!asks_for_key && !proves) return; // that was all, and it waits for us
    }
}

bool FalseServer::send(int client, unsigned char number, std::string const& payload) const {
    auto packet =
        std::string{static_cast<char>(payload.size() & 0xff),
                    static_cast<char>(payload.size() >> 8), '\0', static_cast<char>(number)} +
        payload;
    return ::send(client, packet.data(), packet.size(), MSG_NOSIGNAL) > 0;
}

std::string FalseServer::receive(int client, unsigned char& number) {
    std::string head(4, '\0');
    if (!receive_all(client, head)) return {};
    auto const byte = [&](std::size_t i) {
        return std::size_t(static_cast<unsigned char>(head[i]));
    };
    number = static_cast<unsigned char>(head[3]);
    std::string payload(byte(0) | byte(1) << 8 | byte(2) << 16, '\0');
    if (!receive_all(client, payload)) return {};
    take(payload);
    return payload;
}

void FalseServer::take(std::string const& payload) {
    std::lock_guard const lock(mutex_);
    told_ += payload + '\n' + decrypted(payload) + '\n';
}

} // namespace faults
