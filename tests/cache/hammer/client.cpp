#include "client.hpp"

#include <boost/algorithm/string/trim.hpp>

#include <cctype>
#include <stdexcept>

namespace hammer {

namespace {

std::string parameter(std::string const& header) {
    std::string name = "HTTP_";
    for (char const c : header)
        name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

std::size_t add_body(char const* bytes, std::size_t, std::size_t count, void* response) {
    static_cast<fastcgi::Response*>(response)->body.append(bytes, count);
    return count;
}

std::size_t add_header(char const* bytes, std::size_t, std::size_t count, void* response) {
    std::string_view const line(bytes, count);
    if (auto const colon = line.find(':'); colon != line.npos)
        static_cast<fastcgi::Response*>(response)->headers.emplace_back(
            line.substr(0, colon), boost::trim_copy(std::string(line.substr(colon + 1))));
    return count;
}

} // namespace

Client::Client(std::string const& address, std::string const& from) : address_(address) {
    if (!address.starts_with("http://")) {
        fastcgi_.emplace(fastcgi::Client::connect(address));
        return;
    }
    http_.reset(::curl_easy_init());
    ::curl_easy_setopt(http_.get(), CURLOPT_NOSIGNAL, 1L);
    ::curl_easy_setopt(http_.get(), CURLOPT_NOPROXY, "*");
    ::curl_easy_setopt(http_.get(), CURLOPT_TIMEOUT,
                       static_cast<long>(fastcgi::Client::patience.count()));
    ::curl_easy_setopt(http_.get(), CURLOPT_PATH_AS_IS, 1L);
    if (!from.empty()) ::curl_easy_setopt(http_.get(), CURLOPT_INTERFACE, from.c_str());
    ::curl_easy_setopt(http_.get(), CURLOPT_WRITEFUNCTION, add_body);
    ::curl_easy_setopt(http_.get(), CURLOPT_HEADERFUNCTION, add_header);
}

fastcgi::Response Client::ask(std::string const& method, std::string const& uri,
                              fastcgi::Parameters const& headers) {
    if (http_) return ask_by_http(method, uri, headers);
    fastcgi::Parameters parameters;
    for (auto const& [name, value] : headers)
        parameters.emplace_back(parameter(name), value);
    return fastcgi_->ask(fastcgi::request_of(method, uri, parameters));
}

fastcgi::Response Client::ask_by_http(std::string const& method, std::string const& uri,
                                      fastcgi::Parameters const& headers) {
    fastcgi::Response response;
    curl_slist* lines = nullptr;
    for (auto const& [name, value] : headers)
        lines = ::curl_slist_append(lines, (name + ": " + value).c_str());
    ::curl_easy_setopt(http_.get(), CURLOPT_URL, (address_ + uri).c_str());
    ::curl_easy_setopt(http_.get(), CURLOPT_NOBODY, method == "HEAD" ? 1L : 0L);
    ::curl_easy_setopt(http_.get(), CURLOPT_CUSTOMREQUEST, method.c_str());
    ::curl_easy_setopt(http_.get(), CURLOPT_HTTPHEADER, lines);
    ::curl_easy_setopt(http_.get(), CURLOPT_WRITEDATA, &response);
    ::curl_easy_setopt(http_.get(), CURLOPT_HEADERDATA, &response);
    auto const result = ::curl_easy_perform(http_.get());
    ::curl_slist_free_all(lines);
    if (result != CURLE_OK) throw std::runtime_error(::curl_easy_strerror(result));
    long status = 0;
    ::curl_easy_getinfo(http_.get(), CURLINFO_RESPONSE_CODE, &status);
    response.status = static_cast<int>(status);
    return response;
}

} // namespace hammer
