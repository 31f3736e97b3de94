#include "fcgi/options/typed_options.hpp"

namespace fcgi {

void add_time(CLI::App& app, std::string const& name, std::chrono::milliseconds& time,
              std::string const& description) {
    add_value(app, name, time, parser::read_time, parser::expected_time, description);
    app.get_option(name)->type_name("TIME")->default_str(parser::write_time(time));
}

void add_size(CLI::App& app, std::string const& name, std::size_t& bytes,
              std::string const& description) {
    add_value(app, name, bytes, parser::read_size, parser::expected_size, description);
    app.get_option(name)->type_name("SIZE")->default_str(parser::write_size(bytes));
}

// Without this check, CLI11 reads -1 as the largest number there is.
void add_count(CLI::App& app, std::string const& name, std::size_t& count,
               std::string const& description) {
    app.add_option(name, count, description)->check([](std::string const& text) {
        return parser::read_number(text) ? std::string() : "expected a number, received " + text;
    });
}

// The validator of CLI11 has another message in each of its releases.
CLI::Validator in_range(std::size_t least, std::size_t most) {
    auto const range = std::to_string(least) + " to " + std::to_string(most);
    auto const check = [=](std::string const& text) {
        auto const number = parser::read_number(text);
        return number && least <= *number && *number <= most
                   ? std::string()
                   : "expected a number from " + range + ", received " + text;
    };
    return {check, range};
}

} // namespace fcgi
