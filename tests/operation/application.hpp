#pragma once

#include "tests/database/server.hpp"
#include "tests/faults/application_process.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace operation {

inline faults::ApplicationSettings with(std::vector<std::string> options) {
    return {.database = server::setting("POPULATE_TEST_DATABASE"), .options = std::move(options)};
}

// Of the example's accounts, by JSON pointer.
inline std::string secret(char const* at) {
    std::ifstream file(EXAMPLE_DATA "/secrets.json");
    auto const secrets = boost::json::parse(std::string(std::istreambuf_iterator(file), {}));
    return std::string(secrets.at_pointer(at).as_string());
}

// Knows the accounts of the example.
inline faults::ApplicationSettings with_accounts(std::vector<std::string> options) {
    auto settings = with(std::move(options));
    settings.process.environment = {"POPULATE_JWT_SECRET=" + secret("/JWT_SECRET"),
                                    "POPULATE_API_TOKEN_SALT=" + secret("/API_TOKEN_SALT")};
    return settings;
}

inline faults::ApplicationSettings without_database(std::vector<std::string> options) {
    return {.database = "mysql://nobody@localhost/none?socket=/nowhere/mysql.sock",
            .options = std::move(options)};
}

// The names in the first column of the table below a heading of the document: `name` in back-ticks.
inline std::set<std::string> documented(std::string const& heading) {
    std::ifstream file(DOCUMENT);
    std::set<std::string> names;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("#")) inside = line.ends_with(heading);
        if (!inside || !line.starts_with("| `")) continue;
        names.insert(line.substr(3, line.find('`', 3) - 3));
    }
    return names;
}

inline std::string text_of(std::set<std::string> const& names) {
    std::string text;
    for (auto const& name : names)
        text.append(name).append(" ");
    return text;
}

} // namespace operation
