#pragma once

#include "db/binlog/row_tag.hpp"
#include "db/binlog/transactions.hpp"
#include "db/mysql/table_relations.hpp"
#include "db/schema/schema.hpp"
#include "fcgi/notify/change_batch.hpp"
#include "fcgi/options/options.hpp"
#include "parser/base/error.hpp"

#include <map>
#include <set>
#include <string>

namespace fcgi::notify {

// Makes of each transaction what targets are told of it, in the names that the server gives to what
// responses depend on.
class Translator {
  public:
    // All of these outlive it.
    Translator(Options const& options, db::TagNames& names, db::TransactionReader& reader)
        : options_(options), names_(names), reader_(reader) {}

    // Reads the schema of the project and how the tables are now, and has the reader tell rows
    // apart by all columns by which the server may do so. What was read last stays on failure.
    parser::Result<void> read();
    // A digest of what read() has found: rows of the log are read by it.
    std::string const& columns() const { return columns_; }

    ChangeBatch batch_of(db::Transaction const& transaction) const;

  private:
    void tell_apart(db::Schema const& schema, db::TableRelations const& relations);
    void find_state(db::Schema const& schema, db::TableRelations const& relations);
    void list_documents(db::Schema const& schema, db::TableRelations const& relations);

    Options const& options_;
    db::TagNames& names_;
    db::TransactionReader& reader_;
    std::string columns_;
    // Of what every response depends on: permissions, locales, settings.
    std::set<db::ChangeLog::Table const*> state_;
    struct Listed {
        std::string type; // UID
        bool has_documents;
    };
    std::map<db::ChangeLog::Table const*, Listed> listed_;
};

} // namespace fcgi::notify
