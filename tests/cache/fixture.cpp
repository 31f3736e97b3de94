#include "fixture.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include <sys/stat.h>

namespace cache_test {

namespace {

std::array<std::string, 6> const all_uses{"hit", "miss", "table", "all_tables", "epoch", "bypass"};

std::vector<std::string> options_of(Keeping::Settings const& settings, std::string const& metrics) {
    std::vector<std::string> options{
        "--cache=" + settings.cache, "--cache-user=" + server::setting("CACHE_USER"),
        "--cache-password-file=" + server::setting("CACHE_PASSWORD_FILE"),
        "--metrics-listen=" + metrics,
        // A request that is too early for the log finds its caller's permissions in the database.
        "--permission-ttl=0"};
    options.insert(options.end(), settings.options.begin(), settings.options.end());
    return options;
}

fastcgi::Parameters parameters_of(Request const& request) {
    static conformance::Secrets const secrets(data_file("secrets.json"));
    auto headers = request.headers;
    if (auto const value = secrets.authorization(request.caller); !value.empty())
        headers.emplace_back("HTTP_AUTHORIZATION", value);
    return fastcgi::request_of(request.method, request.uri, headers);
}

// Several may be in one test.
std::string new_address() {
    static int number = 0;
    return "unix:" + server::setting("POPULATE_TEST_SOCKET") + ".metrics" +
           std::to_string(++number);
}

} // namespace

Keeping::Keeping(Settings const& settings)
    : metrics_(new_address()),
      process_(std::make_unique<faults::ApplicationProcess>(
          faults::ApplicationSettings{.database = settings.database,
                                      .options = options_of(settings, metrics_),
                                      .schema = settings.schema,
                                      .is_patient = true})) {
    ask_until_cached({"/api/categories?pagination[pageSize]=1"});
}

fastcgi::Response Keeping::ask(Request const& request) const {
    return process_->ask(parameters_of(request));
}

std::pair<fastcgi::Response, std::string> Keeping::ask_with_outcome(Request const& request) const {
    auto const before = counts();
    auto response = ask(request);
    std::string use;
    // It is counted once it is answered.
    BOOST_TEST(eventually([&] {
                   auto const now = counts();
                   for (auto const& each : all_uses)
                       if (uses(now, each) > uses(before, each)) use = each;
                   return !use.empty();
               }),
               request.uri << ": " << response.status << process_->log());
    return {std::move(response), use};
}

fastcgi::Response Keeping::ask_until_cached(Request const& request) const {
    fastcgi::Response response;
    BOOST_TEST_REQUIRE(eventually([&] {
                           auto [got, use] = ask_with_outcome(request);
                           response = std::move(got);
                           return use == "hit";
                       }),
                       request.uri << " is not kept: " << response.status
                                   << response.body.substr(0, 200) << process_->log());
    return response;
}

// Nothing of the site outlives a request.
Uncached::Uncached()
    : process_(std::make_unique<faults::ApplicationProcess>(
          faults::ApplicationSettings{.database = server::setting("POPULATE_TEST_DATABASE"),
                                      .options = {"--permission-ttl=0"},
                                      .schema = server::setting("POPULATE_TEST_SCHEMA"),
                                      .is_patient = true})) {
}

fastcgi::Response Uncached::ask(Request const& request) const {
    return process_->ask(parameters_of(request));
}

Keeping::Settings with_names(std::string const& secret) {
    auto const path = server::setting("CACHE_PASSWORD_FILE") + ".names";
    std::ofstream(path) << secret << '\n';
    ::chmod(path.c_str(), 0600);
    return {.options = {"--surrogate-key=xkey", "--surrogate-key-secret-file=" + path,
                        "--openapi-route=true", "--explain-route=true"}};
}

Request as_edge(Request request) {
    request.headers.insert(request.headers.begin(), from_edge.begin(), from_edge.end());
    return request;
}

std::set<std::string> set_of(std::string const& names) {
    std::set<std::string> found;
    std::istringstream stream(names);
    for (std::string name; std::getline(stream, name, ' ');)
        BOOST_TEST(found.insert(name).second, name << " in " << names);
    return found;
}

Locked::Locked() : owner_(open_owner()) {
    server::command(*owner_, db::SqlPiece("LOCK TABLES articles WRITE"));
}

void Locked::unlock() {
    server::command(*owner_, db::SqlPiece("UNLOCK TABLES"));
}

void Locked::wait_for_reader() {
    auto const other = open_owner();
    server::wait_until([&] {
        return server::ask(*other,
                           db::SqlPiece("SELECT COUNT(*) FROM information_schema.processlist "
                                        "WHERE state LIKE 'Waiting for table%'")) != "0";
    });
}

// The dispatcher has read it when it has answered what came after it.
fastcgi::Client sent(Keeping const& keeping, std::string_view uri,
                     fastcgi::Parameters const& more) {
    auto client = keeping.process().connect();
    client.send(fastcgi::request(fastcgi::get(uri, more)));
    for (int i = 0; i < 3; ++i)
        BOOST_TEST(keeping.ask({"/_health"}).status == 204);
    return client;
}

std::string text_of(fastcgi::Response const& response) {
    std::string text = std::to_string(response.status) + '\n';
    auto headers = response.headers;
    std::ranges::sort(headers);
    for (auto& [name, value] : headers) {
        if (auto const at = value.find(", Accept-Encoding"); name == "Vary" && at != value.npos)
            value.resize(at);
        text.append(name).append(": ").append(value).append("\n");
    }
    return text + '\n' + response.body;
}

} // namespace cache_test
