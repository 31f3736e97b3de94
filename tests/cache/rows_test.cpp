#include "fixture.hpp"

#include "fcgi/notify/translator.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <utility>

// Any rows of any table of the example change, in any way, and no response of the cache is another
// than the database gives, nor one of a cache in front that is purged by names alone. The project
// is that of `tests/with example`; in the suite `edited`, a live Strapi changes the rows.

using namespace cache_test;
using db::SqlPiece;
using db::SqlText;

BOOST_AUTO_TEST_SUITE(rows)

namespace {

struct Table {
    std::string name;
    std::vector<std::string> columns; // without the id
};

// Makes transactions of SQL statements that change rows as a CMS does, or as nobody does.
class Writer {
  public:
    explicit Writer(unsigned long seed) : random_(seed) {
        char const* const wanted = std::getenv("ROWS_TABLES"); // regular expression
        SqlText sql = SqlPiece(
            "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS"
            " WHERE TABLE_SCHEMA = 'content' AND TABLE_NAME NOT REGEXP"
            " '^(admin_[pr]|admin_users_|strapi_|up_permissions|up_roles|i18n_|upload_folders)'"
            " AND TABLE_NAME REGEXP ");
        sql.text(wanted ? wanted : ".");
        auto rows = owner_->query(sql << SqlPiece(" ORDER BY TABLE_NAME, ORDINAL_POSITION"));
        while (rows->next()) {
            if (tables_.empty() || tables_.back().name != rows->text(0))
                tables_.push_back({std::string(rows->text(0)), {}});
            if (rows->text(1) != "id") tables_.back().columns.emplace_back(rows->text(1));
        }
        // This database keeps the rows of the beginning, so that rows can come back.
        run(SqlPiece("CREATE DATABASE original"));
        for (auto const& table : tables_)
            run(original(SqlText(SqlPiece("CREATE TABLE ")), table)
                << SqlPiece(" LIKE content.") << named(table));
        for (auto const& table : tables_)
            run(original(SqlText(SqlPiece("INSERT INTO ")), table)
                << SqlPiece(" SELECT * FROM content.") << named(table));
        std::erase_if(tables_, [&](Table const& table) { return count(named(table)) == 0; });
    }

    // Returns what was written.
    std::string write() {
        written_.clear();
        run(SqlPiece("START TRANSACTION"));
        for (auto statements = 1 + below(3); statements > 0; --statements)
            write_one();
        run(SqlPiece("COMMIT"));
        return written_;
    }

  private:
    std::size_t below(std::size_t end) { return random_() % std::max(end, std::size_t{1}); }

    static SqlText named(Table const& table) { return std::move(SqlText().name(table.name)); }
    static SqlText original(SqlText sql, Table const& table) {
        return std::move(sql << SqlPiece("original.") << named(table));
    }

    std::size_t count(SqlText const& rows) {
        return std::stoul(server::ask(*owner_, SqlText(SqlPiece("SELECT COUNT(*) FROM ")) << rows));
    }

    void run(SqlText const& sql) {
        written_ += sql.str() + "; ";
        auto const done = owner_->command(sql);
        if (!done) written_ += "(" + done.error().cause + ") ";
    }

    // The id of any of the first rows, which requests ask for, or of all.
    std::uint64_t any_id(SqlText const& rows) {
        auto const all = count(rows);
        if (all == 0) return 0;
        auto const number = below(below(2) == 0 ? std::min(all, std::size_t{12}) : all);
        SqlText sql = SqlPiece("SELECT id FROM ");
        sql << rows << SqlPiece(" ORDER BY id LIMIT 1 OFFSET ");
        return std::stoul(server::ask(*owner_, sql.integer(std::uint64_t{number})));
    }
    static SqlText with(std::uint64_t id) {
        return std::move(SqlText(SqlPiece(" WHERE id = ")).integer(id));
    }
    SqlText any_of(SqlText const& rows) { return with(any_id(rows)); }

    void append_columns(SqlText& sql, Table const& table) {
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            if (i > 0) sql << SqlPiece(", ");
            sql.name(table.columns[i]);
        }
    }

    // The value that another row has.
    void append_value(SqlText& sql, Table const& table, std::string const& column) {
        sql << SqlPiece("(SELECT v FROM (SELECT ");
        sql.name(column) << SqlPiece(" AS v FROM ") << named(table) << SqlPiece(" LIMIT 1 OFFSET ");
        sql.integer(std::uint64_t{below(count(named(table)))}) << SqlPiece(") AS x)");
    }

    void write_one() {
        Table const& table = tables_[below(tables_.size())];
        switch (below(14)) {
        case 0: // a new row, as another
            return insert_copy(SqlText(SqlPiece("content.")) << named(table), table);
        case 1:
            return remove(table);
        case 2: // comes back, or is as it was
            return restore(SqlPiece("REPLACE INTO "), table);
        case 3:
            return restore(SqlPiece("INSERT IGNORE INTO "), table);
        case 4: // Strapi 5 publishes so
            remove(table);
            return insert_copy(original({}, table), table);
        case 5: // another id
            return run(SqlText(SqlPiece("UPDATE IGNORE "))
                       << named(table) << SqlPiece(" SET id = id + 1000") << any_of(named(table)));
        case 6: // a text that its collation may find equal
            return update(table, [&](SqlText& sql, std::string const& column) {
                SqlPiece const ends[] = {"", " ", "é"};
                sql << SqlPiece("CONCAT(UPPER(");
                sql.name(column) << SqlPiece("), '") << ends[below(3)] << SqlPiece("')");
            });
        case 7:
            return update(table, [](SqlText& sql, std::string const&) { sql << SqlPiece("NULL"); });
        case 8:
        case 9:
            return publish();
        default:
            return update(table, [&](SqlText& sql, std::string const& column) {
                append_value(sql, table, column);
            });
        }
    }

    // Publishes a draft, or makes an entry one.
    void publish() {
        std::vector<Table const*> types;
        for (auto const& table : tables_)
            if (std::ranges::count(table.columns, "published_at") > 0) types.push_back(&table);
        if (types.empty()) return;
        auto const table = named(*types[below(types.size())]);
        auto const drafts = SqlText(SqlPiece("(SELECT id FROM "))
                            << table << SqlPiece(" WHERE published_at IS NULL) AS drafts");
        run(SqlText(SqlPiece("UPDATE "))
            << table << SqlPiece(" SET published_at = IF(published_at IS NULL, NOW(), NULL)")
            << any_of(below(2) == 0 ? drafts : table));
    }

    void remove(Table const& table) {
        auto const id = any_id(named(table));
        gone_.emplace_back(&table, id);
        run(SqlText(SqlPiece("DELETE FROM ")) << named(table) << with(id));
    }

    void insert_copy(SqlText from, Table const& table) {
        SqlText sql = SqlPiece("INSERT IGNORE INTO ");
        sql << named(table) << SqlPiece(" (");
        append_columns(sql, table);
        sql << SqlPiece(") SELECT ");
        append_columns(sql, table);
        run(sql << SqlPiece(" FROM ") << from << any_of(original({}, table)));
    }

    // Half of them are rows that were removed, from whatever table.
    void restore(SqlText statement, Table const& any) {
        auto [table, id] = std::pair(&any, any_id(original({}, any)));
        if (!gone_.empty() && below(2) == 0) std::tie(table, id) = gone_[below(gone_.size())];
        run(statement << named(*table) << SqlPiece(" SELECT * FROM ") << original({}, *table)
                      << with(id));
    }

    template<class AppendValue>
    void update(Table const& table, AppendValue append) {
        SqlText sql = SqlPiece("UPDATE IGNORE ");
        sql << named(table) << SqlPiece(" SET ");
        std::set<std::string> columns;
        for (auto more = 1 + below(2); more > 0; --more)
            columns.insert(table.columns[below(table.columns.size())]);
        for (auto const& column : columns) {
            if (column != *columns.begin()) sql << SqlPiece(", ");
            sql.name(column) << SqlPiece(" = ");
            append(sql, column);
        }
        run(sql << any_of(named(table)));
    }

    std::mt19937_64 random_;
    std::unique_ptr<db::Connection> owner_ = open_owner();
    std::vector<Table> tables_;
    std::vector<std::pair<Table const*, std::uint64_t>> gone_; // rows that were removed
    std::string written_;
};

// Changes content as an editor does, in the live Strapi of tests/cache/edited.
class Editor {
  public:
    explicit Editor(unsigned long seed) : number_(seed * 100'000) {}

    // Returns what was written.
    std::string write() {
        auto const command = server::setting("EDIT") + ' ' + std::to_string(++number_);
        auto* const pipe = ::popen(command.c_str(), "r");
        BOOST_TEST_REQUIRE(pipe);
        std::string written;
        for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
            written += static_cast<char>(c);
        BOOST_TEST_REQUIRE(::pclose(pipe) == 0);
        return written;
    }

  private:
    unsigned long number_;
};

std::vector<Request> recorded_requests() {
    std::map<std::string, Request> found;
    for (auto const& record : conformance::read_records(data_file("recorded.jsonl.gz")))
        if (record.method == "GET" && record.status == 200 && record.headers.empty() &&
            record.path.find("/users/me") == record.path.npos)
            found.emplace(record.auth + record.path, Request{record.path, record.auth});
    std::vector<Request> requests;
    for (auto const& [text, request] : found)
        requests.push_back(request);
    return requests;
}

// A cache in front, which drops what has one of the names that `notify` tells of. Nothing but the
// secret is known both here and to the program.
class Edge {
  public:
    Edge() {
        server::command(*owner_, SqlPiece("CREATE DATABASE front"));
        server::command(*owner_, SqlPiece("CREATE TABLE front.marks (id INT PRIMARY KEY)"));
        auto const read = translator_.read();
        BOOST_TEST_REQUIRE(read.has_value(), read.error().cause);
        BOOST_TEST_REQUIRE(reader_.begin(settings().url, {}).has_value());
    }

    // Drops what any transaction until now may have changed.
    void purge() {
        SqlText sql = SqlPiece("INSERT INTO front.marks VALUES (");
        server::command(*owner_, sql.integer(++marks_) << SqlPiece(")"));
        std::set<std::string> names;
        for (bool is_read = false; !is_read;) {
            auto const next = reader_.next(Clock::now() + 10s);
            BOOST_TEST_REQUIRE(next.has_value(), next.error().cause);
            BOOST_TEST_REQUIRE(next->has_value());
            auto const batch = translator_.batch_of(**next);
            if (batch.site) stored_.clear();
            names.insert(batch.names.begin(), batch.names.end());
            is_read = std::ranges::count((*next)->tables, mark_) > 0;
        }
        std::erase_if(stored_, [&](auto const& entry) {
            auto const& its = entry.second.names;
            return std::ranges::any_of(its, [&](auto const& name) { return names.contains(name); });
        });
    }

    // Returns what is stored as the response, which is that one now if there is none.
    std::string const& text(std::size_t request, fastcgi::Response const& response,
                            std::string const& its_text) {
        auto const found = stored_.find(request);
        if (found != stored_.end()) {
            ++hits_;
            return found->second.text;
        }
        if (auto const names = set_of(response.header("xkey")); !names.empty())
            stored_.emplace(request, Stored{its_text, names});
        return its_text;
    }
    std::size_t hits() const { return hits_; }

  private:
    static db::ChangeLog::Settings settings() {
        db::ChangeLog::Settings settings;
        settings.url = server::reader();
        settings.url.user = server::setting("CACHE_USER");
        std::ifstream(server::setting("CACHE_PASSWORD_FILE")) >> settings.url.password;
        return settings;
    }
    static fcgi::Options options() {
        fcgi::Options options;
        options.schema = server::setting("POPULATE_TEST_SCHEMA");
        options.database_hosts =
            db::parse_database_url(server::setting("POPULATE_TEST_DATABASE")).value();
        return options;
    }

    struct Stored {
        std::string text;
        std::set<std::string> names;
    };

    std::unique_ptr<db::Connection> const owner_ = open_owner();
    fcgi::Options const options_ = options();
    db::TagNames names_{names_secret};
    db::TransactionReader reader_{settings()};
    fcgi::notify::Translator translator_{options_, names_, reader_};
    db::ChangeLog::Table const* const mark_ = reader_.table("marks", "front");
    std::map<std::size_t, Stored> stored_;
    std::uint64_t marks_ = 0;
    std::size_t hits_ = 0;
};

// Of a response to an edge, without what is for that alone.
std::string text_for_all(fastcgi::Response response) {
    std::erase_if(response.headers, [](auto const& header) {
        return header.first == "xkey" || header.first == "Surrogate-Control";
    });
    return text_of(response);
}

template<class AnyWriter>
void compare_after_each_write() {
    auto const seed = server::number("ROWS_SEED", 1);
    AnyWriter writer(seed);
    Keeping const keeping(with_names());
    Uncached const uncached;
    Edge edge;
    auto all = recorded_requests();
    std::ranges::shuffle(all, std::mt19937_64(seed));
    all.resize(std::min(all.size(), server::number("ROWS_QUESTIONS", 300)));
    for (auto const* type : {"articles", "categories", "products", "tags"})
        for (auto id = 1; id <= 6; ++id) // whether there is one or not
            all.push_back({"/api/" + std::string(type) + "?filters[id]=" + std::to_string(id)});
    std::size_t changed = 0, asked = 0, invalidated = 0;
    std::map<std::size_t, std::string> before;
    auto const writes = server::number("ROWS_WRITES", 40);
    for (unsigned long write = 1; write <= writes; ++write) {
        auto const written = "write " + std::to_string(write) + ": " + writer.write();
        edge.purge();
        auto const hits = uses(keeping.counts(), "hit");
        for (std::size_t i = 0; i < all.size(); ++i) {
            auto const right = text_of(uncached.ask(all[i]));
            auto const response = keeping.ask(as_edge(all[i]));
            auto const cached = text_for_all(response);
            BOOST_TEST_REQUIRE((cached == right), all[i].uri << " by " << all[i].caller
                                                             << " after: " << written << cached
                                                             << right);
            auto const stored = edge.text(i, response, cached);
            BOOST_TEST_REQUIRE((stored == right),
                               all[i].uri << " in front after: " << written << stored << right);
            auto& last = before[i];
            changed += !last.empty() && last != right;
            last = right;
        }
        asked += all.size();
        invalidated += all.size() - static_cast<std::size_t>(uses(keeping.counts(), "hit") - hits);
    }
    std::cout << asked << " asked, " << changed << " changed, " << invalidated << " voided, "
              << edge.hits() << " in front\n";
    BOOST_TEST(changed > 0U);
    BOOST_TEST(invalidated < asked / 2);
    BOOST_TEST(edge.hits() > asked / 4);
}

} // namespace

BOOST_AUTO_TEST_CASE(whatever_rows_change_no_response_is_of_before) {
    compare_after_each_write<Writer>();
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(edited)

BOOST_AUTO_TEST_CASE(whatever_an_editor_changes_no_response_is_of_before) {
    rows::compare_after_each_write<rows::Editor>();
}

BOOST_AUTO_TEST_SUITE_END()
