#include "db/cms/new_row.hpp"

#include "db/schema/schema.hpp"

namespace db {

NewRow::NewRow(std::string_view table, bool has_documents, std::string_view document_id) {
    (sql_ << "INSERT INTO ").name(table)
        << " SET `created_at` = UTC_TIMESTAMP(3), `updated_at` = UTC_TIMESTAMP(3)";
    if (!has_documents) return;
    sql_ << ", `published_at` = UTC_TIMESTAMP(3)";
    set(document_column, document_id);
}

NewRow& NewRow::set(std::string_view column, std::string_view value) {
    ((sql_ << ", ").name(column) << " = ").text(value);
    return *this;
}

} // namespace db
