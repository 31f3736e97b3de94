#include "db/binlog/transactions.hpp"
#include "db/mysql/table_relations.hpp"
#include "tests/cache/metrics.hpp"
#include "tests/fastcgi/client.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// How many cached responses have been invalidated, and how many would have been if each was when a
// table changes that it was read from, or one that foreign keys lead to from there:
//
//     invalidations SOCKET METRICS OWNER-URL LOG-URL PATHS
//
// asks for the paths in the file PATHS, and keeps to those that are cached. Then, for each line of
// its input, it prints `by rows, by tables, asked`, and asks for all of them again. The process at
// SOCKET serves /_explain, and nothing else asks it. LOG-URL has the account that may follow the
// binary log.

namespace {

template<class T>
T value_of(parser::Result<T> result) {
    if (!result) throw std::runtime_error(result.error().message + " " + result.error().cause);
    if constexpr (!std::is_void_v<T>) return *std::move(result);
}

using Tables = std::set<db::ChangeLog::Table const*>;

struct Cached {
    std::string path;
    Tables tables;
};

class CacheClient {
  public:
    CacheClient(std::string const& socket, std::string metrics)
        : client_(fastcgi::Client::connect("unix:" + socket)), metrics_(std::move(metrics)) {}

    // Returns whether it was answered by the cache.
    bool is_hit(std::string const& path) {
        auto const before = hits();
        client_.ask(fastcgi::get(path));
        return hits() > before;
    }
    std::size_t count_hits(std::vector<Cached> const& all) {
        auto const before = hits();
        for (auto const& cached : all)
            client_.ask(fastcgi::get(cached.path));
        return hits() - before;
    }
    std::vector<std::string> tables(std::string const& path) {
        std::vector<std::string> names;
        auto const explained =
            boost::json::parse(client_.ask(fastcgi::get("/_explain" + path)).body);
        for (auto const& name : explained.at("tables").as_array())
            names.emplace_back(name.as_string());
        return names;
    }

  private:
    std::size_t hits() const {
        return static_cast<std::size_t>(
            cache_test::uses(cache_test::read_metrics(metrics_), "hit"));
    }

    fastcgi::Client client_;
    std::string metrics_;
};

// Reads what has changed in the log.
class Changed {
  public:
    Changed(std::string const& owner, std::string const& log)
        : url_(value_of(db::parse_database_url(log)).first()),
          owner_(value_of(db::Connection::open(value_of(db::parse_database_url(owner)).first(),
                                               db::owner_session))),
          relations_(value_of(db::TableRelations::read(*owner_))),
          reader_({.url = url_}) {
        run(db::SqlPiece("CREATE OR REPLACE TABLE mysql.invalidations_mark (id INT)"));
        mark_ = reader_.table("invalidations_mark", "mysql");
    }

    Tables find(std::vector<std::string> const& names) {
        std::vector<std::string_view> const views(names.begin(), names.end());
        Tables tables;
        for (auto const& [database, name] : relations_.dependencies(views).tables)
            tables.insert(reader_.table(name, database));
        return tables;
    }
    void begin() { value_of(reader_.begin(url_, {})); }
    // Returns the tables that have changed since the last call.
    Tables next() {
        run(db::SqlPiece("INSERT INTO mysql.invalidations_mark VALUES (1)"));
        Tables changed;
        while (!changed.contains(mark_)) {
            auto const until = db::TransactionReader::Clock::now() + std::chrono::seconds(10);
            auto const transaction = value_of(reader_.next(until));
            if (!transaction || transaction->rows_of_all)
                throw std::runtime_error("expected transactions of rows alone in the log");
            changed.insert(transaction->tables.begin(), transaction->tables.end());
        }
        return changed;
    }

  private:
    void run(db::SqlText const& sql) { value_of(owner_->command(sql)); }

    db::DatabaseUrl const url_;
    std::unique_ptr<db::Connection> const owner_;
    db::TableRelations const relations_;
    db::TransactionReader reader_;
    db::ChangeLog::Table const* mark_ = nullptr;
};

void measure(char** arguments) {
    CacheClient cache(arguments[1], arguments[2]);
    Changed changed(arguments[3], arguments[4]);
    std::ifstream paths(arguments[5]);
    std::vector<Cached> all;
    for (std::string path; std::getline(paths, path);)
        if (cache.is_hit(path) || cache.is_hit(path))
            all.push_back({path, changed.find(cache.tables(path))});
    changed.begin();
    cache.count_hits(all);
    std::cout << all.size() << " cached" << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        auto const tables = changed.next();
        auto const by_tables = std::ranges::count_if(all, [&](Cached const& cached) {
            return std::ranges::any_of(cached.tables,
                                       [&](auto const* table) { return tables.contains(table); });
        });
        std::cout << all.size() - cache.count_hits(all) << ' ' << by_tables << ' ' << all.size()
                  << std::endl;
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 6) {
        std::cerr << "invalidations SOCKET METRICS OWNER-URL LOG-URL PATHS\n";
        return 64;
    }
    try {
        measure(argv);
    } catch (std::exception const& error) {
        std::cerr << "invalidations: " << error.what() << '\n';
        return 1;
    }
}
