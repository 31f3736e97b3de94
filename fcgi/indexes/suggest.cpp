#include "fcgi/indexes/suggest.hpp"

#include "db/indexes/suggestions.hpp"
#include "fcgi/indexes/shapes.hpp"
#include "fcgi/options/failure.hpp"
#include "parser/base/units.hpp"

#include <iostream>

namespace fcgi {

namespace {

std::string times(std::uint64_t number) {
    return number == 1 ? "once" : number == 2 ? "twice" : std::to_string(number) + " times";
}

// Returns what the existing indexes do not serve, of tables with at least so many rows.
parser::Result<std::vector<db::Suggestion>>
find(db::Suggestions const& suggestions, std::uint64_t min_rows, db::Connection& connection) {
    auto const existing = db::read_existing_indexes(connection);
    if (!existing) return existing.error();
    auto const sizes = db::read_table_sizes(connection);
    if (!sizes) return sizes.error();
    auto found = suggestions.least(*existing);
    std::erase_if(found, [&](db::Suggestion const& suggestion) {
        auto const size = sizes->find(suggestion.index.table);
        return size == sizes->end() || size->second.rows < min_rows;
    });
    return found;
}

} // namespace

int suggest_indexes(SuggestArguments const& arguments, Options const& options) {
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
    for (auto const& [index, asked, example] : *found)
        std::cout << "-- asked " << times(asked) << ", as by " << example << '\n'
                  << db::creation_of(index).str() << ";\n";
    std::cout << std::flush;
    tell(std::to_string(requests->planned) + " requests of " +
         std::to_string(requests->shapes.size()) +
         " shapes, bound with all permissions; lines without such a request: " +
         std::to_string(requests->others));
    if (found->empty())
        tell("no further index would help on tables of at least " + arguments.min_rows + " rows");
    else
        tell("next: write the statements to a file, then run populate-fcgi indexes try --on "
             "URL-OF-A-COPY --log LOG --file FILE");
    return exit_ok;
}

} // namespace fcgi
