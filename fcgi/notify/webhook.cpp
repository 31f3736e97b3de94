#include "fcgi/notify/webhook.hpp"

#include "parser/base/javascript.hpp"

#include <boost/algorithm/hex.hpp>

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <iterator>
#include <set>
#include <stdexcept>
#include <vector>

namespace fcgi::notify {

namespace {

constexpr std::string_view secret_prefix = "whsec_";

unsigned char const* bytes_of(std::string_view text) {
    return reinterpret_cast<unsigned char const*>(text.data());
}

std::string to_base64(unsigned char const* bytes, std::size_t size) {
    std::string text((size + 2) / 3 * 4 + 1, '\0'); // it ends with a zero
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes, static_cast<int>(size));
    text.pop_back();
    return text;
}

// Returns an empty text if it is not base64.
std::string from_base64(std::string_view text) {
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
    std::string bytes(text.size() / 4 * 3, '\0');
    if (text.empty() || text.size() % 4 != 0 || text.find_first_not_of(alphabet) != text.npos ||
        EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()), bytes_of(text),
                        static_cast<int>(text.size())) < 0)
        return {};
    bytes.resize(bytes.size() - (text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0));
    return bytes;
}

// 2026-03-01T12:00:00.250Z
std::string iso_time(std::chrono::system_clock::time_point time) {
    auto const milliseconds =
        std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
    std::time_t const seconds = milliseconds / 1000;
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::array<char, 32> text{};
    auto const size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S.", &parts);
    auto const fraction = std::to_string(1000 + milliseconds % 1000);
    return std::string(text.data(), size) + fraction.substr(1) + 'Z';
}

void append_strings(std::string& json, auto const& texts) {
    json += '[';
    for (bool is_first = true; auto const& text : texts) {
        if (!is_first) json += ',';
        parser::append_json_string(json, text);
        is_first = false;
    }
    json += ']';
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

void append_documents(std::string& json, std::vector<ChangedDocument> const& documents,
                      bool has_document_ids) {
    json += '[';
    for (bool is_first = true; auto const& [type, document, is_published] : documents) {
        json += is_first ? R"({"type":)" : R"(,{"type":)";
        parser::append_json_string(json, type);
        if (!has_document_ids && is_number(document)) {
            json += R"(,"id":)" + document;
        } else {
            json += has_document_ids ? R"(,"documentId":)" : R"(,"id":)";
            parser::append_json_string(json, document);
        }
        json += '}';
        is_first = false;
    }
    json += ']';
}

} // namespace

parser::Result<std::string> read_webhook_secret(std::string_view text) {
    // As the specification has it.
    constexpr std::size_t least = 24;
    constexpr std::size_t most = 64;
    auto secret = text.starts_with(secret_prefix) ? from_base64(text.substr(secret_prefix.size()))
                                                  : std::string();
    if (secret.size() < least || secret.size() > most)
        return parser::Error{parser::ErrorKind::configuration,
                             "expected whsec_ and 24 to 64 bytes in base64, as this prints: "
                             "echo whsec_$(openssl rand -base64 32)"};
    return secret;
}

std::string webhook_signature(std::string_view secret, std::string_view id, std::int64_t time,
                              std::string_view body) {
    auto const text = std::string(id) + '.' + std::to_string(time) + '.' + std::string(body);
    std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
    unsigned size = 0;
    if (!HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), bytes_of(text),
              text.size(), hash.data(), &size))
        throw std::runtime_error("a webhook cannot be signed");
    return "v1," + to_base64(hash.data(), size);
}

std::string random_webhook_id() {
    std::array<unsigned char, 16> bytes{};
    if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
        throw std::runtime_error("the system gives no random numbers");
    std::string id = "msg_";
    boost::algorithm::hex_lower(bytes, std::back_inserter(id));
    return id;
}

std::string webhook_body(ChangeBatch const& content, std::chrono::system_clock::time_point since,
                         bool has_document_ids) {
    std::set<std::string_view> types;
    for (auto const& document : content.documents)
        types.insert(document.type);
    std::string json =
        R"({"type":"content.changed","timestamp":")" + iso_time(since) + R"(","data":{"tags":)";
    append_strings(json, content.names);
    json += content.site ? R"(,"site":true,"types":)" : R"(,"site":false,"types":)";
    append_strings(json, types);
    json += R"(,"documents":)";
    append_documents(json, content.documents, has_document_ids);
    json += "}}";
    return json;
}

} // namespace fcgi::notify
