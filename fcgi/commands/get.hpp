#pragma once

#include "fcgi/answer/handle_request.hpp"
#include "fcgi/http/http.hpp"

#include <memory>
#include <string>
#include <vector>

// Handles requests that commands make in this process.

namespace fcgi {

// The arguments of `get` and `explain`.
struct Asked {
    std::vector<std::string> paths; // only the first is requested
    std::string bearer;             // the caller's token; may be empty
};
std::shared_ptr<Asked const> declare_asked(CommandLine command);

// Answers a GET of path and query; `context` says what is wanted. What it contains then may be in
// the memory of `response`, and points into `asked`.
void answer_get(Service& service, Asked const& asked, Response& response, RequestContext& context);

// Prints why the response is what it is, for the operator alone: clients are not told.
void tell_why(Asked const& asked, Response const& response, RequestContext const& context,
              Options const& options);

} // namespace fcgi
