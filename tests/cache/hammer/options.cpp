#include "options.hpp"

#include "disturbances.hpp"
#include "parser/base/units.hpp"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <iostream>

namespace hammer {

namespace {

std::string setting(char const* name) {
    char const* const value = std::getenv(name);
    if (value) return value;
    std::cerr << "hammer: " << name << " is not set; see `tests/with`\n";
    std::exit(64);
}

std::string setting_or_none(char const* name) {
    char const* const value = std::getenv(name);
    return value ? value : "";
}

void add_options(CLI::App& app, Options& options) {
    app.add_option("--program", options.program)->required();
    app.add_option("--cache", options.cache, "exact, bounded=TIME, or off");
    app.add_option_function<std::string>(
        "--allow",
        [&](std::string const& time) { options.bound = parser::read_time(time).value(); },
        "how old answers may be");
    app.add_option("--write-to", options.writable, "URLs of servers, instead of the owner's one");
    app.add_option("--writers", options.writers);
    app.add_option("--readers", options.readers);
    app.add_option_function<unsigned>(
        "--pause",
        [&](unsigned microseconds) { options.pause = std::chrono::microseconds(microseconds); },
        "microseconds between the transactions of a writer, on average");
    app.add_option_function<unsigned>(
        "--delay",
        [&](unsigned milliseconds) { options.delay = std::chrono::milliseconds(milliseconds); },
        "of what the database answers: from 5 ms on, totals are worth caching");
    app.add_option("--seconds", options.seconds, "at least");
    app.add_option("--reads", options.reads, "at least");
    app.add_option("--writes", options.writes, "at least");
    app.add_option("--hits", options.hits, "fewer are a failure");
    app.add_flag("--expect-stale", options.expects_stale, "success is a stale answer");
    app.add_option("--disturb", options.disturbances, "all, or some of: " + disturbance_names())
        ->delimiter(',');
    app.add_option("--listen", options.listen, "of the program: unix:PATH");
    app.add_option("--ask", options.ask, "http://… of what is in front of the program");
    app.add_option("more", options.more, "options of the program, after --");
}

} // namespace

Options read_options(int argc, char** argv) {
    Options options;
    CLI::App app("Writes and reads at once, and looks for an answer that is too old");
    add_options(app, options);
    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& error) {
        std::exit(app.exit(error));
    }
    std::string const bounded = "bounded=";
    if (options.cache.starts_with(bounded))
        options.bound = parser::read_time(options.cache.substr(bounded.size())).value();
    options.owner = setting("POPULATE_TEST_OWNER");
    if (options.writable.empty()) options.writable.push_back(options.owner);
    options.reader = setting("POPULATE_TEST_DATABASE");
    options.schema = setting("POPULATE_TEST_SCHEMA");
    options.cache_user = setting("CACHE_USER");
    options.cache_password_file = setting("CACHE_PASSWORD_FILE");
    options.server_pid_file = setting("SERVER_PID_FILE");
    options.server_start = setting("SERVER_START");
    options.notify_pid_file = setting_or_none("NOTIFY_PID_FILE");
    options.varnish_pid_file = setting_or_none("VARNISH_PID_FILE");
    options.lose_varnish = setting_or_none("LOSE_VARNISH");
    options.lose_database = setting_or_none("LOSE_DATABASE");
    options.lose_nothing = setting_or_none("LOSE_NOTHING");
    return options;
}

} // namespace hammer
