// The commands parse, get, explain and compare, which read or answer requests in this process.

#include "db/cms/tables.hpp"
#include "db/read/select.hpp"
#include "db/schema/project_folder.hpp"
#include "db/schema/schema.hpp"
#include "fcgi/access/route.hpp"
#include "fcgi/commands/commands.hpp"
#include "fcgi/commands/comparison.hpp"
#include "fcgi/handler/handle_request.hpp"
#include "fcgi/http/http.hpp"
#include "fcgi/http/http_client.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/options.hpp"
#include "parser/base/closest_name.hpp"
#include "parser/base/error.hpp"
#include "parser/query_tree.hpp"

#include <boost/algorithm/string/predicate.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fcgi {

namespace {

parser::Result<std::optional<db::Version>> ask_version(Options const& options) {
    auto const connection = db::Connection::open(options.database_hosts, {});
    if (!connection) return connection.error();
    return db::read_version(**connection);
}

// Returns the version as for a site that is served: of the option, the database, or the files.
db::Version version_of(Options const& options) {
    if (options.strapi) return *options.strapi;
    std::optional<db::Version> version;
    if (!options.database.empty()) {
        auto const asked = ask_version(options);
        if (asked)
            version = *asked;
        else
            std::cerr << "the database does not answer, so the version is that of package.json: "
                      << asked.error().cause << '\n';
    }
    if (!version) version = db::project_version(options.schema);
    return version.value_or(db::Version::strapi4);
}

int run_parse(std::string const& query, Options const& options) {
    auto syntax = options.tree;
    syntax.balances_brackets = db::cms_of(version_of(options)).reading.balances_brackets;
    auto const print = [&syntax](std::string_view line) {
        std::cout << parser::dump(parser::parse_query_string(line, syntax)) << '\n';
    };
    if (query != "-") {
        print(query);
        return exit_ok;
    }
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);)
        print(line);
    return exit_ok;
}

// The arguments of `get` and `explain`.
struct Asked {
    std::vector<std::string> paths; // only the first is requested
    std::string bearer;             // the caller's token; may be empty
};

std::shared_ptr<Asked const> declare_asked(CommandLine command) {
    auto asked = std::make_shared<Asked>();
    command.words("path", asked->paths, "path with query string");
    command.option("--bearer", asked->bearer, "JWT or API token of the caller");
    return asked;
}

// Answers a GET of path and query; `context` says what is wanted. What it contains then may be in
// the memory of `response`, and points into `asked`.
void respond_to_get(Service& service, Asked const& asked, Response& response,
                    RequestContext& context) {
    auto const target = split_target(asked.paths[0]);
    std::string const authorization =
        asked.bearer.empty() ? std::string() : "Bearer " + asked.bearer;
    Request request;
    request.method = "GET";
    request.authorization = authorization;
    request.path = target.path;
    request.query = target.query;
    request.deadline.at = parser::Deadline::Clock::now() + service.options().limits.request;
    handle_request(service, request, response, context);
}

// Returns, for the operator, why a path has no route, with the file that keeps a type from being
// served.
std::string why_unknown(std::string_view path, std::string_view prefix, db::Schema const& schema) {
    auto const rest = below(path, prefix);
    if (!rest) return "the path is not below the prefix " + std::string(prefix);
    std::string const name(rest->substr(0, rest->find('/')));
    std::vector<std::string> known;
    for (auto const& [uid, type] : schema.types) {
        bool const is_single = type->kind == db::ContentType::Kind::single;
        std::string const& own = is_single ? type->singular : type->plural;
        std::string const& other = is_single ? type->plural : type->singular;
        if (!uid.starts_with("api::")) continue;
        auto const route = std::string(prefix) + '/' + own;
        if (boost::iequals(other, name) && own != other)
            return uid + (is_single ? " is a single type, at " : " is a collection, at ") + route;
        known.push_back(own);
        if (!boost::iequals(own, name)) continue;
        if (!type->not_served.empty()) return uid + " is not served: " + type->not_served;
        if (!type->has_routes)
            return uid + " has no routes: no file in routes/ of its API names it";
        for (auto const& [action, described] : type->actions)
            if (!described.handed_over.empty() && (action == "find") == (*rest == name))
                return uid + '.' + action + " is not served: " + described.handed_over;
        return "below " + route + " there is only " + route + "/ID, one entry by its id";
    }
    return "there is no content type at " + std::string(prefix) + '/' + name +
           did_you_mean(name, known);
}

// Prints why the response is what it is, for the operator alone: clients are not told.
void report_why(Asked const& asked, Response const& response, RequestContext const& context,
                Options const& options) {
    std::string why = context.error ? context.error->cause : std::string();
    if (response.status == 404 && context.state)
        why = context.plan ? "there is no such entry, or the caller may not see it"
                           : why_unknown(split_target(asked.paths[0]).path, options.prefix,
                                         *context.state->schema);
    if (!why.empty()) std::cerr << "reason: " << why << '\n';
}

int run_get(Asked const& asked, Options const& options) {
    auto const service = Service::create(options);
    if (!service) return fail(service.error());
    Response response;
    RequestContext context;
    respond_to_get(**service, asked, response, context);
    std::cout << response.body.bytes();
    std::cerr << response.status << ' ' << reason_phrase(response.status) << '\n';
    report_why(asked, response, context, options);
    return response.status < 400 ? exit_ok : exit_failed;
}

int run_explain(Asked const& asked, Options const& options) {
    auto const service = Service::create(options);
    if (!service) return fail(service.error());
    Response response;
    RequestContext context{.is_for_explanation = true};
    respond_to_get(**service, asked, response, context);
    std::cout << "tree " << parser::dump(context.tree) << '\n';
    std::cout << "query " << parser::dump(context.query) << '\n';
    if (context.plan) std::cout << db::dump(*context.plan);
    for (db::SentStatement const& statement : context.sent) {
        std::cout << "statement ";
        if (statement.node)
            std::cout << *statement.node;
        else
            std::cout << "total";
        std::cout << ' ' << statement.rows << " rows " << statement.duration.count() / 1'000
                  << " us " << db::readable(statement.sql) << '\n';
    }
    if (context.plan) {
        std::cout << "tables";
        for (std::string_view const table : context.plan->tables)
            std::cout << ' ' << table;
        std::cout << '\n';
    }
    std::cout << "status " << response.status << ", " << response.body.size() << " bytes\n";
    if (response.status >= 400) std::cout << response.body.bytes() << '\n';
    report_why(asked, response, context, options);
    return response.status < 400 ? exit_ok : exit_failed;
}

using Reply = HttpClient::Reply;
using Headers = std::vector<std::pair<std::string, std::string>>;

// The CMS whose responses are the reference, over plain HTTP, which its own process speaks. It
// keeps its connection from one request to the next.
class ReferenceCms {
  public:
    // Takes `http://host:port`, or with a path that goes before every other, and what each request
    // has. Sends nothing yet.
    static parser::Result<ReferenceCms> at(std::string_view url, Headers headers);

    // Connecting, writing and reading may each take up to 30 seconds.
    parser::Result<Reply> get(std::string const& path) {
        return client_.send({"GET", prefix_ + path, headers_, ""});
    }

  private:
    ReferenceCms(HttpClient client, std::string prefix, Headers headers)
        : client_(std::move(client)), prefix_(std::move(prefix)), headers_(std::move(headers)) {}

    HttpClient client_;
    std::string prefix_;
    Headers headers_;
};

parser::Result<ReferenceCms> ReferenceCms::at(std::string_view url, Headers headers) {
    constexpr HttpClient::ExchangeLimits limits{std::chrono::seconds(30), std::nullopt};
    auto read = HttpUrl::read(url);
    if (!read || read->is_encrypted)
        return parser::Error{
            parser::ErrorKind::configuration,
            "expected http://host:port, the address of the CMS's own process, not " +
                std::string(url)};
    auto prefix = read->target;
    if (prefix.ends_with('/')) prefix.pop_back();
    return ReferenceCms(HttpClient(*std::move(read), limits), std::move(prefix),
                        std::move(headers));
}

struct CompareArguments {
    std::string reference; // URL of the CMS
    std::string requests;  // file of paths
    std::string bearer;
};

Reply respond_here(Service& service, Asked const& asked) {
    Response response;
    RequestContext context;
    respond_to_get(service, asked, response, context);
    auto const type = std::ranges::find(response.headers, std::string_view("Content-Type"),
                                        [](auto const& header) { return header.first; });
    return {response.status, type == response.headers.end() ? "" : type->second,
            std::string(response.body.bytes())};
}

std::optional<comparison::Mismatch> compare(Reply const& there, Reply const& here) {
    if (there.status != here.status)
        return comparison::difference("status", "", std::to_string(there.status) + " " + there.body,
                                      std::to_string(here.status) + " " + here.body);
    if (there.content_type != here.content_type)
        return comparison::difference("content type", "", there.content_type, here.content_type);
    return comparison::compare_bodies(there.body, here.body, comparison::Precision::meaning);
}

void print(std::string const& path, comparison::Mismatch const& difference) {
    std::cout << path << "\n  " << difference.cause << ' ' << difference.where << "\n  there "
              << difference.expected << "\n  here  " << difference.got << '\n';
}

int run_compare(CompareArguments const& wanted, Options const& options) {
    std::ifstream file(wanted.requests);
    bool const is_standard_input = wanted.requests == "-";
    std::istream& requests = is_standard_input ? std::cin : file;
    if (!requests) return fail("cannot read " + wanted.requests, exit_configuration);
    Headers headers{{"Accept", "application/json"}};
    if (!wanted.bearer.empty()) headers.emplace_back("Authorization", "Bearer " + wanted.bearer);
    if (options.api.document_format == db::ReadPlan::Format::documents)
        headers.emplace_back("Strapi-Response-Format", "v4");
    auto reference = ReferenceCms::at(wanted.reference, std::move(headers));
    if (!reference) return fail(reference.error());
    auto const service = Service::create(options);
    if (!service) return fail(service.error());

    std::size_t equal = 0;
    std::size_t different = 0;
    for (std::string path; std::getline(requests, path);) {
        if (path.ends_with('\r')) path.pop_back();
        if (!path.starts_with('/')) continue;
        auto const there = reference->get(path);
        if (!there) return fail(there.error());
        auto const found = compare(*there, respond_here(**service, {{path}, wanted.bearer}));
        if (found) print(path, *found);
        ++(found ? different : equal);
    }
    std::cout << equal << " equal, " << different << " different\n";
    if (equal + different == 0)
        return fail(wanted.requests + ": no line begins with /", exit_configuration);
    return different == 0 ? exit_ok : exit_failed;
}

} // namespace

Run declare_parse(CommandLine command) {
    auto const queries = std::make_shared<std::vector<std::string>>();
    command.words("query", *queries, "a query string; - for the lines of standard input");
    return [queries](Options const& options) { return run_parse(queries->front(), options); };
}

Run declare_get(CommandLine command) {
    return [asked = declare_asked(command)](Options const& options) {
        return run_get(*asked, options);
    };
}

Run declare_explain(CommandLine command) {
    return [asked = declare_asked(command)](Options const& options) {
        return run_explain(*asked, options);
    };
}

Run declare_compare(CommandLine command) {
    auto const wanted = std::make_shared<CompareArguments>();
    command.required("--reference", wanted->reference, "URL of the CMS, http://host:port");
    command.required("--requests", wanted->requests,
                     "file of paths with query strings, one per line; - for standard input");
    command.option("--bearer", wanted->bearer, "JWT or API token of the caller");
    return [wanted](Options const& options) { return run_compare(*wanted, options); };
}

} // namespace fcgi
