#pragma once

#include "db/execute.hpp"
#include "fcgi/answer/service.hpp"
#include "fcgi/http/http.hpp"

#include "parser/query.hpp"
#include "parser/query_tree.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace fcgi {

// What a request came to on its way, as far as it came. How long it took is in Response::trace.
struct Workings {
    parser::QueryTree tree; // of a plan that was known already: empty, as is the query
    parser::Query query;
    std::shared_ptr<Service::State> state; // which the plan points into
    std::shared_ptr<db::SelectedPlan const> plan;
    std::vector<db::SentStatement> sent;
    db::ResultTree result;
    std::optional<parser::Error> error;
    Origin origin; // of the rows
};

enum class Wanted {
    answer,
    explanation, // every stage is gone through, and the texts of the statements are kept
};

// One request from its bytes to its answer. `response` and `workings` are as they are made. A
// response that is postponed (see Lane) has no answer.
void handle_request(Service& service, Request const& request, Response& response,
                    Workings& workings, Wanted wanted = Wanted::answer);

} // namespace fcgi
