#include "responder.hpp"
#include "tests/fastcgi/client.hpp"

#include <fstream>
#include <unordered_map>

// A FastCGI responder that sends the same kept bytes for each request: what is left of serving when
// nothing has to be found out.
//
//     kept FILE SOCKET OURS
//
// FILE has a `path?query` a line, OURS is the socket of a populate-fcgi, which is asked for each
// once.

using namespace bench;

namespace {

std::string text_of(fastcgi::Response const& response) {
    std::string text = "Status: 200 OK\r\n";
    for (auto const& [name, value] : response.headers)
        text.append(name).append(": ").append(value).append("\r\n");
    return text + "\r\n" + response.body;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 4) fail("FILE SOCKET OURS");
    std::unordered_map<std::string, std::string> responses;
    auto ours = fastcgi::Client::connect(std::string("unix:") + argv[3]);
    std::ifstream paths(argv[1]);
    for (std::string path; std::getline(paths, path);) {
        auto const response = ours.ask(fastcgi::get(path));
        if (response.status != 200) fail(path + ": " + response.body);
        responses[path] = records_of(text_of(response));
    }
    serve_at(argv[2], [&](std::string const& uri) -> std::string const& {
        auto const found = responses.find(uri);
        if (found == responses.end()) fail("unknown: " + uri);
        return found->second;
    });
}
