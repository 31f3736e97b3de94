#pragma once

#include "db/read/result_tree.hpp"
#include "fcgi/access/route.hpp"
#include "fcgi/answer/envelope.hpp"
#include "fcgi/answer/service.hpp"
#include "parser/query.hpp"

#include <set>
#include <string>

// Binds and writes responses that are made of rows, each in its form.

namespace fcgi {

// A plan is bound from this.
struct Question {
    parser::Query const& query;
    Route const& route;
    Caller const& caller;
    Service::State const& state;
    Options const& options;
    db::ReadPlan::Format document_format;
    std::set<std::string> const& unlisted; // see db::ApiOptions
};

struct FormMaker {
    bool takes_query; // else a query is not even checked
    parser::Result<db::ReadPlan> (*bind)(Question const& question);
    // Writes as append_envelope (fcgi/answer/envelope.hpp) does; there is an entry.
    Written (*append)(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                      db::Site const& site, WritingBounds const& bounds);
};

// `form` is one whose responses are made of rows.
FormMaker const& maker_of(Form form);

} // namespace fcgi
