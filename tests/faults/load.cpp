#include "load.hpp"

#include <memory>
#include <optional>
#include <stdexcept>

namespace faults {

using fastcgi::Client;

Ask ask_socket(std::string const& address) {
    auto const kept = std::make_shared<std::optional<Client>>();
    return [address, kept](std::string const& uri) {
        auto const parameters = fastcgi::get(uri);
        if (*kept) try {
                return (*kept)->ask(parameters);
            } catch (std::exception const&) {
                kept->reset();
            }
        try {
            kept->emplace(Client::connect(address));
            return (*kept)->ask(parameters);
        } catch (std::exception const& error) {
            kept->reset();
            fastcgi::Response none;
            none.status = 0;
            none.body = error.what();
            return none;
        }
    };
}

Ask ask_socket_anew(std::string const& address) {
    return [address](std::string const& uri) {
        try {
            return Client::connect(address).ask(fastcgi::get(uri), fastcgi::Keep::no);
        } catch (std::exception const& error) {
            fastcgi::Response none;
            none.status = 0;
            none.body = error.what();
            return none;
        }
    };
}

std::vector<Request> requests_with_responses(std::vector<std::string> const& uris, Ask const& ask) {
    std::vector<Request> requests;
    for (auto const& uri : uris) {
        auto const response = ask(uri);
        if (response.status != 200)
            throw std::runtime_error(uri + ": " + std::to_string(response.status) + response.body);
        requests.push_back({uri, response.body});
    }
    return requests;
}

Load::Load(std::vector<Request> requests, unsigned clients, std::function<Ask()> const& connect)
    : requests_(std::move(requests)) {
    for (unsigned i = 0; i < clients; ++i)
        threads_.emplace_back(
            [this, ask = connect(), i](std::stop_token stopped) { run(stopped, ask, i * 7); });
}

std::string Load::first_wrong() const {
    std::lock_guard const lock(mutex_);
    return first_wrong_;
}

void Load::run(std::stop_token const& stopped, Ask const& ask, std::size_t at) {
    using std::chrono::steady_clock;
    for (; !stopped.stop_requested(); ++at) {
        auto const& asked = requests_[at % requests_.size()];
        auto const start = steady_clock::now();
        count(asked, ask(asked.uri));
        auto const took = std::chrono::ceil<std::chrono::milliseconds>(steady_clock::now() - start);
        for (long longest = longest_; took.count() > longest;)
            if (longest_.compare_exchange_weak(longest, took.count())) break;
    }
}

void Load::count(Request const& asked, fastcgi::Response const& response) {
    if (response.status == 200 && response.body == asked.body) {
        ++right_;
    } else if (response.status == 504 || ((response.status == 502 || response.status == 503) &&
                                          !response.header("Retry-After").empty())) {
        ++refused_;
    } else if (++wrong_ == 1) {
        std::lock_guard const lock(mutex_);
        first_wrong_ =
            asked.uri + ": " + std::to_string(response.status) + ' ' + response.body.substr(0, 300);
    }
}

} // namespace faults
