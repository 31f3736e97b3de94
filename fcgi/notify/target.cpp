#include "fcgi/notify/target.hpp"

#include "fcgi/notify/webhook.hpp"
#include "parser/base/javascript.hpp"
#include "parser/base/units.hpp"

#include <boost/algorithm/string/predicate.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

constexpr std::size_t names_of_template = 1'000;
constexpr std::size_t bytes_of_names = 4'096; // of joined names: more than a header may often have

constexpr char expected_request[] =
    "expected METHOD URL, such as POST https://api.example.org/purge";
constexpr char expected_header[] = "expected Header: value, or an empty line before the body";
constexpr char expected_names[] =
    "expected {names blank LIMIT}, {names comma LIMIT} or {names json LIMIT}, with a limit from 1 "
    "to 1000, once, in a header or the body";

bool is_token(std::string_view text) {
    constexpr std::string_view parts = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789!#$%&'*+-.^_`|~";
    return !text.empty() && text.find_first_not_of(parts) == text.npos;
}

bool has_control_character(std::string_view text) {
    return std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

// Takes the first line off the text.
std::string_view take_line(std::string_view& text) {
    auto const end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

// Where it is known that nobody listens.
bool is_this_machine(std::string const& host) {
    return host == "localhost" || host == "::1" || host == "127.0.0.1";
}

constexpr std::size_t longest_secret = 4096;

// Reads one byte more than a secret may have.
std::string read_beginning(int file) {
    std::array<char, longest_secret + 1> bytes;
    std::size_t size = 0;
    for (ssize_t count = 1; count > 0 && size < bytes.size();) {
        count = ::read(file, bytes.data() + size, bytes.size() - size);
        if (count > 0) size += static_cast<std::size_t>(count);
    }
    return {bytes.data(), size};
}

// Returns the one line of a file, which may be up to 4 KB long. The file must not be readable by
// everybody. The message of an error begins with the path and shows nothing of the line.
parser::Result<std::string> read_secret(std::string const& path) {
    auto const problem = [&path](std::string const& what) {
        return parser::Error{parser::ErrorKind::configuration, path + what};
    };
    int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return problem(std::string(" cannot be read: ") + std::strerror(errno));
    struct stat facts{};
    bool const is_file = ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    auto secret = is_file ? read_beginning(file) : std::string();
    ::close(file);
    if (!is_file) return problem(" is not a file");
    if ((facts.st_mode & (S_IRWXO | S_IWGRP)) != 0)
        return problem(" may be read by others: type chmod 600 " + path);
    while (secret.ends_with('\n') || secret.ends_with('\r') || secret.ends_with(' '))
        secret.pop_back();
    if (secret.empty()) return problem(" is empty");
    if (secret.size() > longest_secret) return problem(" is longer than 4096 bytes");
    bool const is_line =
        std::ranges::all_of(secret, [](unsigned char c) { return c >= 0x20 && c != 0x7f; });
    if (!is_line) return problem(": expected one line of text");
    return secret;
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
                  Webhook{*std::move(read), *std::move(secret), settings.reports_drafts,
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
Target::Webhook::reported(std::vector<ChangedDocument> const& documents) const {
    auto reported = documents;
    if (!reports_drafts)
        std::erase_if(reported, [](auto const& changed) { return !changed.is_published; });
    auto const identity = [](ChangedDocument const& changed) {
        return std::tie(changed.type, changed.document);
    };
    std::ranges::sort(reported, {}, identity);
    reported.erase(std::ranges::unique(reported, {}, identity).begin(), reported.end());
    return reported;
}

std::vector<Target::Message> Target::messages(ChangeBatch const& batch,
                                              std::chrono::system_clock::time_point since) const {
    auto const all = batch.site ? std::vector{site_} : batch.names;
    auto const* const webhook = std::get_if<Webhook>(&kind_);
    auto const documents =
        webhook ? webhook->reported(batch.documents) : std::vector<ChangedDocument>();
    std::span<std::string const> names = all;
    std::span<ChangedDocument const> changed = documents;
    std::vector<Message> messages;
    while (!names.empty() || !changed.empty()) {
        auto const now = names.first(fitting(names));
        auto const some = changed.first(std::min(changed.size(), documents_of_webhook));
        Message message{{}, since, webhook ? random_webhook_id() : std::string()};
        message.content.names.assign(now.begin(), now.end());
        message.content.documents.assign(some.begin(), some.end());
        message.content.site = batch.site;
        messages.push_back(std::move(message));
        names = names.subspan(now.size());
        changed = changed.subspan(some.size());
    }
    return messages;
}

HttpClient::OutgoingRequest Target::request(Message const& message,
                                            std::chrono::system_clock::time_point now) const {
    if (auto const* const webhook = std::get_if<Webhook>(&kind_))
        return webhook->request(message, now);
    return std::get<RequestTemplate>(kind_).request(message.content.names);
}

HttpClient::OutgoingRequest
Target::Webhook::request(Message const& message, std::chrono::system_clock::time_point now) const {
    auto const seconds =
        std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
    auto body = webhook_body(message.content, message.since, has_document_ids);
    auto signature = webhook_signature(secret, message.id, seconds, body);
    return {"POST",
            url.target,
            {{"Content-Type", "application/json"},
             {"webhook-id", message.id},
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

parser::Result<RequestTemplate> RequestTemplate::read(std::string_view text) {
    RequestTemplate result;
    auto const problem = [](std::size_t line, std::string const& what) {
        return parser::Error{parser::ErrorKind::configuration,
                             (line ? "line " + std::to_string(line) + ": " : "") + what};
    };
    bool has_body = false;
    for (std::size_t number = 1; !text.empty() && !has_body; ++number) {
        auto const line = take_line(text);
        if (line.starts_with('#')) continue;
        Problem wrong;
        if (!result.method_.empty() && line.empty())
            has_body = true;
        else if (has_control_character(line))
            wrong = "expected no control characters";
        else if (!result.method_.empty())
            wrong = result.read_header(line);
        else if (!line.empty())
            wrong = result.read_request_line(line);
        if (wrong) return problem(number, *wrong);
    }
    if (result.method_.empty()) return problem(0, expected_request);
    // The line end of the last line is that of the file.
    if (text.ends_with('\n')) text.remove_suffix(1);
    if (auto const wrong = result.read_text(text, result.body_)) return problem(0, *wrong);
    if (result.limit_ == 0) return problem(0, expected_names);
    if (result.has_secret_ && !result.url_.is_encrypted && !is_this_machine(result.url_.host))
        return problem(0, "expected https://, because the request has a secret");
    return result;
}

RequestTemplate::Problem RequestTemplate::read_request_line(std::string_view line) {
    auto const blank = std::min(line.find(' '), line.size());
    auto const method = line.substr(0, blank);
    if (!std::ranges::all_of(method, [](char c) { return c >= 'A' && c <= 'Z'; }) || method.empty())
        return expected_request;
    auto url = HttpUrl::read(trimmed(line.substr(blank)));
    if (!url) return expected_request + ("; " + url.error().message);
    method_ = method;
    url_ = *std::move(url);
    return std::nullopt;
}

RequestTemplate::Problem RequestTemplate::read_header(std::string_view line) {
    auto const colon = std::min(line.find(':'), line.size());
    auto const name = line.substr(0, colon);
    if (!is_token(name) || colon == line.size()) return expected_header;
    for (char const* const own : {"Host", "Content-Length", "Transfer-Encoding", "Connection"})
        if (boost::iequals(name, own)) return std::string(own) + " is set already";
    headers_.emplace_back(name, TemplateText());
    return read_text(trimmed(line.substr(colon + 1)), headers_.back().second);
}

// Other braces, those of JSON, are text.
RequestTemplate::Problem RequestTemplate::read_text(std::string_view text, TemplateText& result) {
    constexpr std::string_view names = "{names";
    constexpr std::string_view file = "{file ";
    auto* out = &result.before;
    while (!text.empty()) {
        auto const end = text.find('}');
        if (end != text.npos && text.starts_with(file)) {
            auto const path = trimmed(text.substr(file.size(), end - file.size()));
            if (!path.starts_with('/')) return "expected {file /PATH}, with the whole path";
            auto const secret = read_secret(std::string(path));
            if (!secret) return secret.error().message;
            *out += *secret;
            has_secret_ = true;
            text.remove_prefix(end + 1);
        } else if (end != text.npos && text.starts_with(names)) {
            if (auto wrong = read_names(text.substr(names.size(), end - names.size())))
                return wrong;
            result.has_names = true;
            out = &result.after;
            text.remove_prefix(end + 1);
        } else {
            *out += text.front();
            text.remove_prefix(1);
        }
    }
    return std::nullopt;
}

RequestTemplate::Problem RequestTemplate::read_names(std::string_view words) {
    words = trimmed(words);
    auto const blank = std::min(words.find(' '), words.size());
    auto const form = words.substr(0, blank);
    auto const limit = parser::read_number(trimmed(words.substr(blank)));
    if (limit_ != 0 || !limit || *limit == 0 || *limit > names_of_template) return expected_names;
    if (form == "blank")
        form_ = NameFormat::blank;
    else if (form == "comma")
        form_ = NameFormat::comma;
    else if (form == "json")
        form_ = NameFormat::json;
    else
        return expected_names;
    limit_ = *limit;
    return std::nullopt;
}

std::size_t RequestTemplate::fitting(std::span<std::string const> names) const {
    auto const separators = form_ == NameFormat::json ? 3u : 1u;
    std::size_t count = 0;
    for (std::size_t bytes = 0; count < names.size() && count < limit_; ++count) {
        bytes += names[count].size() + separators;
        if (bytes > bytes_of_names && count > 0) break;
    }
    return count;
}

std::string RequestTemplate::join(std::span<std::string const> names) const {
    std::string text;
    for (auto const& name : names) {
        if (!text.empty()) text += form_ == NameFormat::blank ? ' ' : ',';
        if (form_ == NameFormat::json)
            parser::append_json_string(text, name);
        else
            text += name;
    }
    return text;
}

HttpClient::OutgoingRequest RequestTemplate::request(std::span<std::string const> names) const {
    auto const joined = join(names);
    auto const filled = [&joined](TemplateText const& text) {
        return text.has_names ? text.before + joined + text.after : text.before;
    };
    HttpClient::OutgoingRequest request{method_, url_.target, {}, filled(body_)};
    for (auto const& [name, text] : headers_)
        request.headers.emplace_back(name, filled(text));
    return request;
}

} // namespace fcgi::notify
