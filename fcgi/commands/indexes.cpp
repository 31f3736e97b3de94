#include "db/cms/accounts.hpp"
#include "db/read/suggestions.hpp"
#include "fcgi/answer/read_schema.hpp"
#include "fcgi/commands/commands.hpp"
#include "fcgi/commands/shapes.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/options.hpp"
#include "parser/base/units.hpp"

#include <iostream>
#include <memory>
#include <string>

namespace fcgi {

namespace {

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
class Statements {
  public:
    Statements(db::Connection& connection, db::Schema const& schema, std::string locale)
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

void Statements::begin() const {
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
db::ContentType const* Statements::list_that_may_change(db::Index const& index) const {
    auto const& column = index.columns.front().name;
    bool const is_compared = column == "locale" || column == "published_at";
    if (has_hidden_indexes_ || !schema_.has_cms || !is_compared) return nullptr;
    for (auto const& [uid, type] : schema_.types)
        if (type->table == index.table && type->find_by_column(column)) return type.get();
    return nullptr;
}

// The CMS selects all columns, so the server does not read the index alone.
void Statements::explain(db::ContentType const& type, std::string const& column) const {
    db::SqlText sql("EXPLAIN SELECT t0.* FROM ");
    sql.name(type.table) << " t0 WHERE TRUE";
    if (type.find_by_column("locale")) (sql << " AND t0.`locale` = ").text(locale_);
    if (type.find_by_column("published_at")) sql << " AND t0.`published_at` IS NOT NULL";
    std::cout << "-- Not run: Strapi finds its list of " << type.uid << " without a sort by "
              << column << ", so it may begin with other entries.\n"
              << "-- It does if the `key` is this index: " << db::readable(sql.limit(100).str())
              << ";\n";
}

void Statements::write(db::Suggestion const& suggestion) const {
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
    for (Shape const& shape : requests->shapes)
        suggestions.add(*shape.plan, shape.asked, shape.target);
    auto const connection = db::Connection::open(options.database_hosts, {});
    if (!connection) return fail(connection.error());
    auto const found = find(suggestions, *min_rows, **connection);
    if (!found) return fail(found.error());
    auto const schema = read_schema(options, **connection);
    if (!schema) return fail(schema.error());
    auto const locale = db::read_default_locale(**connection);
    if (!locale) return fail(locale.error());
    Statements const statements(**connection, **schema, *locale);
    if (!found->empty()) statements.begin();
    for (db::Suggestion const& suggestion : *found)
        statements.write(suggestion);
    std::cout << std::flush;
    tell(std::to_string(requests->planned) + " requests of " +
         std::to_string(requests->shapes.size()) +
         " shapes, bound with all permissions; lines without such a request: " +
         std::to_string(requests->others));
    if (found->empty())
        tell("no further index would help on tables of at least " + arguments.min_rows + " rows");
    else
        tell("next: write the statements to a file, and let mariadb or mysql run it on a copy of "
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
