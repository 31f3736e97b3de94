#include "metrics.hpp"

#include "tests/fastcgi/client.hpp"

#include <cstdlib>
#include <sstream>

#include <sys/socket.h>

namespace cache_test {

Counts read_metrics(std::string const& address) {
    auto client = fastcgi::Client::connect(address);
    client.send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    std::string text, buffer(1 << 16, '\0');
    for (ssize_t size; (size = ::recv(client.socket(), buffer.data(), buffer.size(), 0)) > 0;)
        text.append(buffer, 0, static_cast<std::size_t>(size));
    Counts counts;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (auto const space = line.rfind(' '); line.starts_with("populate_"))
            counts[line.substr(0, space)] = std::strtod(line.c_str() + space, nullptr);
    return counts;
}

double uses(Counts const& counts, std::string const& use) {
    auto const found = counts.find("populate_cache_requests_total{use=\"" + use + "\"}");
    return found == counts.end() ? 0 : found->second;
}

} // namespace cache_test
