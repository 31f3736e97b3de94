#include "fcgi/options/help.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace fcgi {

namespace {

constexpr auto examples = R"(
Examples:
  populate-fcgi check --schema /srv/cms
  populate-fcgi explain '/api/articles?populate=*'
  populate-fcgi serve --listen tcp:127.0.0.1:9000

`populate-fcgi COMMAND --help` lists the arguments of a command. `populate-fcgi --help-all` lists the options of
all commands; you can also set each of them in populate-fcgi.conf.
)";

constexpr auto units = R"(
A TIME is 250ms, 5s, 2m or 1h; a number alone is seconds. A SIZE is 16K, 64M or 1G; a number
alone is bytes.
)";

struct Help final : CLI::Formatter {
    std::string make_help(CLI::App const* app, std::string name,
                          CLI::AppFormatMode mode) const override {
        bool const is_all = mode == CLI::AppFormatMode::All;
        while (is_all && app->get_parent()) {
            app = app->get_parent();
            name = app->get_name();
        }
        if (app->get_parent()) return Formatter::make_help(app, name, mode);
        auto const begin = make_description(app) + make_usage(app, name);
        if (is_all) return begin + make_groups(app, CLI::AppFormatMode::Normal) + units;
        return begin + make_subcommands(app, mode) + examples;
    }
};

} // namespace

void describe_commands(CLI::App& app) {
    app.formatter(std::make_shared<Help>());
    app.footer("`populate-fcgi --help-all` lists the options of all commands.");
}

void describe_program(CLI::App& app) {
    app.set_help_all_flag("--help-all", "Print the options of all commands and exit");
}

} // namespace fcgi
