#include "fcgi/commands/commands.hpp"

int main(int argc, char** argv) {
    auto const parsed = fcgi::parse_options(argc, argv, fcgi::commands);
    fcgi::hide_passwords(argc, argv);
    return parsed.exit ? *parsed.exit : parsed.run(parsed.options);
}
