#include "fcgi/commands/commands.hpp"

int main(int argc, char** argv) {
    auto const parsed = fcgi::parse_options(argc, argv);
    if (parsed.exit) return *parsed.exit;
    fcgi::Options const& options = parsed.options;
    if (options.command == "parse") return fcgi::run_parse(options);
    if (options.command == "get") return fcgi::run_get(options);
    if (options.command == "explain") return fcgi::run_explain(options);
    if (options.command == "openapi") return fcgi::run_openapi(options);
    if (options.command == "compare") return fcgi::run_compare(options);
    if (options.command == "check") return fcgi::run_check(options);
    if (options.command == "create-tables") return fcgi::run_create_tables(options);
    if (options.command == "import") return fcgi::run_import(options);
    if (options.command == "token") return fcgi::run_token(options);
    return fcgi::run_serve(options);
}
