#pragma once

#include "fcgi/http/http_client.hpp"
#include "fcgi/notify/change_batch.hpp"
#include "parser/base/error.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fcgi::notify {

// A request to purge names, as text in the form of HTTP itself:
//
//     # comment
//     METHOD URL
//     Header: value
//
//     body
//
// Exactly one header, or the body, has the place of the names, {names FORM LIMIT}. FORM is how
// they are joined: `blank` (a b), `comma` (a,b) or `json` ("a","b"). LIMIT is how many of them a
// request takes. {file PATH} stands for the secret that a file holds, in headers and body.
class RequestTemplate {
  public:
    // The message of an error begins with the number of the line where there is one.
    static parser::Result<RequestTemplate> read(std::string_view text);

    HttpUrl const& url() const { return url_; }
    // How many of the names, from the first on, fit into one request: at least one.
    std::size_t fitting(std::span<std::string const> names) const;
    HttpClient::OutgoingRequest request(std::span<std::string const> names) const;

  private:
    enum class NameFormat : std::uint8_t { blank, comma, json };
    // A text with or without a place for names.
    struct TemplateText {
        std::string before;
        bool has_names = false;
        std::string after;
    };

    using Problem = std::optional<std::string>;
    Problem read_request_line(std::string_view line);
    Problem read_header(std::string_view line);
    Problem read_text(std::string_view text, TemplateText& result);
    Problem read_names(std::string_view words);
    std::string join(std::span<std::string const> names) const;

    HttpUrl url_;
    std::string method_;
    std::vector<std::pair<std::string, TemplateText>> headers_;
    TemplateText body_;
    NameFormat form_ = NameFormat::blank;
    std::size_t limit_ = 0; // 0: there was no place for names yet
    bool has_secret_ = false;
};

// What the settings of all targets say.
struct TargetSettings {
    std::string site = {};        // the name that all responses have (db::TagNames::of_all)
    std::string secret_file = {}; // notify-secret-file, of webhooks; empty: none
    bool reports_drafts = false;  // notify-drafts
    bool has_document_ids = true; // Strapi 5
};

// One whom changes are told: a setting `notify-target`.
class Target {
  public:
    // Takes `varnish=http://HOST:PORT/`, `webhook=https://HOST/PATH` or `template=FILE`. The
    // message of an error says what to type and shows no secret.
    static parser::Result<Target> read(std::string_view text, TargetSettings const& settings);
    // Reads several, and gives each a name of its own.
    static parser::Result<std::vector<Target>> read_all(std::span<std::string const> texts,
                                                        TargetSettings const& settings);

    // For logs and metrics: `varnish 127.0.0.1:6081`, without what may be secret of a URL.
    std::string const& name() const { return name_; }
    HttpUrl const& url() const;
    // What the file of a template has; empty: it is none.
    std::string const& file_text() const { return file_text_; }
    // Returns how long to wait at most before another attempt: a cache that is back has to be told
    // at once, and another's service is not to be asked without end.
    std::chrono::milliseconds longest_pause() const { return longest_pause_; }
    // Returns how long an attempt may take. What a network loses is sent again by TCP ever more
    // rarely: who waits long learns late that the network is back.
    std::chrono::milliseconds longest_attempt() const { return longest_attempt_; }

    // What fits into one request.
    struct Message {
        ChangeBatch content;
        std::chrono::system_clock::time_point since; // when it was known
        std::string id; // the same whenever it is sent, and no other message's
    };
    // Returns none if the batch has nothing that this target is told.
    std::vector<Message> messages(ChangeBatch const& batch,
                                  std::chrono::system_clock::time_point since) const;
    // Returns the request for an attempt at `now`.
    HttpClient::OutgoingRequest request(Message const& message,
                                        std::chrono::system_clock::time_point now) const;

  private:
    struct Webhook {
        HttpUrl url;
        std::string secret;
        bool reports_drafts;
        bool has_document_ids;

        std::vector<ChangedDocument> reported(std::vector<ChangedDocument> const& documents) const;
        HttpClient::OutgoingRequest request(Message const& message,
                                            std::chrono::system_clock::time_point now) const;
    };
    using Kind = std::variant<RequestTemplate, Webhook>;

    Target(std::string name, std::string site, Kind kind)
        : name_(std::move(name)), site_(std::move(site)), kind_(std::move(kind)) {}
    static parser::Result<Target> read_varnish(std::string_view url,
                                               TargetSettings const& settings);
    static parser::Result<Target> read_webhook(std::string_view url,
                                               TargetSettings const& settings);
    static parser::Result<Target> read_template(std::string_view path,
                                                TargetSettings const& settings);
    // How many of the names fit into one request.
    std::size_t fitting(std::span<std::string const> names) const;

    std::string name_;
    std::string site_;
    Kind kind_;
    std::string file_text_;
    std::chrono::milliseconds longest_pause_{30'000};
    std::chrono::milliseconds longest_attempt_{5'000};
};

} // namespace fcgi::notify
