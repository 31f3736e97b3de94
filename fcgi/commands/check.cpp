#include "fcgi/check/check.hpp"

#include "db/cms/tables.hpp"
#include "db/schema/description.hpp"
#include "fcgi/commands/commands.hpp"
#include "fcgi/handler/service.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/options.hpp"
#include "fcgi/options/readable.hpp"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <iostream>

namespace fcgi {

namespace {

void check_type(db::ContentType const& type, std::vector<Finding>& findings) {
    auto const report_sentence = [&](std::string const& what, std::string const& why,
                                     std::string fix = "") {
        findings.push_back(
            {Finding::note, type.uid + what + " is not served: " + why, std::move(fix)});
    };
    if (!type.not_served.empty()) return report_sentence("", type.not_served);
    for (auto const& [name, action] : type.actions)
        if (!action.handed_over.empty()) report_sentence('.' + name, action.handed_over);
    if (type.actions.empty() && type.uid.starts_with("api::") && !type.has_routes)
        report_sentence(
            "", "no file in its routes/ names it",
            "copy the routes along with the schema: a CMS serves only types that have routes");
}

// Names a few of many files.
std::string some_of(std::vector<std::string> const& files) {
    constexpr std::size_t most = 3;
    if (files.size() <= most) return boost::join(files, ", ");
    return boost::join(std::vector(files.begin(), files.begin() + most), ", ") + " and " +
           std::to_string(files.size() - most) + " more";
}

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
        check_type(*type, findings);
    if (!schema.changed_files.empty())
        findings.push_back(
            {Finding::problem,
             "the project has changed since the CMS described it: " + some_of(schema.changed_files),
             command_to_describe(options)});
    return findings;
}

std::string fix_of(parser::Error const& unloaded, Options const& options) {
    if (unloaded.subject && unloaded.subject->place == "schema")
        return "set schema to the folder of a Strapi project, with src/api/ in it";
    if (unloaded.kind == parser::ErrorKind::not_granted)
        return command_to_read_folder(project_folder(options.schema) / "src");
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

ExitCode exit_code(std::vector<Finding> const& findings, bool responds) {
    if (!responds) return exit_database;
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

parser::Result<db::Description> read_cms(Options const& options) {
    if (!options.description.empty()) return db::read_description(options.description);
    return parser::Error{parser::ErrorKind::not_found};
}

// Says why nothing is known of a CMS that has set up the database.
Finding undescribed(parser::Error const& why, Options const& options) {
    if (why.kind == parser::ErrorKind::not_found)
        return {Finding::not_compared,
                "the code and the configuration of the CMS: it has not described itself, so what "
                "has code of its own is not served",
                command_to_describe(options)};
    return {Finding::problem, why.message,
            why.kind == parser::ErrorKind::not_granted ? command_to_read_file(options.description)
                                                       : command_to_describe(options)};
}

int run_check(std::string const& bearer, Options const& options) {
    auto findings = check_settings(options);
    auto const add = [&](std::vector<Finding> more) {
        std::ranges::move(more, std::back_inserter(findings));
    };
    add(check_memory(options));
    auto const connection = connect(options);
    auto const schema = read_schema_of(options, connection);
    bool responds = true;
    if (!schema) {
        add({{Finding::obstacle, schema.error().message, fix_of(schema.error(), options)}});
    } else {
        add(check_packages(**schema));
        add(check_uids(options, **schema));
    }
    if (options.database.empty()) {
        add({{Finding::obstacle, "no database is set",
              "set `database` to mysql://user:password@host/name, with an account that may read"}});
    } else if (schema) {
        auto more =
            connection ? check_database(options, **connection, **schema) : connection.error();
        responds = static_cast<bool>(more);
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
    auto const cms = read_cms(options);
    bool const has_set_up = !schema || (*schema)->has_cms;
    bool const is_all_for_one_reason =
        cms ? !cms->handed_over.empty() : !options.description.empty();
    if (schema && !is_all_for_one_reason) add(check_types(options, **schema));
    if (cms && schema) add(check_description(options, *cms));
    if (!cms && schema && has_set_up) add({undescribed(cms.error(), options)});
    add(check_cms(options, cms ? &*cms : nullptr, connection ? connection->get() : nullptr,
                  has_set_up));
    report(findings);
    return exit_code(findings, responds);
}

} // namespace

Run declare_check(CommandLine command) {
    auto const bearer = std::make_shared<std::string>();
    command.option("--bearer", *bearer,
                   "report whose JWT or API token this is and what it may read");
    return [bearer](Options const& options) { return run_check(*bearer, options); };
}

} // namespace fcgi
