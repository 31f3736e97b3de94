#pragma once

#include "db/mysql/sql_text.hpp"
#include "db/schema/schema.hpp"

#include <set>
#include <string>
#include <string_view>

namespace fuzz {

// The SQL of a plan may be made of these: the words that our statements use, names of the schema in
// back-ticks, numbers, and texts in hexadecimal digits. Nothing that a client wrote is any of it.
class SqlTokens {
  public:
    explicit SqlTokens(db::Schema const& schema);

    // Aborts at any other token.
    void expect_safe(db::SqlText const& sql) const;

  private:
    std::set<std::string, std::less<>> names_;
};

// The tables that a statement names behind FROM and JOIN.
std::set<std::string_view> tables_read(std::string_view sql);

} // namespace fuzz
