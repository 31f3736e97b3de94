#pragma once

#include "db/result_tree.hpp"
#include "fcgi/access/route.hpp"
#include "fcgi/answer/service.hpp"
#include "fcgi/json/envelope.hpp"
#include "parser/query.hpp"
#include "parser/query_tree.hpp"

#include <cstddef>
#include <string>

// How answers of each form come about that are made of rows.

namespace fcgi {

// What a plan is bound from.
struct Question {
    parser::QueryTree const& tree;
    parser::Query const& query;
    Route const& route;
    Caller const& caller;
    Service::State const& state;
    Options const& options;
    db::ReadPlan::Format document_format;
};

struct FormMaker {
    parser::Result<db::ReadPlan> (*bind)(Question const& question);
    // As append_envelope (fcgi/json/envelope.hpp); there is an entry.
    Written (*append)(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                      db::Site const& site, WritingBounds const& bounds);
};

// `form` is none of those that schema files alone answer.
FormMaker const& maker_of(Form form);

} // namespace fcgi
