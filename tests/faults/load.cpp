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
            fastcgi::Answer none;
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
            fastcgi::Answer none;
            none.status = 0;
            none.body = error.what();
            return none;
        }
    };
}

std::vector<Question> questions_with_answers(std::vector<std::string> const& uris, Ask const& ask) {
    std::vector<Question> questions;
    for (auto const& uri : uris) {
        auto const answer = ask(uri);
        if (answer.status != 200)
            throw std::runtime_error(uri + ": " + std::to_string(answer.status) + answer.body);
        questions.push_back({uri, answer.body});
    }
    return questions;
}

Load::Load(std::vector<Question> questions, unsigned clients, std::function<Ask()> const& connect)
    : questions_(std::move(questions)) {
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
        auto const& asked = questions_[at % questions_.size()];
        auto const start = steady_clock::now();
        count(asked, ask(asked.uri));
        auto const took = std::chrono::ceil<std::chrono::milliseconds>(steady_clock::now() - start);
        for (long longest = longest_; took.count() > longest;)
            if (longest_.compare_exchange_weak(longest, took.count())) break;
    }
}

void Load::count(Question const& asked, fastcgi::Answer const& answer) {
    if (answer.status == 200 && answer.body == asked.body) {
        ++right_;
    } else if (answer.status == 504 || ((answer.status == 502 || answer.status == 503) &&
                                        !answer.header("Retry-After").empty())) {
        ++refused_;
    } else if (++wrong_ == 1) {
        std::lock_guard const lock(mutex_);
        first_wrong_ =
            asked.uri + ": " + std::to_string(answer.status) + ' ' + answer.body.substr(0, 300);
    }
}

} // namespace faults
