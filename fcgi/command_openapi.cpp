#include "fcgi/commands.hpp"
#include "fcgi/openapi.hpp"
#include "fcgi/service.hpp"

#include <iostream>

namespace fcgi {

int run_openapi(Options const& options) {
    auto const schema = read_schema(options);
    if (!schema) return fail(schema.error(), exit_configuration);
    std::cout << openapi_document(**schema, options) << '\n';
    return exit_ok;
}

} // namespace fcgi
