#pragma once

#include "client.hpp"
#include "run.hpp"

#include <optional>
#include <random>
#include <stop_token>
#include <vector>

namespace hammer {

// Asks, and compares each answer with what was known before the request was sent.
class Reader {
  public:
    Reader(Run& run, std::string address, unsigned number);

    void work(std::stop_token const& stopped);
    // Each question, as often, of an application at rest. Throws std::runtime_error if it does not
    // answer.
    void ask_all(unsigned times);

  private:
    struct Kept { // of the last answer
        std::string etag;
        std::vector<Finding> findings;
    };

    bool ask(std::size_t number); // false: there was no answer, or a refusal
    std::optional<fastcgi::Answer> answer(std::size_t number);
    // Nothing, and told, where it is no answer to the question.
    std::vector<Finding> const* read(std::size_t number, fastcgi::Answer const& answer);
    void remember_what_is_known(Question const& question);
    void check(Question const& question, std::vector<Finding> const& found,
               fastcgi::Answer const& answer);
    bool is_older(Finding const& finding, std::uint64_t known) const;

    Run& run_;
    std::string const address_;
    std::mt19937_64 random_;
    std::vector<Question> const questions_ = all_questions();
    std::vector<Kept> kept_;
    std::optional<Client> client_;
    // Before the request was sent, of the cells that may be in the answer.
    std::vector<std::uint64_t> acknowledged_, seen_;
};

} // namespace hammer
