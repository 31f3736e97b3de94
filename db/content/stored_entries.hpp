#pragma once

#include "db/content/export.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace db {

// Returns whether entries of the type are written; false for components, which are in others, for
// types with a file of their own (locales.json, access.json), and for tokens and accounts of the
// admin panel.
bool has_lines(ContentType const& type);

// Reads rows as JSON, with the components in them and the ids that they refer to.
class StoredEntries {
  public:
    using Objects = std::map<std::uint64_t, std::string>; // `,"title":"…",…` by id

    // Returns whether relations with the row are read.
    using IsLinked = std::function<bool(ContentType const& type, std::uint64_t id)>;

    StoredEntries(Connection& connection, Schema const& schema, bool with_secrets,
                  LeftBehind const& left_behind, IsLinked is_linked)
        : connection_(connection),
          schema_(schema),
          with_secrets_(with_secrets),
          left_behind_(left_behind),
          is_linked_(std::move(is_linked)) {}

    parser::Result<Objects> read(ContentType const& type);

  private:
    using Lists = std::map<std::uint64_t, std::vector<std::string>>; // by id of the row: its items

    bool is_value(ContentType const& type, Attribute const& attribute) const;
    parser::Result<void> read_values(ContentType const& type, Objects& objects);
    parser::Result<void> read_links(Attribute const& attribute, Objects& objects);
    parser::Result<void> read_parts(ContentType const& type, Attribute const& attribute,
                                    Objects& objects);
    parser::Result<Objects const*> read_components(ContentType const& component);
    parser::Result<bool> exists(std::string_view uid, std::string const& id);
    parser::Result<std::string> document_of(Attribute const& attribute,
                                            std::vector<std::string> const& ids);
    parser::Result<void> add(Attribute const& attribute, Objects& objects, Lists const& lists);

    Connection& connection_;
    Schema const& schema_;
    bool const with_secrets_; // see export_folder()
    LeftBehind const& left_behind_;
    IsLinked is_linked_;
    std::map<ContentType const*, Objects> components_;
    std::map<ContentType const*, std::set<std::string>> ids_;
};

} // namespace db
