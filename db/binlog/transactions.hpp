#pragma once

#include "db/binlog/change_log.hpp"
#include "db/binlog/opening.hpp"
#include "db/binlog/position.hpp"
#include "db/binlog/row_changes.hpp"
#include "db/mysql/wire.hpp"
#include "parser/base/error.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

// Reads the binlog transaction by transaction, for one who tells others what has changed. What it
// reads begins at any place where an earlier reader ended, so that nothing is left out however
// often the program ends, or the connection does.

namespace db {

struct Transaction {
    std::vector<ChangeLog::Table const*> tables; // that changed
    std::vector<RowTag> tags;                    // that were changed, each once
    std::vector<ListedRow> rows;
    bool rows_of_all = false; // rows of any table may have changed
    bool structure = false;   // so may have tables and columns
    Position end = 0;         // the next one begins here
};

// One thread uses it, but for interrupt().
class TransactionReader {
  public:
    using Clock = Wire::Clock;

    explicit TransactionReader(ChangeLog::Settings settings);
    ~TransactionReader();

    // These are as those of a ChangeLog. Only changes of tables that were asked for are read.
    ChangeLog::Table const* table(std::string_view name, std::string_view database = {});
    bool tell_apart(ChangeLog::Table const* table, std::size_t column, std::size_t columns);
    // Lists the rows of these tables, and of no others, from now on.
    void list_none();
    void list(ChangeLog::Table const* table, ListedColumns columns);

    // Begins to read at `from`; without it, or if the log there is gone, where the log ends. Fails
    // with `unreachable` if it may be worth another attempt, and with `configuration` if somebody
    // has to do something first; the message says what.
    struct Begun {
        std::string server; // `MariaDB 10.11.19`
        std::string gap;    // why it is not `from` where it begins; empty: it is
    };
    parser::Result<Begun> begin(DatabaseUrl const& url, std::optional<LogPlace> from);

    // Returns the next transaction; none if there is none by that time, or soon after: the server
    // sends something once in a heartbeat. After an error, begin() is to be called again.
    parser::Result<std::optional<Transaction>> next(Clock::time_point by);
    // Where to begin again after all that was returned. None: where the log ends, since what comes
    // next cannot be read.
    std::optional<LogPlace> const& place() const { return place_; }

    // Ends what is waited for; nothing can be read any more. Any thread.
    void interrupt() { interrupter_.interrupt(); }

  private:
    struct Stream;
    bool open(Stream& stream, DatabaseUrl const& url, std::optional<LogPlace> const& from);
    std::optional<parser::Error> take(std::string_view packet);
    Transaction taken();
    parser::Error lost();

    ChangeLog::Settings const settings_;
    Interrupter interrupter_;
    Journal journal_;
    std::unique_ptr<LastChanges> const changes_;
    ChangeLogUsage usage_;
    std::unique_ptr<Stream> stream_; // null: begin() is to be called
    std::optional<LogPlace> place_;
};

} // namespace db
