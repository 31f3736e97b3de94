#include "tests/conformance/asker.hpp"
#include "tests/fastcgi/client.hpp"

#include <cctype>
#include <exception>

namespace conformance {
namespace {

// `Accept-Language` -> `HTTP_ACCEPT_LANGUAGE`
std::string parameter_name(std::string const& header) {
    std::string name = "HTTP_";
    for (char const c : header)
        name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

class SocketAsker : public Asker {
  public:
    explicit SocketAsker(std::string const& path)
        : address_("unix:" + path), client_(fastcgi::Client::connect(address_)) {}

    Response response(Record const& record, std::string const& authorization) override {
        fastcgi::Parameters more;
        for (auto const& [name, value] : record.headers)
            more.emplace_back(parameter_name(name), value);
        if (!authorization.empty()) more.emplace_back("HTTP_AUTHORIZATION", authorization);
        try {
            auto const got = client_.ask(fastcgi::request_of(record.method, record.path, more));
            return {got.status, got.header("Content-Type"), got.header("Allow"), got.body};
        } catch (std::exception const& error) {
            client_ = fastcgi::Client::connect(address_);
            return {0, "", "", error.what()};
        }
    }

  private:
    std::string address_;
    fastcgi::Client client_;
};

} // namespace

std::unique_ptr<Asker> ask_socket(std::string const& path) {
    return std::make_unique<SocketAsker>(path);
}

} // namespace conformance
