#include "fcgi/commands/commands.hpp"

#include "db/cms/api_token.hpp"
#include "db/mysql/tables.hpp"

#include <openssl/rand.h>

#include <array>
#include <iostream>
#include <optional>

namespace fcgi {

namespace {

parser::Error expected(std::string const& what) {
    return {parser::ErrorKind::configuration, what};
}

// As Strapi makes them: 128 random bytes in hexadecimal; empty if the system has none to give.
std::string random_token() {
    std::array<unsigned char, 128> bytes{};
    if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return {};
    std::string token;
    for (unsigned char const byte : bytes) {
        token += "0123456789abcdef"[byte >> 4];
        token += "0123456789abcdef"[byte & 15];
    }
    return token;
}

std::optional<parser::Error> problem_of(Options const& options) {
    if (options.secrets.api_token_salt.empty())
        return expected("api-token-salt: expected the salt of the CMS, "
                        "in POPULATE_API_TOKEN_SALT or the configuration file");
    if (options.token.name.empty()) return expected("name: expected a text");
    bool const is_custom = options.token.type == "custom";
    if (is_custom == options.token.actions.empty())
        return expected(is_custom ? "permissions: expected the actions to grant"
                                  : "permissions: expected for the type custom alone");
    return std::nullopt;
}

std::optional<parser::Error> unknown_action(Options const& options, db::Schema const& schema) {
    for (auto const& action : options.token.actions)
        if (!schema.actions.contains(action))
            return expected("permissions: expected actions of the schema, received \"" + action +
                            '"');
    return std::nullopt;
}

} // namespace

int run_token(Options const& options) {
    auto const schema = db::load_schema(options.schema, {options.private_attributes});
    if (!schema) return fail(schema.error());
    if (auto const problem = problem_of(options)) return fail(*problem);
    auto const connection = open_as_owner(options);
    if (!connection) return fail(connection.error());
    if (auto known = db::read_cms(**connection, **schema); !known) return fail(known.error());
    if (auto const problem = unknown_action(options, **schema)) return fail(*problem);

    auto const token = random_token();
    if (token.empty()) return fail("the system has no random bytes", exit_failed);
    auto const stored =
        db::insert_api_token(**connection, {options.token.name, options.token.type,
                                            hash_api_token(token, options.secrets.api_token_salt),
                                            options.token.actions});
    if (!stored) return fail(stored.error());
    std::cout << token << '\n';
    return exit_ok;
}

} // namespace fcgi
