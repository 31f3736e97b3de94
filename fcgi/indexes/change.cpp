#include "fcgi/indexes/change.hpp"

#include "db/cms/accounts.hpp"
#include "db/indexes/existing.hpp"
#include "fcgi/answer/read_schema.hpp"
#include "fcgi/check/project_scripts.hpp"
#include "fcgi/indexes/online.hpp"
#include "fcgi/options/failure.hpp"

#include <algorithm>
#include <iostream>
#include <ranges>
#include <vector>

namespace fcgi {

namespace {

using parser::Result;

// A value of config/env/<environment>/ may override that of config/, so all must agree.
bool is_told_to_keep_indexes(std::string const& schema) {
    bool is_told = false;
    for (Script const& script : config_scripts(project_folder(schema), "database"))
        for (Tokens const& value : values_of(script.tokens, "strictSyncSchema")) {
            if (value.empty() || value[0] != "false") return false;
            is_told = true;
        }
    return is_told;
}

constexpr auto how_to_keep_indexes =
    R"(Strapi 4 drops indexes that it did not create, whenever its types change. Strapi 4.26 keeps them if
config/database.js has this beside `connection`:

    settings: { strictSyncSchema: false },

Add it, restart Strapi, then run this again. If Strapi keeps them for another reason, add --strapi-keeps-them.)";

// Selects the first entries that a list of the CMS without a sort has. It selects all columns as
// the CMS does, so that the server does not read an index alone.
db::SqlText first_entries(db::ContentType const& type, std::string const& locale) {
    db::SqlText sql("SELECT t0.`id`, t0.* FROM ");
    sql.name(type.table) << " t0 WHERE TRUE";
    if (type.find_by_column("locale")) (sql << " AND t0.`locale` = ").text(locale);
    if (type.find_by_column("published_at")) sql << " AND t0.`published_at` IS NOT NULL";
    return sql.limit(100);
}

Result<std::vector<std::string>> ids_of(db::Connection& connection, db::SqlText const& sql) {
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    std::vector<std::string> ids;
    while (rows->next())
        ids.emplace_back(rows->text(0));
    return ids;
}

// Creates indexes, and drops them again if one of them cannot be created.
class Creation {
  public:
    Creation(Options const& options, db::Connection& connection, db::Schema const& schema,
             std::string locale, bool changes_order)
        : options_(options),
          connection_(connection),
          schema_(schema),
          locale_(std::move(locale)),
          changes_order_(changes_order) {}

    // Returns the statement that creates the index. The CMS has no use of a hidden one, which
    // therefore does not change its order.
    db::SqlText statement(db::Index const& index) const {
        return db::creation_of(index, !connection_.is_mariadb() && !changes_order_);
    }
    int run(std::vector<db::Index> const& indexes);

  private:
    Result<std::vector<std::string>> first_ids(std::string const& table);
    Result<void> expect_free_disk(std::string const& table);
    Result<void> create(db::Index const& index);
    Result<void> drop_if_other(std::vector<std::string> const& before, db::Index const& index);
    void undo();

    Options const& options_;
    db::Connection& connection_;
    db::Schema const& schema_;
    std::string const locale_;
    bool const changes_order_;
    std::vector<db::Index> created_;
    std::size_t dropped_ = 0; // because of the order
};

// Returns nothing for a table that the CMS has no lists of.
Result<std::vector<std::string>> Creation::first_ids(std::string const& table) {
    for (auto const& [uid, type] : schema_.types)
        if (type->table == table) return ids_of(connection_, first_entries(*type, locale_));
    return std::vector<std::string>();
}

Result<void> Creation::drop_if_other(std::vector<std::string> const& before,
                                     db::Index const& index) {
    auto const after = first_ids(index.table);
    if (!after) return after.error();
    if (before == *after) return {};
    auto dropped = run_change(connection_, db::removal_of(index.table, name_of(index)));
    if (!dropped) return dropped;
    created_.pop_back();
    ++dropped_;
    tell("dropped again: with " + name_of(index) +
         " the CMS's own lists without a sort begin with other entries; add --changes-order to "
         "keep it");
    return {};
}

// An index, with the files that are sorted for it, takes no more than the rows do.
Result<void> Creation::expect_free_disk(std::string const& table) {
    auto const free = free_disk(connection_, options_);
    if (!free) return {};
    auto const sizes = db::read_table_sizes(connection_);
    if (!sizes) return sizes.error();
    auto const size = sizes->find(table);
    if (size == sizes->end() || size->second.row_bytes <= *free) return {};
    auto const mebibytes = [](std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
    return parser::unavailable("the database's disk has " + mebibytes(*free) +
                               " free, and an index of this table may need " +
                               mebibytes(size->second.row_bytes));
}

Result<void> Creation::create(db::Index const& index) {
    if (auto none = expect_no_long_transaction(connection_); !none) return none.error();
    if (auto fits = expect_free_disk(index.table); !fits) return fits;
    auto const before = first_ids(index.table);
    if (!before) return before.error();
    if (auto done = run_change(connection_, statement(index)); !done) return done;
    created_.push_back(index);
    return changes_order_ ? Result<void>() : drop_if_other(*before, index);
}

// After an error another connection is needed.
void Creation::undo() {
    auto const connection = open_for_changes(options_);
    for (db::Index const& index : created_ | std::views::reverse) {
        auto const statement = db::removal_of(index.table, name_of(index));
        if (!connection || !run_change(**connection, statement))
            tell("could not be dropped again; run it yourself: " + statement.str() + ';');
    }
}

int Creation::run(std::vector<db::Index> const& indexes) {
    for (db::Index const& index : indexes) {
        auto const done = create(index);
        if (done) continue;
        tell("failed at " + name_of(index) + " on " + index.table +
             (created_.empty() ? "; nothing was created"
                               : "; what this call created is dropped again"));
        undo();
        return fail(done.error());
    }
    std::cout << "created " << created_.size() << " of " << indexes.size()
              << "; with the setting indexes = FILE the program reports when they are gone\n";
    return dropped_ == 0 ? exit_ok : exit_failed;
}

int show(std::vector<db::SqlText> const& statements) {
    for (db::SqlText const& statement : statements)
        std::cout << statement.str() << ";\n";
    return fail("nothing was changed; add --yes to run these statements", exit_failed);
}

// Says once what cannot be seen.
Result<void> look_at_transactions(db::Connection& connection) {
    auto const sees = expect_no_long_transaction(connection);
    if (!sees) return sees.error();
    if (!*sees)
        tell("the account may not see whether other transactions have been open for long, which "
             "needs PROCESS; a change that meets one fails after a second");
    return {};
}

} // namespace

int apply_indexes(ApplyArguments const& arguments, Options const& options) {
    auto const indexes = db::read_index_file(arguments.file);
    if (!indexes) return fail(indexes.error().message, exit_data);
    auto const connection = open_for_changes(options);
    if (!connection) return fail(connection.error());
    auto const schema = read_schema(options, **connection);
    if (!schema) return fail(schema.error());
    bool const are_kept = !(*schema)->cms.drops_other_indexes || !(*schema)->has_cms ||
                          arguments.strapi_keeps_them || is_told_to_keep_indexes(options.schema);
    if (!are_kept) return fail(how_to_keep_indexes, exit_configuration);
    auto const missing = db::missing_indexes(**connection, *indexes);
    if (!missing) return fail(missing.error());
    if (missing->empty()) {
        std::cout << "nothing is missing\n";
        return exit_ok;
    }
    auto const locale = db::read_default_locale(**connection);
    if (!locale) return fail(locale.error());
    Creation creation(options, **connection, **schema, *locale, arguments.changes_order);
    if (!arguments.yes) {
        std::vector<db::SqlText> statements;
        for (db::Index const& index : *missing)
            statements.push_back(creation.statement(index));
        return show(statements);
    }
    if (auto const looked = look_at_transactions(**connection); !looked)
        return fail(looked.error());
    if (!free_disk(**connection, options))
        tell("how much is free on the database's disk cannot be seen from here");
    return creation.run(*missing);
}

int drop_indexes(DropArguments const& arguments, Options const& options) {
    auto const chosen =
        arguments.file.empty() ? std::vector<db::Index>() : db::read_index_file(arguments.file);
    if (!chosen) return fail(chosen.error().message, exit_data);
    auto const connection = open_for_changes(options);
    if (!connection) return fail(connection.error());
    auto ours = db::read_existing_indexes(**connection);
    if (!ours) return fail(ours.error());
    std::erase_if(*ours, [&](db::ExistingIndex const& one) {
        auto const is_chosen = [&](db::Index const& index) { return one.is(index); };
        return !one.is_ours() ||
               (!arguments.file.empty() && std::ranges::none_of(*chosen, is_chosen));
    });
    std::vector<db::SqlText> statements;
    for (db::ExistingIndex const& one : *ours)
        statements.push_back(db::removal_of(one.index.table, one.name));
    if (statements.empty()) {
        std::cout << "there is no such index\n";
        return exit_ok;
    }
    if (!arguments.yes) return show(statements);
    if (auto const looked = look_at_transactions(**connection); !looked)
        return fail(looked.error());
    for (db::SqlText const& statement : statements) {
        auto const none = expect_no_long_transaction(**connection);
        auto const done = none ? run_change(**connection, statement) : none.error();
        if (done) continue;
        tell("failed at this index; those before it are dropped, run this again for the others");
        return fail(done.error());
    }
    std::cout << "dropped " << statements.size() << '\n';
    return exit_ok;
}

} // namespace fcgi
