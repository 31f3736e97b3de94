#pragma once

#include "client.hpp"
#include "run.hpp"

#include <optional>
#include <random>
#include <stop_token>
#include <vector>

namespace hammer {

// Asks, and compares each response with what was known before the request was sent.
class Reader {
  public:
    Reader(Run& run, std::string address, unsigned number);

    void work(std::stop_token const& stopped);
    // Each request, as often, of an application at rest. Throws std::runtime_error if it does not
    // answer.
    void ask_all(unsigned times);

  private:
    struct LastResponse { // of the last response
        std::string etag;
        std::vector<Finding> findings;
    };

    bool ask(std::size_t number); // false: there was no response, or a refusal
    std::optional<fastcgi::Response> response(std::size_t number);
    // Nothing, and told, where it is no response to the request.
    std::vector<Finding> const* read(std::size_t number, fastcgi::Response const& response);
    void remember_what_is_known(Request const& request);
    void check(Request const& request, std::vector<Finding> const& found,
               fastcgi::Response const& response);
    bool is_older(Finding const& finding, std::uint64_t known) const;

    Run& run_;
    std::string const address_;
    std::mt19937_64 random_;
    std::vector<Request> const requests_ = all_requests();
    std::vector<LastResponse> last_;
    std::optional<Client> client_;
    // Before the request was sent, of the cells that may be in the response.
    std::vector<std::uint64_t> acknowledged_, seen_;
};

} // namespace hammer
