#include "fcgi/check/check.hpp"
#include "fcgi/check/default_parameters.hpp"
#include "fcgi/check/project_scripts.hpp"

#include "db/cms/tables.hpp"
#include "db/schema/default_parameters.hpp"
#include "db/schema/project_folder.hpp"
#include "fcgi/answer/service.hpp"
#include "fcgi/commands/commands.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/options.hpp"
#include "fcgi/options/readable.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace fcgi {

namespace {

// Call it after the database was asked, which decides on types without routes.
std::vector<Finding> check_types(Options const& options, db::Schema const& schema) {
    std::vector<Finding> findings;
    bool const has_any = std::ranges::any_of(
        schema.types, [](auto const& type) { return type.first.starts_with("api::"); });
    if (!has_any)
        findings.push_back({Finding::problem,
                            options.schema + " declares no content type, so nothing is served",
                            "name the project that declares them: find / -path "
                            "'*/api/*/content-types/*/schema.json' -not -path '*/node_modules/*'"});
    for (auto const& [what, why] : schema.left_out)
        findings.push_back(
            {Finding::note, what + " is left out: " + why,
             "none is needed, unless clients request it: then let the CMS serve the type"});
    for (auto const& [uid, type] : schema.types)
        if (!type->not_served.empty())
            findings.push_back({Finding::note, uid + " is not served: " + type->not_served,
                                "list it in serve-types to serve it nevertheless"});
        else if (uid.starts_with("api::") && !type->has_routes)
            findings.push_back({Finding::note,
                                uid + " is not served: no file in its routes/ names it",
                                "copy the routes along with the schema: a CMS serves only types "
                                "that have routes"});
    return findings;
}

std::string fix_of(parser::Error const& unloaded, Options const& options) {
    if (unloaded.subject && unloaded.subject->place == "schema")
        return "set schema to the folder of a Strapi project, with src/api/ in it";
    if (unloaded.kind == parser::ErrorKind::not_granted)
        return command_to_read_folder(source_folder(options.schema));
    return "correct it: Strapi itself would not start with it";
}

std::string_view word_of(Finding::Severity severity) {
    switch (severity) {
    case Finding::obstacle:
    case Finding::problem:
        return "problem";
    case Finding::not_compared:
        return "not compared";
    case Finding::difference:
    case Finding::note:
        break;
    }
    return "note";
}

// Returns `2 problems`; empty if there are none.
std::string counted(std::vector<Finding> const& findings, Finding::Severity severity,
                    std::string const& one, std::string const& many) {
    auto const count = std::ranges::count(findings, severity, &Finding::severity);
    return count == 0 ? "" : std::to_string(count) + ' ' + (count == 1 ? one : many);
}

// Returns the last line, which says that only what was compared agrees.
std::string verdict(std::vector<Finding> const& findings) {
    std::string const all = "schema, configuration and database agree";
    auto const obstacle = std::ranges::find(findings, Finding::obstacle, &Finding::severity);
    if (obstacle != findings.end())
        return "cannot tell whether " + all + ", because " + obstacle->what;
    std::string except;
    for (std::string const& some :
         {counted(findings, Finding::problem, "problem", "problems"),
          counted(findings, Finding::difference, "difference", "differences"),
          counted(findings, Finding::not_compared, "thing that was not compared",
                  "things that were not compared")})
        if (!some.empty()) except += (except.empty() ? ", except for " : ", ") + some;
    return all + except;
}

void report(std::vector<Finding> const& findings) {
    for (auto const& [severity, what, fix] : findings)
        std::cout << word_of(severity) << ": " << what << (fix.empty() ? "" : "; fix: ") << fix
                  << '\n';
    std::cout << verdict(findings) << '\n';
}

using Connected = parser::Result<std::unique_ptr<db::Connection>>;

Connected connect(Options const& options) {
    if (options.database.empty()) return parser::unavailable("no database is set");
    return db::Connection::open(options.database_hosts, {});
}

// Reads the schema in the version of the database, if that answers.
parser::Result<std::shared_ptr<db::Schema>> read_schema_of(Options const& options,
                                                           Connected const& connection) {
    auto const version = connection ? db::read_version(**connection) : std::nullopt;
    return read_schema(options, version ? *version : std::nullopt);
}

ExitCode exit_code(std::vector<Finding> const& findings, bool answers) {
    if (!answers) return exit_database;
    bool const is_well = std::ranges::none_of(findings, [](Finding const& finding) {
        return finding.severity == Finding::obstacle || finding.severity == Finding::problem;
    });
    return is_well ? exit_ok : exit_configuration;
}

// The cause of an error ends with how to fix it.
Finding unanswered(parser::Error const& error) {
    constexpr std::string_view mark = "; fix: ";
    auto const at = error.cause.find(mark);
    return {Finding::obstacle, "the database does not answer: " + error.cause.substr(0, at),
            at == error.cause.npos ? "" : error.cause.substr(at + mark.size())};
}

namespace json = boost::json;

// Writes one action a line, for those who edit the file.
std::string text_of(json::object const& file) {
    std::string text = "{";
    for (auto const& [uid, actions] : file) {
        text.append(text.size() == 1 ? "\n" : ",\n").append(json::serialize(uid)).append(": {");
        bool is_first = true;
        for (auto const& [action, entry] : actions.as_object()) {
            text.append(is_first ? "\n  " : ",\n  ").append(json::serialize(action)).append(": ");
            text += json::serialize(entry);
            is_first = false;
        }
        text += "\n}";
    }
    return text + "\n}\n";
}

// Replaces an older file with the whole new one, or changes nothing.
parser::Result<void> replace_file(std::filesystem::path const& path, std::string const& text) {
    std::filesystem::path const written = path.string() + ".new";
    std::error_code error;
    if (!(std::ofstream(written, std::ios::binary) << text << std::flush))
        error = {errno, std::generic_category()};
    else
        std::filesystem::rename(written, path, error);
    if (!error) return {};
    std::error_code ignored;
    std::filesystem::remove(written, ignored);
    return db::unreadable(path, error);
}

// Returns what the file contains, if it can be read and written again.
parser::Result<json::object> read_defaults_file(std::string const& path) {
    if (!std::filesystem::exists(path)) return json::object();
    if (auto const understood = db::read_defaults(path); !understood) return understood.error();
    auto const text = db::read_text(path);
    if (!text) return text.error();
    return json::parse(*text, {}, {.max_depth = db::deepest_defaults}).as_object();
}

int write_defaults(std::string const& path, Options const& options, db::Schema const& schema) {
    auto file = read_defaults_file(path);
    if (!file) return fail(file.error().message, exit_data);
    auto const derived = derive_defaults(*std::move(file), options, schema);
    for (std::string const& why : derived.left)
        tell("not written: " + why);
    if (derived.derived == 0)
        return fail("no middleware of a route could be read completely, so nothing was written",
                    exit_data);
    if (auto done = replace_file(path, text_of(derived.file)); !done)
        return fail(done.error().message, exit_cannot_create);
    std::cout << "wrote what replaces the middleware of " << derived.derived
              << (derived.derived == 1 ? " action to " : " actions to ") << path
              << "; next: set default-parameters = " << std::filesystem::absolute(path).string()
              << ", then restart populate-fcgi\n";
    return exit_ok;
}

int run_check(std::string const& bearer, Options const& options) {
    auto findings = check_settings(options);
    auto const add = [&](std::vector<Finding> more) {
        std::ranges::move(more, std::back_inserter(findings));
    };
    add(check_memory(options));
    auto const connection = connect(options);
    auto const schema = read_schema_of(options, connection);
    bool answers = true;
    if (!schema) {
        add({{Finding::obstacle, schema.error().message, fix_of(schema.error(), options)}});
    } else {
        add(check_project_settings(options));
        add(check_project_code(options, **schema));
        add(check_uids(options, **schema));
        add(check_default_parameters(options, **schema));
    }
    if (options.database.empty()) {
        add({{Finding::obstacle, "no database is set",
              "set `database` to mysql://user:password@host/name, with an account that may read"}});
    } else if (schema) {
        auto more =
            connection ? check_database(options, **connection, **schema) : connection.error();
        answers = static_cast<bool>(more);
        if (!more) {
            add({unanswered(more.error())});
        } else {
            add(*std::move(more));
            add(check_hosts(options));
            add(check_cache(options));
            if (!options.indexes.empty()) add(check_indexes(options.indexes, **connection));
            if (!bearer.empty()) add(check_bearer(bearer, options, **schema));
        }
    }
    if (schema) add(check_types(options, **schema));
    add(check_cms(options, connection ? connection->get() : nullptr,
                  !schema || (*schema)->has_cms));
    report(findings);
    return exit_code(findings, answers);
}

} // namespace

Run declare_check(CommandLine command) {
    auto const bearer = std::make_shared<std::string>();
    command.option("--bearer", *bearer,
                   "report whose JWT or API token this is and what it may read");
    auto const defaults = std::make_shared<std::string>();
    command.option("--write-defaults", *defaults,
                   "write to this file what replaces middlewares that set populate");
    return [bearer, defaults](Options const& options) {
        if (defaults->empty()) return run_check(*bearer, options);
        auto const schema = read_schema_of(options, connect(options));
        return schema ? write_defaults(*defaults, options, **schema) : fail(schema.error());
    };
}

} // namespace fcgi
