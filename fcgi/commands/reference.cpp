#include "fcgi/commands/reference.hpp"

#include <chrono>
#include <optional>

namespace comparison {

namespace {

constexpr fcgi::HttpClient::ExchangeLimits limits{std::chrono::seconds(30), std::nullopt};

} // namespace

parser::Result<Reference> Reference::at(std::string_view url) {
    auto read = fcgi::HttpUrl::read(url);
    if (!read || read->is_encrypted)
        return parser::Error{
            parser::ErrorKind::configuration,
            "expected http://host:port, the address of the CMS's own process, not " +
                std::string(url)};
    auto prefix = read->target;
    if (prefix.ends_with('/')) prefix.pop_back();
    return Reference(fcgi::HttpClient(*std::move(read), limits), std::move(prefix));
}

parser::Result<Reply> Reference::get(Question const& question) {
    fcgi::HttpClient::OutgoingRequest request{
        "GET", prefix_ + std::string(question.path), {{"Accept", "application/json"}}, ""};
    if (!question.authorization.empty())
        request.headers.emplace_back("Authorization", question.authorization);
    if (!question.response_format.empty())
        request.headers.emplace_back("Strapi-Response-Format", question.response_format);
    return client_.send(request);
}

} // namespace comparison
