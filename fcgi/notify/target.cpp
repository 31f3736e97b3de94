#include "fcgi/notify/target.hpp"

#include "fcgi/notify/secret_file.hpp"
#include "fcgi/notify/webhook.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>

namespace fcgi::notify {

namespace {

// Names of 8 characters are 3.6 KB then, of the 8 KB that a header may have in Varnish.
constexpr std::string_view varnish_header = "/\nxkey-purge: {names blank 400}\n";

// With these a webhook is at most some 20 KB long, as its specification recommends.
constexpr std::size_t names_of_webhook = 1'000;
constexpr std::size_t documents_of_webhook = 100;

constexpr std::size_t longest_template = 64 * 1024;

parser::Error configuration_error(std::string what) {
    return {parser::ErrorKind::configuration, std::move(what)};
}

} // namespace

parser::Result<Target> Target::read(std::string_view text, TargetSettings const& settings) {
    auto const equals = std::min(text.find('='), text.size());
    auto const kind = text.substr(0, equals);
    auto const value = text.substr(std::min(equals + 1, text.size()));
    if (kind == "varnish") return read_varnish(value, settings);
    if (kind == "webhook") return read_webhook(value, settings);
    if (kind == "template") return read_template(value, settings);
    return configuration_error("expected varnish=http://HOST:PORT/, webhook=https://HOST/PATH or "
                               "template=FILE");
}

parser::Result<Target> Target::read_varnish(std::string_view url, TargetSettings const& settings) {
    auto const read = HttpUrl::read(url);
    if (!read || read->target != "/")
        return configuration_error("expected varnish=http://HOST:PORT/");
    if (url.ends_with('/')) url.remove_suffix(1);
    auto made = RequestTemplate::read("PURGE " + std::string(url) + std::string(varnish_header));
    if (!made) return made.error();
    Target target("varnish " + read->address(), settings.site, *std::move(made));
    target.longest_pause_ = std::chrono::milliseconds(500);
    target.longest_attempt_ = std::chrono::milliseconds(2'000);
    return target;
}

parser::Result<Target> Target::read_webhook(std::string_view url, TargetSettings const& settings) {
    auto read = HttpUrl::read(url);
    if (!read) return configuration_error("webhook: " + read.error().message);
    if (settings.secret_file.empty())
        return configuration_error("webhook: expected notify-secret-file, a file that this makes: "
                                   "(umask 077; echo whsec_$(openssl rand -base64 32) >FILE)");
    auto const line = read_secret(settings.secret_file);
    if (!line) return configuration_error("notify-secret-file: " + line.error().message);
    auto secret = read_webhook_secret(*line);
    if (!secret)
        return configuration_error("notify-secret-file: " + settings.secret_file + ": " +
                                   secret.error().message);
    auto name = "webhook " + read->address();
    return Target(std::move(name), settings.site,
                  Webhook{*std::move(read), *std::move(secret), settings.tells_drafts,
                          settings.has_document_ids});
}

parser::Result<Target> Target::read_template(std::string_view path,
                                             TargetSettings const& settings) {
    std::string const file_name(path);
    errno = 0;
    std::ifstream file(file_name);
    std::string text(longest_template + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.empty())
        return configuration_error("template: " + file_name +
                                   (errno ? std::string(" cannot be read: ") + std::strerror(errno)
                                          : std::string(" is empty")));
    if (text.size() > longest_template)
        return configuration_error("template: " + file_name + " is longer than 64 KB");
    auto made = RequestTemplate::read(text);
    if (!made) return configuration_error("template: " + file_name + ": " + made.error().message);
    Target target("template " + std::filesystem::path(file_name).stem().string(), settings.site,
                  *std::move(made));
    target.file_text_ = std::move(text);
    return target;
}

HttpUrl const& Target::url() const {
    auto const* const webhook = std::get_if<Webhook>(&kind_);
    return webhook ? webhook->url : std::get<RequestTemplate>(kind_).url();
}

std::size_t Target::fitting(std::span<std::string const> names) const {
    auto const* const made = std::get_if<RequestTemplate>(&kind_);
    return made ? made->fitting(names) : std::min(names.size(), names_of_webhook);
}

// Returns each document once; whether it is published is no longer of interest.
std::vector<ChangedDocument>
Target::Webhook::told(std::vector<ChangedDocument> const& documents) const {
    auto told = documents;
    if (!tells_drafts)
        std::erase_if(told, [](auto const& changed) { return !changed.is_published; });
    auto const identity = [](ChangedDocument const& changed) {
        return std::tie(changed.type, changed.document);
    };
    std::ranges::sort(told, {}, identity);
    told.erase(std::ranges::unique(told, {}, identity).begin(), told.end());
    return told;
}

std::vector<Target::Part> Target::parts(Batch const& batch,
                                        std::chrono::system_clock::time_point since) const {
    auto const all = batch.site ? std::vector{site_} : batch.names;
    auto const* const webhook = std::get_if<Webhook>(&kind_);
    auto const documents =
        webhook ? webhook->told(batch.documents) : std::vector<ChangedDocument>();
    std::span<std::string const> names = all;
    std::span<ChangedDocument const> changed = documents;
    std::vector<Part> parts;
    while (!names.empty() || !changed.empty()) {
        auto const now = names.first(fitting(names));
        auto const some = changed.first(std::min(changed.size(), documents_of_webhook));
        Part part{{}, since, webhook ? random_webhook_id() : std::string()};
        part.content.names.assign(now.begin(), now.end());
        part.content.documents.assign(some.begin(), some.end());
        part.content.site = batch.site;
        parts.push_back(std::move(part));
        names = names.subspan(now.size());
        changed = changed.subspan(some.size());
    }
    return parts;
}

HttpClient::OutgoingRequest Target::request(Part const& part,
                                            std::chrono::system_clock::time_point now) const {
    if (auto const* const webhook = std::get_if<Webhook>(&kind_))
        return webhook->request(part, now);
    return std::get<RequestTemplate>(kind_).request(part.content.names);
}

HttpClient::OutgoingRequest
Target::Webhook::request(Part const& part, std::chrono::system_clock::time_point now) const {
    auto const seconds =
        std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
    auto body = webhook_body({part.content, part.since, has_document_ids});
    auto signature = webhook_signature(secret, part.id, seconds, body);
    return {"POST",
            url.target,
            {{"Content-Type", "application/json"},
             {"webhook-id", part.id},
             {"webhook-timestamp", std::to_string(seconds)},
             {"webhook-signature", std::move(signature)}},
            std::move(body)};
}

parser::Result<std::vector<Target>> Target::read_all(std::span<std::string const> texts,
                                                     TargetSettings const& settings) {
    std::vector<Target> targets;
    std::map<std::string, std::size_t> namesakes; // two webhooks of one host, say
    for (auto const& text : texts) {
        auto target = read(text, settings);
        if (!target) return configuration_error("notify-target: " + target.error().message);
        auto const count = ++namesakes[target->name_];
        if (count > 1) target->name_ += ' ' + std::to_string(count);
        targets.push_back(*std::move(target));
    }
    return targets;
}

} // namespace fcgi::notify
