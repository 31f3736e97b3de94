#include "fcgi/commands/commands.hpp"
#include "parser/query_tree.hpp"

#include <iostream>

namespace fcgi {

namespace {

int run(std::string const& query, Options const& options) {
    auto const print = [&options](std::string_view line) {
        std::cout << parser::dump(parser::parse_query_string(line, options.tree)) << '\n';
    };
    if (query != "-") {
        print(query);
        return exit_ok;
    }
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);)
        print(line);
    return exit_ok;
}

} // namespace

Run declare_parse(CommandLine command) {
    auto const queries = std::make_shared<std::vector<std::string>>();
    command.words("query", *queries, "a query string, or -");
    return [queries](Options const& options) { return run(queries->front(), options); };
}

} // namespace fcgi
