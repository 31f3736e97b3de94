#include "fcgi/notify/target.hpp"

#include "fcgi/notify/webhook.hpp"
#include "tests/unit/fcgi/check/folder.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>

BOOST_AUTO_TEST_SUITE(notify_target)

namespace {

using fcgi::notify::ChangeBatch;
using fcgi::notify::ChangedDocument;
using fcgi::notify::Target;
using fcgi::notify::TargetSettings;
using Headers = std::vector<std::pair<std::string, std::string>>;

constexpr char whsec[] = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
std::chrono::system_clock::time_point const noon{std::chrono::milliseconds(1'772'366'400'250)};
std::chrono::system_clock::time_point const later = noon + std::chrono::seconds(90);

struct TargetFixture {
    TargetFixture() { settings.secret_file = file("secret", whsec); }

    // Writes a file, which its owner alone may read unless `mode` differs.
    std::string file(std::string const& name, std::string const& text, mode_t mode = 0600) const {
        folder.write(name, text);
        auto const path = (folder.path / name).string();
        BOOST_TEST_REQUIRE(::chmod(path.c_str(), mode) == 0);
        return path;
    }

    Target target(std::string const& text) const {
        auto read = Target::read(text, settings);
        BOOST_TEST_REQUIRE(read.has_value(), (read ? "" : read.error().message));
        return *std::move(read);
    }

    Target target_of_template(std::string const& text) const {
        return target("template=" + file("api.template", text));
    }

    std::string problem_of_template(std::string const& text) const {
        auto const path = file("api.template", text);
        auto const read = Target::read("template=" + path, settings);
        if (read) return "";
        auto const begin = "template: " + path + ": ";
        BOOST_TEST(read.error().message.starts_with(begin), read.error().message);
        return read.error().message.substr(begin.size());
    }

    static std::vector<fcgi::HttpClient::OutgoingRequest> requests(Target const& target,
                                                                   ChangeBatch const& batch) {
        std::vector<fcgi::HttpClient::OutgoingRequest> requests;
        for (auto const& part : target.messages(batch, noon))
            requests.push_back(target.request(part, later));
        return requests;
    }

    static std::vector<std::string> numbered(std::size_t count) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < count; ++i)
            names.push_back("n" + std::to_string(1'000'000 + i));
        return names;
    }

    // A template of the documents, with a secret of our own.
    std::string shipped(std::string const& name, std::string const& secret) const {
        std::ifstream stream(std::string(TEST_DATA) + "/../../nginx/servers/notify/" + name);
        std::stringstream text;
        text << stream.rdbuf();
        BOOST_TEST_REQUIRE(!text.str().empty());
        return boost::replace_all_copy(text.str(), "/etc/populate-fcgi/" + secret,
                                       file(secret, "SECRET\n"));
    }

    Folder folder;
    TargetSettings settings{.site = "SITE"};
};

std::string header_of(fcgi::HttpClient::OutgoingRequest const& request, std::string const& name) {
    for (auto const& [its, value] : request.headers)
        if (its == name) return value;
    return "";
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(behaviour, TargetFixture)

// The published example of https://www.standardwebhooks.com.
BOOST_AUTO_TEST_CASE(a_signature_is_that_of_the_specification) {
    auto const secret = fcgi::notify::read_webhook_secret(whsec);
    BOOST_TEST_REQUIRE(secret.has_value());
    BOOST_TEST(fcgi::notify::webhook_signature(*secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
                                               R"({"test": 2432232314})") ==
               "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

BOOST_AUTO_TEST_CASE(a_webhook_secret_has_24_to_64_bytes) {
    struct {
        std::string text;
        std::size_t size; // 0: it is refused
    } const cases[] = {
        {whsec, 24},
        {"whsec_" + std::string(86, 'A') + "==", 64},
        {"whsec_" + std::string(28, 'A'), 0},
        {"whsec_" + std::string(87, 'A') + "=", 0},
        {"whsec_", 0},
        {"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", 0},
        {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La La=", 0},
        {"", 0},
    };
    for (auto const& [text, size] : cases) {
        auto const secret = fcgi::notify::read_webhook_secret(text);
        BOOST_TEST((secret ? secret->size() : 0) == size, text);
    }
}

BOOST_AUTO_TEST_CASE(varnish_gets_names_in_a_header_of_purge) {
    auto const varnish = target("varnish=http://127.0.0.1:6081/");
    BOOST_TEST(varnish.name() == "varnish 127.0.0.1:6081");
    auto const sent = requests(varnish, {.names = {"a", "b"}});
    BOOST_TEST_REQUIRE(sent.size() == 1);
    BOOST_TEST(sent[0].method == "PURGE");
    BOOST_TEST(sent[0].target == "/");
    BOOST_TEST((sent[0].headers == Headers{{"xkey-purge", "a b"}}));
    BOOST_TEST(sent[0].body == "");
}

BOOST_AUTO_TEST_CASE(what_changes_everything_has_the_name_of_the_site) {
    auto const sent = requests(target("varnish=http://127.0.0.1:6081"), {.site = true});
    BOOST_TEST_REQUIRE(sent.size() == 1);
    BOOST_TEST(header_of(sent[0], "xkey-purge") == "SITE");
}

BOOST_AUTO_TEST_CASE(a_batch_without_names_is_no_request) {
    BOOST_TEST(requests(target("varnish=http://127.0.0.1:6081/"),
                        {.documents = {{"api::a.a", "d", true}}, .position = 7})
                   .empty());
    BOOST_TEST(requests(target("webhook=https://example.org/"), {.position = 7}).empty());
    BOOST_TEST(
        requests(target("webhook=https://example.org/"), {.documents = {{"api::a.a", "d", false}}})
            .empty());
}

BOOST_AUTO_TEST_CASE(more_names_than_a_header_takes_are_several_requests) {
    for (auto const& names : {numbered(1000), std::vector(9, std::string(1000, 'n'))}) {
        std::string joined;
        std::size_t longest = 0;
        for (auto const& request :
             requests(target("varnish=http://127.0.0.1:6081/"), {.names = names})) {
            auto const value = header_of(request, "xkey-purge");
            longest = std::max(longest, value.size());
            joined += ' ' + value;
        }
        std::string expected;
        for (auto const& name : names)
            expected += ' ' + name;
        BOOST_TEST(joined == expected);
        BOOST_TEST(longest <= 4096);
    }
}

BOOST_AUTO_TEST_CASE(a_webhook_is_signed_json) {
    auto const webhook = target("webhook=https://example.org/hook?a=1");
    BOOST_TEST(webhook.name() == "webhook example.org:443");
    auto const parts = webhook.messages({.names = {"a", "b"},
                                         .documents = {{"api::page.page", "d2", true},
                                                       {"api::page.page", "d1", true},
                                                       {"api::page.page", "d1", true},
                                                       {"api::tag.tag", "d\"3", true},
                                                       {"api::draft.draft", "d4", false}}},
                                        noon);
    BOOST_TEST_REQUIRE(parts.size() == 1);
    auto const request = webhook.request(parts[0], later);
    BOOST_TEST(request.method == "POST");
    BOOST_TEST(request.target == "/hook?a=1");
    BOOST_TEST(request.body ==
               R"({"type":"content.changed","timestamp":"2026-03-01T12:00:00.250Z","data":)"
               R"({"tags":["a","b"],"site":false,"types":["api::page.page","api::tag.tag"],)"
               R"("documents":[{"type":"api::page.page","documentId":"d1"},)"
               R"({"type":"api::page.page","documentId":"d2"},)"
               R"({"type":"api::tag.tag","documentId":"d\"3"}]}})");
    auto const id = header_of(request, "webhook-id");
    BOOST_TEST(id.starts_with("msg_"));
    BOOST_TEST(id.size() == 36);
    BOOST_TEST(id.find('.') == id.npos);
    BOOST_TEST(header_of(request, "content-type") == "");
    BOOST_TEST(header_of(request, "Content-Type") == "application/json");
    BOOST_TEST(header_of(request, "webhook-timestamp") == "1772366490");
    BOOST_TEST(header_of(request, "webhook-signature") ==
               fcgi::notify::webhook_signature(*fcgi::notify::read_webhook_secret(whsec), id,
                                               1'772'366'490, request.body));
}

BOOST_AUTO_TEST_CASE(an_attempt_has_the_id_of_its_part_and_a_time_of_its_own) {
    auto const webhook = target("webhook=https://example.org/");
    auto const parts = webhook.messages({.names = numbered(1001)}, noon);
    BOOST_TEST_REQUIRE(parts.size() == 2);
    auto const first = webhook.request(parts[0], noon);
    auto const again = webhook.request(parts[0], later);
    BOOST_TEST(header_of(first, "webhook-id") == header_of(again, "webhook-id"));
    BOOST_TEST(header_of(first, "webhook-timestamp") != header_of(again, "webhook-timestamp"));
    BOOST_TEST(header_of(first, "webhook-signature") != header_of(again, "webhook-signature"));
    BOOST_TEST(first.body == again.body);
    BOOST_TEST(parts[0].id != parts[1].id);
    BOOST_TEST(webhook.messages({.names = numbered(1)}, noon)[0].id != parts[0].id);
}

BOOST_AUTO_TEST_CASE(a_webhook_tells_drafts_if_asked_and_numbers_of_strapi_4) {
    settings.reports_drafts = true;
    settings.has_document_ids = false;
    auto const sent = requests(target("webhook=http://127.0.0.1:3000/"),
                               {.site = true,
                                .documents = {{"api::page.page", "12", false},
                                              {"api::page.page", "12", true},
                                              {"api::page.page", "x", false}}});
    BOOST_TEST_REQUIRE(sent.size() == 1);
    auto const data = boost::json::parse(sent[0].body).at("data");
    BOOST_TEST(
        boost::json::serialize(data) ==
        R"({"tags":["SITE"],"site":true,"types":["api::page.page"],)"
        R"("documents":[{"type":"api::page.page","id":12},{"type":"api::page.page","id":"x"}]})");
}

BOOST_AUTO_TEST_CASE(many_documents_are_several_webhooks) {
    ChangeBatch batch{.names = numbered(3)};
    for (int i = 0; i < 250; ++i)
        batch.documents.push_back({"api::page.page", "d" + std::to_string(i), true});
    std::set<std::string> documents;
    std::size_t tags = 0;
    auto const sent = requests(target("webhook=https://example.org/"), batch);
    BOOST_TEST(sent.size() == 3);
    for (auto const& request : sent) {
        BOOST_TEST(request.body.size() < 20 * 1024);
        auto const data = boost::json::parse(request.body).at("data");
        tags += data.at("tags").as_array().size();
        for (auto const& document : data.at("documents").as_array())
            documents.insert(document.at("documentId").as_string().c_str());
    }
    BOOST_TEST(tags == 3);
    BOOST_TEST(documents.size() == 250);
}

BOOST_AUTO_TEST_CASE(the_template_for_fastly_is_its_request) {
    auto const fastly = target_of_template(shipped("fastly.template", "fastly-key"));
    BOOST_TEST(fastly.name() == "template api");
    BOOST_TEST(fastly.url().address() == "api.fastly.com:443");
    auto const sent = requests(fastly, {.names = numbered(257)});
    BOOST_TEST_REQUIRE(sent.size() == 2);
    BOOST_TEST(sent[1].method == "POST");
    BOOST_TEST(sent[1].target == "/service/SERVICE_ID/purge");
    BOOST_TEST(
        (sent[1].headers == Headers{{"Fastly-Key", "SECRET"}, {"Surrogate-Key", "n1000256"}}));
    BOOST_TEST(sent[1].body == "");
}

BOOST_AUTO_TEST_CASE(the_template_for_cloudflare_is_its_request) {
    auto const cloudflare = target_of_template(shipped("cloudflare.template", "cloudflare-token"));
    BOOST_TEST(cloudflare.url().address() == "api.cloudflare.com:443");
    auto const sent = requests(cloudflare, {.names = numbered(32)});
    BOOST_TEST_REQUIRE(sent.size() == 2);
    BOOST_TEST(sent[1].method == "POST");
    BOOST_TEST(sent[1].target == "/client/v4/zones/ZONE_ID/purge_cache");
    BOOST_TEST((sent[1].headers ==
                Headers{{"Authorization", "Bearer SECRET"}, {"Content-Type", "application/json"}}));
    BOOST_TEST(sent[1].body == R"({"tags":["n1000030","n1000031"]})");
}

BOOST_AUTO_TEST_CASE(a_template_says_where_names_go_and_how_they_are_joined) {
    std::pair<char const*, char const*> const cases[] = {
        {"{names blank 9}", "a b"},
        {"{names comma 9}", "a,b"},
        {"{names json 9}", R"("a","b")"},
        {"[{names  json  9 }]", R"(["a","b"])"},
        {R"({"x":{"y":[{names json 9}]}})", R"({"x":{"y":["a","b"]}})"},
    };
    for (auto const& [place, value] : cases) {
        std::string const text = place;
        ChangeBatch const batch{.names = {"a", "b"}};
        auto const in_header = requests(
            target_of_template("# purges\n\nPOST https://example.org/p\n# names\nX-Names: " + text +
                               "\n"),
            batch);
        BOOST_TEST(header_of(in_header.at(0), "X-Names") == value);
        auto const in_body = requests(
            target_of_template("POST https://example.org/p\r\nX-A: b\r\n\r\n" + text + "\n"),
            batch);
        BOOST_TEST(header_of(in_body.at(0), "X-A") == "b");
        BOOST_TEST(in_body.at(0).body == value);
    }
}

BOOST_AUTO_TEST_CASE(a_secret_that_looks_like_a_place_is_none) {
    auto const secret = file("key", "{names json 1}");
    auto const sent = requests(target_of_template("POST https://example.org/p\nX-Key: {file " +
                                                  secret + "}\nX-Names: {names blank 9}\n"),
                               {.names = {"a"}});
    BOOST_TEST((sent.at(0).headers == Headers{{"X-Key", "{names json 1}"}, {"X-Names", "a"}}));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_in_a_template_is_said_with_its_line) {
    auto const key = file("key", "SECRET");
    auto const open = file("open", "SECRET", 0644);
    auto const empty = file("empty", "\n");
    auto const lines = file("lines", "SECRET\nX-Other: b\n");
    std::string const names = "expected {names blank LIMIT}, {names comma LIMIT} or {names json "
                              "LIMIT}, with a limit from 1 to 1000, once, in a header or the body";
    std::string const begin = "POST https://example.org/p\n";
    std::string const no_url = "expected METHOD URL, such as POST https://api.example.org/purge";
    std::pair<std::string, std::string> const cases[] = {
        {"\n", no_url},
        {"# nothing\n", no_url},
        {"post https://example.org/\n", "line 1: " + no_url},
        {"POST\n", "line 1: " + no_url +
                       "; expected http://HOST:PORT/PATH or "
                       "https://HOST/PATH, without user, password and #"},
        {begin, names},
        {begin + "X-Names: {names blank}\n", "line 2: " + names},
        {begin + "X-Names: {names tab 5}\n", "line 2: " + names},
        {begin + "X-Names: {names blank 0}\n", "line 2: " + names},
        {begin + "X-Names: {names blank 1001}\n", "line 2: " + names},
        {begin + "X-Names: {names blank 5}\nX-More: {names blank 5}\n", "line 3: " + names},
        {begin + "X-Names: {names blank 5}\n\n{names json 5}\n", names},
        {begin + "X Names: {names blank 5}\n",
         "line 2: expected Header: value, or an empty line before the body"},
        {begin + "{names blank 5}\n",
         "line 2: expected Header: value, or an empty line before the body"},
        {begin + "content-length: 5\n", "line 2: Content-Length is set already"},
        {begin + "X-A: a\x01\n", "line 2: expected no control characters"},
        {begin + "X-A: a\rX-B: b\n", "line 2: expected no control characters"},
        {begin + "X-Key: {file key}\n", "line 2: expected {file /PATH}, with the whole path"},
        {begin + "X-Key: {file " + open + "}\n",
         "line 2: " + open + " may be read by others: type chmod 600 " + open},
        {begin + "X-Key: {file " + empty + "}\n", "line 2: " + empty + " is empty"},
        {begin + "X-Key: {file " + lines + "}\n",
         "line 2: " + lines + ": expected one line of text"},
        {begin + "X-Key: {file /none}\n",
         "line 2: /none cannot be read: No such file or directory"},
        {begin + "X-Key: {file /}\n", "line 2: / is not a file"},
        {"POST http://example.org/p\nX-Key: {file " + key + "}\nX-Names: {names blank 5}\n",
         "expected https://, because the request has a secret"},
    };
    for (auto const& [text, problem] : cases)
        BOOST_TEST(problem_of_template(text) == problem);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_in_a_setting_is_said) {
    auto const no_kind =
        "expected varnish=http://HOST:PORT/, webhook=https://HOST/PATH or template=FILE";
    auto const missing = (folder.path / "none").string();
    auto const empty = file("empty.template", "");
    std::pair<std::string, std::string> const cases[] = {
        {"", no_kind},
        {"varnish", "expected varnish=http://HOST:PORT/"},
        {"http://127.0.0.1/", no_kind},
        {"varnish=127.0.0.1:6081", "expected varnish=http://HOST:PORT/"},
        {"varnish=http://127.0.0.1:6081/path", "expected varnish=http://HOST:PORT/"},
        {"varnish=http://127.0.0.1:6081/\nX-Other: b", "expected varnish=http://HOST:PORT/"},
        {"webhook=https://user:secret@example.org/",
         "webhook: expected http://HOST:PORT/PATH or https://HOST/PATH, without user, password "
         "and #"},
        {"template=" + missing,
         "template: " + missing + " cannot be read: No such file or directory"},
        {"template=" + empty, "template: " + empty + " is empty"},
    };
    for (auto const& [text, problem] : cases) {
        auto const read = Target::read(text, settings);
        BOOST_TEST((read ? "" : read.error().message) == problem);
    }
}

BOOST_AUTO_TEST_CASE(a_webhook_needs_a_secret_that_is_one) {
    std::pair<std::string, char const*> const cases[] = {
        {"", "webhook: expected notify-secret-file, a file that this makes: "
             "(umask 077; echo whsec_$(openssl rand -base64 32) >FILE)"},
        {file("open", whsec, 0644), "may be read by others: type chmod 600"},
        {file("short", "whsec_c2hvcnQ="), "expected whsec_ and 24 to 64 bytes in base64"},
    };
    for (auto const& [secret_file, problem] : cases) {
        settings.secret_file = secret_file;
        auto const read = Target::read("webhook=https://example.org/", settings);
        BOOST_TEST_REQUIRE(!read.has_value());
        BOOST_TEST(read.error().message.find(problem) != std::string::npos, read.error().message);
        BOOST_TEST(read.error().message.find("c2hv") == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(each_target_has_a_name_of_its_own) {
    std::string const texts[] = {"webhook=https://example.org/a", "webhook=https://example.org/b",
                                 "varnish=http://127.0.0.1:6081/"};
    auto const targets = Target::read_all(texts, settings);
    BOOST_TEST_REQUIRE(targets.has_value());
    BOOST_TEST(targets->at(0).name() == "webhook example.org:443");
    BOOST_TEST(targets->at(1).name() == "webhook example.org:443 2");
    BOOST_TEST(targets->at(2).name() == "varnish 127.0.0.1:6081");
    std::string const wrong[] = {"varnish=http://127.0.0.1:6081/", "other"};
    BOOST_TEST(
        Target::read_all(wrong, settings).error().message.starts_with("notify-target: expected "));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
