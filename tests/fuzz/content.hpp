#pragma once

#include "db/mysql/connection.hpp"
#include "db/plan/read_plan.hpp"
#include "db/read/result_tree.hpp"
#include "db/schema/permissions.hpp"
#include "db/schema/schema.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace fuzz {

// All texts that a caller may not see have this in them.
inline constexpr std::string_view hidden_mark = "HIDDEN";

// Marks private and password columns, and the types that may neither be listed nor be read by id.
// `connection` may write.
void mark_hidden(db::Schema const& schema, db::Permissions const& permissions,
                 db::Connection& connection);

// A copy of all tables, and whether a result says what they say.
class Content {
  public:
    explicit Content(db::Connection& connection);

    // Aborts unless each row is there, in the table of its node's type and linked to its parent,
    // with these cells in these columns, none of them hidden, and once per parent. `published`: no
    // row is a draft.
    void expect_true(db::ReadPlan const& plan, db::ResultTree const& result, bool published);

    // Aborts if a table's checksum is another than at first, or a table came or went.
    void expect_unchanged(db::Connection& connection) const;

  private:
    using Cell = std::optional<std::string>;
    using Cells = std::map<std::string, Cell, std::less<>>;         // by column
    using Pair = std::tuple<std::string, std::string, std::string>; // parent, target, target's type

    void expect_true(db::ReadPlan const& plan, db::Node const& node, db::Rows const& rows,
                     bool published);
    void expect_linked(db::ReadPlan const& plan, db::Node const& node, db::Row const& row);
    std::set<Pair> const& pairs_of(db::Link const& link, db::ContentType const* parent,
                                   db::ContentType const* target);

    std::map<std::string, std::vector<Cells>, std::less<>> tables_;
    std::map<std::string, std::map<std::string, Cells const*>, std::less<>> by_id_;
    std::map<db::Link const*, std::set<Pair>> pairs_;
    std::string checksums_;
};

} // namespace fuzz
