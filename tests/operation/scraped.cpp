#include "scraped.hpp"

#include "tests/fastcgi/client.hpp"

#include <cstdlib>
#include <regex>

#include <sys/socket.h>

namespace operation {

std::string metrics_address() {
    return "unix:" + server::setting("POPULATE_TEST_SOCKET") + ".metrics";
}

std::string ask_metrics(std::string const& request) {
    auto client = fastcgi::Client::connect(metrics_address());
    client.try_send(request); // who has read enough of it may close before the rest is sent
    std::string response(1 << 20, '\0');
    std::size_t size = 0;
    for (ssize_t count;
         (count = ::recv(client.socket(), response.data() + size, response.size() - size, 0)) > 0;)
        size += static_cast<std::size_t>(count);
    response.resize(size);
    return response;
}

// https://prometheus.io/docs/instrumenting/exposition_formats/: every family has HELP and TYPE
// before its samples, no sample comes twice, a histogram's buckets grow and end with its count.
Samples read_samples(std::string const& text) {
    Samples samples;
    static std::regex const comment("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
    static std::regex const sample(
        "([a-zA-Z_:][a-zA-Z0-9_:]*)"
        "(\\{([a-z_]+=\"([^\"\\\\\\n]|\\\\[\\\\\"n])*\",?)+\\})? (\\S+)");
    static std::regex const part_of_histogram("_(bucket|sum|count)$");
    std::map<std::string, std::string> types;
    std::string helped;
    BOOST_TEST(text.ends_with("\n"));
    for (std::size_t at = 0; at < text.size();) {
        auto const line = text.substr(at, text.find('\n', at) - at);
        at += line.size() + 1;
        std::smatch parts;
        if (line.starts_with("#")) {
            BOOST_TEST_REQUIRE(std::regex_match(line, parts, comment), line);
            if (parts[1] == "HELP")
                helped = parts[2];
            else
                BOOST_TEST((parts[2] == helped && types.emplace(parts[2], parts[3]).second), line);
            continue;
        }
        BOOST_TEST_REQUIRE(std::regex_match(line, parts, sample), line);
        std::string const family = std::regex_replace(parts[1].str(), part_of_histogram, "");
        bool const known =
            types.contains(parts[1]) || (types.contains(family) && types[family] == "histogram");
        BOOST_TEST(known, line);
        char* end = nullptr;
        std::string const number = parts[5];
        double const value = std::strtod(number.c_str(), &end);
        BOOST_TEST((*end == '\0' && value >= 0), line);
        BOOST_TEST(samples.emplace(line.substr(0, line.find_last_of(' ')), value).second, line);
    }
    return samples;
}

faults::ApplicationSettings with_metrics(faults::ApplicationSettings settings) {
    settings.options.push_back("--metrics-listen=" + metrics_address());
    return settings;
}

std::string Scraped::text() const {
    auto const response = ask_metrics("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    BOOST_TEST_REQUIRE(response.starts_with("HTTP/1.1 200 OK\r\n"), response);
    return response.substr(response.find("\r\n\r\n") + 4);
}

Samples Scraped::samples_of(double requests) const {
    Samples now;
    BOOST_TEST(eventually([&] {
        now = samples();
        return now["populate_request_seconds_count"] == requests;
    }));
    return now;
}

} // namespace operation
