#include "db/read/plan_dump.hpp"
#include "fcgi/commands/commands.hpp"
#include "fcgi/commands/get.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/options.hpp"

#include <iostream>

namespace fcgi {

namespace {

int run_explain(Asked const& asked, Options const& options) {
    auto const service = Service::create(options);
    if (!service) return fail(service.error());
    Response response;
    RequestContext context{.wanted = Wanted::explanation};
    answer_get(**service, asked, response, context);
    std::cout << "tree " << parser::dump(context.tree) << '\n';
    std::cout << "query " << parser::dump(context.query) << '\n';
    if (context.plan) std::cout << db::dump(*context.plan);
    for (db::SentStatement const& statement : context.sent) {
        std::cout << "statement ";
        if (statement.node)
            std::cout << *statement.node;
        else
            std::cout << "total";
        std::cout << ' ' << statement.rows << " rows " << statement.duration.count() / 1'000
                  << " us " << db::readable(statement.sql) << '\n';
    }
    if (context.plan) {
        std::cout << "tables";
        for (std::string_view const table : context.plan->tables)
            std::cout << ' ' << table;
        std::cout << '\n';
    }
    std::cout << "status " << response.status << ", " << response.body.size() << " bytes\n";
    if (response.status >= 400) std::cout << response.body.bytes() << '\n';
    tell_why(asked, response, context, options);
    return response.status < 400 ? exit_ok : exit_failed;
}

} // namespace

Run declare_explain(CommandLine command) {
    return [asked = declare_asked(command)](Options const& options) {
        return run_explain(*asked, options);
    };
}

} // namespace fcgi
