#include "db/cms/tables.hpp"
#include "db/content/cms_rows.hpp"
#include "fcgi/commands/commands.hpp"
#include "fcgi/commands/content.hpp"
#include "fcgi/handler/service.hpp"
#include "fcgi/options/command.hpp"

#include <boost/algorithm/hex.hpp>

#include <openssl/rand.h>

#include <array>
#include <iostream>
#include <optional>

namespace fcgi {

namespace {

struct WantedToken {
    std::string name;
    std::string type;
    std::vector<std::string> actions; // for a custom token
};

parser::Error expected(std::string const& what) {
    return {parser::ErrorKind::configuration, what};
}

// Returns 128 random bytes in hexadecimal, as Strapi makes them; empty if the system has none.
std::string random_token() {
    std::array<unsigned char, 128> bytes{};
    if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return {};
    std::string token;
    boost::algorithm::hex_lower(bytes, std::back_inserter(token));
    return token;
}

std::optional<parser::Error> problem_of(WantedToken const& wanted, Options const& options) {
    if (options.secrets.api_token_salt.empty())
        return expected("api-token-salt: expected the salt of the CMS, "
                        "in POPULATE_API_TOKEN_SALT or the configuration file");
    if (wanted.name.empty()) return expected("name: expected a text");
    bool const is_custom = wanted.type == "custom";
    if (is_custom == wanted.actions.empty())
        return expected(is_custom ? "permissions: expected the actions to grant"
                                  : "permissions: expected only with the type custom");
    return std::nullopt;
}

std::optional<parser::Error> unknown_action(WantedToken const& wanted, db::Schema const& schema) {
    for (auto const& action : wanted.actions)
        if (!schema.actions.contains(action))
            return expected("permissions: expected actions of the schema, received \"" + action +
                            '"');
    return std::nullopt;
}

int create(db::Connection& connection, db::Schema const& schema, WantedToken const& wanted,
           Options const& options) {
    if (auto const problem = unknown_action(wanted, schema)) return fail(*problem);
    auto const token = random_token();
    if (token.empty()) return fail("the system has no random bytes", exit_failed);
    auto const stored = db::insert_api_token(connection, schema,
                                             {wanted.name, wanted.type,
                                              hash_api_token(token, options.secrets.api_token_salt),
                                              wanted.actions});
    if (!stored) return fail(stored.error());
    std::cout << token << '\n';
    return exit_ok;
}

int list(db::Connection& connection) {
    auto const tokens = db::list_api_tokens(connection);
    if (!tokens) return fail(tokens.error());
    for (auto const& token : *tokens)
        std::cout << token.name << '\t' << token.type << '\t'
                  << (token.expires.empty() ? "never expires" : "until " + token.expires) << '\n';
    return exit_ok;
}

int revoke(db::Connection& connection, db::Schema const& schema, std::string const& name) {
    auto const done = db::delete_api_token(connection, schema, name);
    if (!done) return fail(done.error());
    return exit_ok;
}

int run_token(std::string const& word, WantedToken const& wanted, Options const& options) {
    if (word == "create")
        if (auto const problem = problem_of(wanted, options)) return fail(*problem);
    auto const connection = open_as_owner(options);
    if (!connection) return fail(connection.error());
    if (word == "list") return list(**connection);
    auto const tables = db::read_table_columns(**connection);
    if (!tables) return fail(tables.error());
    auto const schema = read_schema(options, **connection);
    if (!schema) return fail(schema.error());
    db::read_columns(**schema, *tables);
    return word == "create" ? create(**connection, **schema, wanted, options)
                            : revoke(**connection, **schema, wanted.name);
}

} // namespace

Run declare_token(CommandLine command) {
    auto const wanted = std::make_shared<WantedToken>();
    auto const word = std::make_shared<std::string>();
    auto create =
        command.then("create", "create a token and print it; it cannot be shown again", *word);
    create.required("--name", wanted->name, "name of the token");
    create.required("--type", wanted->type, "read-only, full-access or custom",
                    {"read-only", "full-access", "custom"});
    create.list("--permissions", wanted->actions, "actions that a custom token may call");
    command.then("list", "print name, type and expiry date of each token", *word);
    auto revoke = command.then("revoke", "revoke a token", *word);
    revoke.required("--name", wanted->name, "name of the token");
    return [wanted, word](Options const& options) { return run_token(*word, *wanted, options); };
}

} // namespace fcgi
