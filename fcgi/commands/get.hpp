#pragma once

#include "fcgi/answer/handle_request.hpp"
#include "fcgi/http/http.hpp"

#include <memory>
#include <string>
#include <vector>

// Requests that commands make, answered in this process.

namespace fcgi {

// What `get` and `explain` take.
struct Asked {
    std::vector<std::string> paths; // the first is asked
    std::string bearer;             // the caller's token; may be empty
};
std::shared_ptr<Asked const> declare_asked(CommandLine command);

// Answers a GET of path and query, of which `context` says what is wanted. What is in it may be in
// the memory of `response`, and points into `asked`.
void answer_get(Service& service, Asked const& asked, Response& response, RequestContext& context);

// Why the answer is what it is, for the operator alone: clients are not told.
void tell_why(Asked const& asked, Response const& response, RequestContext const& context,
              Options const& options);

} // namespace fcgi
