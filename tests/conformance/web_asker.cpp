#include "tests/conformance/asker.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace conformance {
namespace {

std::size_t append_to(char* bytes, std::size_t size, std::size_t count, void* text) {
    static_cast<std::string*>(text)->append(bytes, size * count);
    return size * count;
}

std::string header(CURL* curl, char const* name) {
    curl_header* found = nullptr;
    if (curl_easy_header(curl, name, 0, CURLH_HEADER, -1, &found) != CURLHE_OK) return {};
    return found->value;
}

class WebAsker : public Asker {
  public:
    explicit WebAsker(std::string url) : url_(std::move(url)), curl_(curl_easy_init()) {
        if (!curl_) throw std::runtime_error("libcurl does not start");
    }
    ~WebAsker() override { curl_easy_cleanup(curl_); }

    Response response(Record const& record, std::string const& authorization) override {
        curl_slist* headers = nullptr;
        for (auto const& [name, value] : record.headers)
            headers = curl_slist_append(headers, (name + ": " + value).c_str());
        if (!authorization.empty())
            headers = curl_slist_append(headers, ("Authorization: " + authorization).c_str());
        Response got;
        curl_easy_reset(curl_);
        curl_easy_setopt(curl_, CURLOPT_URL, (url_ + record.path).c_str());
        curl_easy_setopt(curl_, CURLOPT_PATH_AS_IS, 1L);
        curl_easy_setopt(curl_, CURLOPT_CUSTOMREQUEST, record.method.c_str());
        curl_easy_setopt(curl_, CURLOPT_NOBODY, record.method == "HEAD" ? 1L : 0L);
        curl_easy_setopt(curl_, CURLOPT_HTTPHEADER, headers);
        curl_easy_setopt(curl_, CURLOPT_TIMEOUT, 30L);
        curl_easy_setopt(curl_, CURLOPT_WRITEFUNCTION, append_to);
        curl_easy_setopt(curl_, CURLOPT_WRITEDATA, &got.body);
        auto const result = curl_easy_perform(curl_);
        curl_slist_free_all(headers);
        if (result != CURLE_OK) return {0, "", "", curl_easy_strerror(result)};
        long status = 0;
        curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &status);
        got.status = static_cast<int>(status);
        got.content_type = header(curl_, "Content-Type");
        got.allow = header(curl_, "Allow");
        return got;
    }

  private:
    std::string url_;
    CURL* curl_;
};

bool is_hex(char c) {
    return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

bool starts_with_any_case(std::string_view text, std::string_view lower) {
    return text.size() >= lower.size() &&
           std::equal(lower.begin(), lower.end(), text.begin(), [](char a, char b) {
               return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
           });
}

} // namespace

std::unique_ptr<Asker> ask_web_server(std::string const& url) {
    return std::make_unique<WebAsker>(url);
}

bool passes_web_server(Record const& record) {
    if (record.method == "TRACE" || record.path.find('#') != record.path.npos) return false;
    auto const path = std::string_view(record.path).substr(0, record.path.find('?'));
    bool const is_ours =
        starts_with_any_case(path, "/api/") || starts_with_any_case(path, "/_health");
    for (std::size_t at = path.find('%'); at != path.npos; at = path.find('%', at + 1)) {
        bool const decodes = at + 2 < path.size() && is_hex(path[at + 1]) && is_hex(path[at + 2]);
        if (!decodes || path.substr(at, 3) == "%00") return false;
    }
    bool const has_raw_bytes = std::any_of(record.path.begin(), record.path.end(), [](char c) {
        return static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) > '~';
    });
    return is_ours && !has_raw_bytes;
}

} // namespace conformance
