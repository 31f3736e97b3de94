#pragma once

#include "db/mysql/sql_text.hpp"

#include <string_view>

namespace db {

// A row of one of the CMS's own types, as Strapi adds it: it is created now and, where types have
// documents, is a published one with a document of its own.
class NewRow {
  public:
    NewRow(std::string_view table, bool has_documents, std::string_view document_id);

    NewRow& set(std::string_view column, std::string_view value);

    SqlText const& sql() const { return sql_; }

  private:
    SqlText sql_;
};

} // namespace db
