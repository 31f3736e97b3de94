#include "db/cms/accounts.hpp"
#include "db/read/select.hpp"
#include "db/read/suggestions.hpp"
#include "fcgi/access/route.hpp"
#include "fcgi/commands/commands.hpp"
#include "fcgi/handler/handle_request.hpp"
#include "fcgi/handler/read_schema.hpp"
#include "fcgi/handler/service.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/options.hpp"
#include "parser/base/error.hpp"
#include "parser/base/units.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fcgi {

namespace {

// Requests whose statements differ in values alone.
struct RequestShape {
    std::shared_ptr<db::SelectedPlan const> plan; // of the first one
    std::string target; // its path and query, with `?` for what moves a terminal's cursor
    std::uint64_t asked = 0;
};

struct RecordedRequests {
    std::vector<RequestShape> shapes; // the most asked first
    std::uint64_t planned = 0;        // requests of these shapes
    std::uint64_t others = 0;         // lines without a request that the database would be read for
};

// nginx and Apache write some bytes as `\x22`.
std::string without_escapes(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        unsigned char byte = 0;
        auto const* const digits = text.data() + at + 2;
        bool const is_escape = text.substr(at).starts_with("\\x") && at + 4 <= text.size() &&
                               std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
        plain += is_escape ? static_cast<char>(byte) : text[at];
        if (is_escape) at += 3;
    }
    return plain;
}

std::optional<std::string> target_in(std::string_view line) {
    if (line.starts_with('/')) return std::string(line);
    for (std::string_view const method : {"\"GET ", "\"HEAD "}) {
        auto const at = line.find(method);
        if (at == line.npos) continue;
        auto const begin = at + method.size();
        return without_escapes(line.substr(begin, line.find_first_of(" \"", begin) - begin));
    }
    return std::nullopt;
}

std::shared_ptr<db::SelectedPlan const>
plan_of(Service& service, std::shared_ptr<SiteState> const& state, std::string_view target) {
    static Caller const everyone{
        std::make_shared<db::Permissions const>(db::Permissions::AccessLevel::full),
        {},
        "a caller with all permissions"};
    auto const [path, query] = split_target(target);
    if (query.size() > service.options().limits.query_string) return nullptr;
    Request request;
    request.method = "GET";
    request.path = path;
    request.query = query;
    Response response;
    RequestContext context{.path = path, .state = state, .caller = everyone};
    context.route = find_route(path, service.options().prefix, *state->schema);
    Route const& route = context.route;
    if (!route.kind || route.kind->form == ResponseForm::none || !route.target.type) return nullptr;
    if (route.kind->is_personal) return nullptr; // everyone is no user
    auto const made = make_plan({service, request, response, context});
    return made ? context.plan : nullptr;
}

std::string printable(std::string text) {
    std::ranges::replace_if(text, [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');
    return text;
}

// Reads the GET and HEAD requests of a file, `-` for standard input. A line has the combined format
// of nginx and Apache, or is only a path with its query. The log does not say who asked, so all are
// bound as from a caller with all permissions.
parser::Result<RecordedRequests> read_requests(Service& service, std::string const& path) {
    std::ifstream file;
    if (path != "-") file.open(path);
    if (path != "-" && !file)
        return parser::Error{parser::ErrorKind::configuration,
                             "--log: " + path + " cannot be read: " + std::strerror(errno)};
    auto const state = service.state(service.freshness({}));
    if (!state) return state.error();
    RecordedRequests recorded;
    std::unordered_map<std::uint64_t, std::size_t> places; // by SelectedPlan::shape
    for (std::string line; std::getline(path == "-" ? std::cin : file, line);) {
        auto target = target_in(line);
        auto plan = target ? plan_of(service, *state, *target) : nullptr;
        ++(plan ? recorded.planned : recorded.others);
        if (!plan) continue;
        auto const [found, is_new] = places.try_emplace(plan->shape, recorded.shapes.size());
        if (is_new) recorded.shapes.push_back({std::move(plan), printable(*std::move(target))});
        ++recorded.shapes[found->second].asked;
    }
    std::ranges::stable_sort(recorded.shapes, std::greater(), &RequestShape::asked);
    return recorded;
}

using parser::Result;

struct SuggestArguments {
    std::string word;
    std::string log = "-";
    std::string min_rows = "10000";
};

std::string times(std::uint64_t number) {
    return number == 1 ? "once" : number == 2 ? "twice" : std::to_string(number) + " times";
}

// Returns what the existing indexes do not serve, of tables with at least so many rows.
Result<std::vector<db::Suggestion>> find(db::Suggestions const& suggestions, std::uint64_t min_rows,
                                         db::Connection& connection) {
    auto const existing = db::read_existing_indexes(connection);
    if (!existing) return existing.error();
    auto const rows = db::read_table_rows(connection);
    if (!rows) return rows.error();
    auto found = suggestions.least(*existing);
    std::erase_if(found, [&](db::Suggestion const& suggestion) {
        auto const table = rows->find(suggestion.index.table);
        return table == rows->end() || table->second < min_rows;
    });
    return found;
}

// Writes the statements of a file for the database's own client.
class IndexScript {
  public:
    IndexScript(db::Connection& connection, db::Schema const& schema, std::string locale)
        : schema_(schema),
          locale_(std::move(locale)),
          has_hidden_indexes_(!connection.is_mariadb()) {}

    void begin() const;
    void write(db::Suggestion const& suggestion) const;

  private:
    db::ContentType const* list_that_may_change(db::Index const& index) const;
    void explain(db::ContentType const& type, std::string const& column) const;

    db::Schema const& schema_;
    std::string const locale_;
    bool const has_hidden_indexes_;
};

void IndexScript::begin() const {
    if (schema_.has_cms && schema_.cms.drops_other_indexes)
        std::cout << "-- Strapi 4 drops indexes that it did not create, unless config/database.js "
                     "has `settings: { strictSyncSchema: false }`.\n";
    std::cout
        << "-- A statement waits for other transactions no longer than this, and whoever uses "
           "the table then waits for it.\n"
        << db::short_lock_wait << '\n';
}

// Returns the type whose list without a sort the CMS may read by the index. All that it compares
// then are the columns of locale and publication. A hidden index is none for the CMS.
db::ContentType const* IndexScript::list_that_may_change(db::Index const& index) const {
    auto const& column = index.columns.front().name;
    bool const is_compared = column == "locale" || column == "published_at";
    if (has_hidden_indexes_ || !schema_.has_cms || !is_compared) return nullptr;
    for (auto const& [uid, type] : schema_.types)
        if (type->table == index.table && type->find_by_column(column)) return type.get();
    return nullptr;
}

// The CMS selects all columns, so the server does not read the index alone.
void IndexScript::explain(db::ContentType const& type, std::string const& column) const {
    db::SqlText sql("EXPLAIN SELECT t0.* FROM ");
    sql.name(type.table) << " t0 WHERE TRUE";
    if (type.find_by_column("locale")) (sql << " AND t0.`locale` = ").text(locale_);
    if (type.find_by_column("published_at")) sql << " AND t0.`published_at` IS NOT NULL";
    std::cout << "-- Not run: Strapi finds its list of " << type.uid << " without a sort by "
              << column << ", so it may begin with other entries.\n"
              << "-- It does if the `key` is this index: " << db::readable(sql.limit(100).str())
              << ";\n";
}

void IndexScript::write(db::Suggestion const& suggestion) const {
    auto const& [index, asked, example] = suggestion;
    std::cout << "\n-- asked " << times(asked) << ", as by " << example << '\n';
    auto const* const type = list_that_may_change(index);
    if (type) explain(*type, index.columns.front().name);
    std::cout << (type ? "-- " : "") << db::creation_of(index, has_hidden_indexes_).str() << ";\n"
              << "-- " << db::removal_of(index).str() << ";\n";
}

int suggest(SuggestArguments const& arguments, Options const& options) {
    auto const min_rows = parser::read_number(arguments.min_rows);
    if (!min_rows)
        return fail("--min-rows: expected a number, received " + arguments.min_rows,
                    exit_configuration);
    auto const service = Service::create(options);
    if (!service) return fail(service.error());
    auto const requests = read_requests(**service, arguments.log);
    if (!requests) return fail(requests.error());
    db::Suggestions suggestions;
    for (RequestShape const& shape : requests->shapes)
        suggestions.add(*shape.plan, shape.asked, shape.target);
    auto const connection = db::Connection::open(options.database_hosts, {});
    if (!connection) return fail(connection.error());
    auto const found = find(suggestions, *min_rows, **connection);
    if (!found) return fail(found.error());
    auto const schema = read_schema(options, **connection);
    if (!schema) return fail(schema.error());
    auto const locale = db::read_default_locale(**connection);
    if (!locale) return fail(locale.error());
    IndexScript const statements(**connection, **schema, *locale);
    if (!found->empty()) statements.begin();
    for (db::Suggestion const& suggestion : *found)
        statements.write(suggestion);
    std::cout << std::flush;
    report_sentence(std::to_string(requests->planned) + " requests of " +
                    std::to_string(requests->shapes.size()) +
                    " shapes, bound with all permissions; lines without such a request: " +
                    std::to_string(requests->others));
    if (found->empty())
        report_sentence("no further index would help on tables of at least " + arguments.min_rows +
                        " rows");
    else
        report_sentence(
            "next: write the statements to a file, and let mariadb or mysql run it on a copy of "
            "the database");
    return exit_ok;
}

} // namespace

Run declare_indexes(CommandLine command) {
    auto const arguments = std::make_shared<SuggestArguments>();
    auto words = command.then("suggest", "print the indexes that recorded requests would use",
                              arguments->word);
    words.option("--log", arguments->log,
                 "access log, or paths with queries, one a line; default: standard input");
    words.option("--min-rows", arguments->min_rows,
                 "leave out tables with fewer rows; default: 10000");
    return [arguments](Options const& options) { return suggest(*arguments, options); };
}

} // namespace fcgi
