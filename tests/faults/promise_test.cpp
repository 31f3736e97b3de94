#include "fixture.hpp"

#include <array>
#include <cstdio>

// These promises hold whatever goes wrong.

using namespace faults;

BOOST_AUTO_TEST_SUITE(requests)

namespace {

// Returns the output of a command, on either stream.
std::string output_of(std::string const& command) {
    std::string text;
    auto* const pipe = ::popen((command + " 2>&1").c_str(), "r");
    std::array<char, 4096> buffer;
    while (auto const count = std::fread(buffer.data(), 1, buffer.size(), pipe))
        text.append(buffer.data(), count);
    ::pclose(pipe);
    return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_bad_request_takes_no_connection) {
    Behind behind({"--permission-ttl=60"});
    behind.proxy.set({.refuse = true});
    behind.proxy.close_connections();
    struct {
        std::string uri;
        int status;
    } const table[] = {
        {"/api/articles?fields=nope", 400},
        {"/api/articles?filters[nope]=1", 400},
        {"/api/articles?sort=internalNote", 400},
        {"/api/articles?pagination[page]=1.5", 400},
        {"/api/articles?populate=tags" + std::string(17'000, 'x'), 400},
        {"/api/faqs", 403},
        {"/api/nothing", 404},
        {"/_health", 204},
        {usual_request, 502}, // there is none indeed
    };
    for (auto const& [uri, status] : table)
        BOOST_TEST(behind.application.get(uri).status == status, uri.substr(0, 60));
    BOOST_TEST(behind.application.ask(fastcgi::request_of("POST", usual_request)).status == 405);
}

BOOST_AUTO_TEST_CASE(no_secret_is_in_a_response_or_a_log) {
    std::string const password = "p4ssw0rd", secret = "jwt-s3cret", salt = "s4lt-of-tokens";
    auto database = reader_through(server::setting("POPULATE_TEST_SOCKET"));
    database.replace(database.find(":populate@"), 10, ":" + password + "@");
    ApplicationProcess application(
        {.database = database,
         .process = {
             .environment = {"POPULATE_JWT_SECRET=" + secret, "POPULATE_API_TOKEN_SALT=" + salt}}});
    auto text = application.get(usual_request).body;
    text += application.get(usual_request, {{"HTTP_AUTHORIZATION", "Bearer a.b.c"}}).body;
    application.signal(SIGHUP);
    BOOST_TEST(eventually([&] { return application.log().find("reloaded") != std::string::npos; }));
    text += application.log();
    std::string const settings =
        "POPULATE_JWT_SECRET=" + secret + " POPULATE_API_TOKEN_SALT=" + salt +
        " POPULATE_SCHEMA=" PROJECTS "/ks POPULATE_DATABASE='" + database + "' ";
    for (auto const command : {"check", "get /api/tags", "explain /api/tags", "--help"})
        text += output_of(settings + PROGRAM + " " + command);
    BOOST_TEST(text.find("database error 1045") != std::string::npos); // it did fail for this
    for (auto const& word : {password, secret, salt})
        BOOST_TEST(text.find(word) == std::string::npos, word);
}

BOOST_AUTO_TEST_SUITE_END()
