#pragma once

#include "parser/base/units.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// Adds options whose values are more than text.

namespace fcgi {

// Adds an option whose text `read` turns into a value; `value` has its default. `expected` begins
// the message of an error.
template<class Value, class Read>
void add_value(CLI::App& app, std::string const& name, Value& value, Read read,
               std::string const& expected, std::string const& description) {
    app.add_option_function<std::string>(
        name,
        [&value, read, expected, name](std::string const& text) {
            auto const given = read(text);
            if (!given) throw CLI::ValidationError(name, expected + ", received " + text);
            value = *given;
        },
        description);
}

void add_time(CLI::App& app, std::string const& name, std::chrono::milliseconds& time,
              std::string const& description);
void add_size(CLI::App& app, std::string const& name, std::size_t& bytes,
              std::string const& description);
void add_count(CLI::App& app, std::string const& name, std::size_t& count,
               std::string const& description);

// Takes numbers from `least` to `most`.
CLI::Validator in_range(std::size_t least, std::size_t most);

template<class Value>
void add_choice(CLI::App& app, std::string const& name, Value& value,
                std::type_identity_t<std::vector<std::pair<std::string, Value>>> const& choices,
                std::string const& description) {
    using Choice = std::pair<std::string, Value>;
    std::vector<std::string> names;
    for (auto const& [choice, meaning] : choices)
        names.push_back(choice);
    app.add_option_function<std::string>(
           name,
           [&value, choices](std::string const& text) {
               value = std::ranges::find(choices, text, &Choice::first)->second;
           },
           description)
        ->check(CLI::IsMember(names))
        ->default_str(std::ranges::find(choices, value, &Choice::second)->first);
}

} // namespace fcgi
