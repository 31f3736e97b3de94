#include "db/schema/columns.hpp"

#include "db/schema/schema.hpp"

#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>
#include <cstddef>

namespace db {

namespace {

constexpr std::string_view sets_of_basic_plane[] = {
    "utf8", // what MariaDB before 10.6 and MySQL before 8.0.28 call it
    "utf8mb3",
    "ucs2",
};

// The first byte of a character beyond the basic plane.
constexpr unsigned char beyond_basic_plane = 0xF0;

// The characters from 0x80 to 0x9F.
constexpr std::string_view of_windows_1252 =
    "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ";

std::size_t size_of(unsigned char first_byte) {
    if (first_byte < 0x80) return 1;
    if (first_byte < 0xE0) return 2;
    return first_byte < beyond_basic_plane ? 3 : 4;
}

// UTF-8 sorts as the characters do.
bool is_latin1(std::string_view character) {
    return character < "\u0080" || (character >= "\u00A0" && character <= "\u00FF") ||
           of_windows_1252.find(character) != std::string_view::npos;
}

bool is_latin1_text(std::string_view utf8) {
    while (!utf8.empty()) {
        auto const size = std::min(size_of(static_cast<unsigned char>(utf8[0])), utf8.size());
        if (!is_latin1(utf8.substr(0, size))) return false;
        utf8.remove_prefix(size);
    }
    return true;
}

} // namespace

Repertoire repertoire_of(std::string_view character_set) {
    if (character_set == "latin1") return Repertoire::latin1;
    bool const is_narrow = std::ranges::count(sets_of_basic_plane, character_set) > 0;
    return is_narrow ? Repertoire::basic_plane : Repertoire::unicode;
}

bool holds(Repertoire repertoire, std::string_view utf8) {
    switch (repertoire) {
    case Repertoire::basic_plane:
        return std::ranges::none_of(utf8,
                                    [](unsigned char byte) { return byte >= beyond_basic_plane; });
    case Repertoire::latin1:
        return is_latin1_text(utf8);
    case Repertoire::unicode:
        break;
    }
    return true;
}

namespace {

using Columns = std::vector<TableColumn>;

bool has_column(Columns const& columns, std::string_view name) {
    return std::ranges::find(columns, name, &TableColumn::name) != columns.end();
}

Columns const* find_table(TableColumns const& tables, std::string const& name) {
    auto found = tables.find(name);
    // With lower_case_table_names=1 the server knows every table by its lower-case name.
    if (found == tables.end())
        found = tables.find(boost::to_lower_copy(name, std::locale::classic()));
    return found == tables.end() ? nullptr : &found->second;
}

// A column that an attribute needs in the database.
struct Need {
    std::string table;
    std::string column;
};

std::vector<Need> needs(ContentType const& type, Attribute const& attribute) {
    if (attribute.is_scalar()) return {{type.table, attribute.column}};
    auto const& link = attribute.link;
    std::vector<Need> all;
    for (auto const& column : {link.parent_column, link.target_column, link.order_column,
                               link.field_column, link.parent_type_column, link.target_type_column})
        if (!column.empty()) all.push_back({link.table, column});
    return all;
}

class Fit {
  public:
    Fit(Schema& schema, TableColumns const& tables) : schema_(schema), tables_(tables) {}

    void run() {
        for (auto& [uid, type] : schema_.types)
            find_missing(*type);
        for (auto& [uid, type] : schema_.types) {
            take_out_lost(*type);
            know_columns(*type);
        }
        schema_.missing.assign(missing_.begin(), missing_.end());
    }

  private:
    bool has(Need const& need) const {
        auto const* columns = find_table(tables_, need.table);
        return columns && has_column(*columns, need.column);
    }

    bool has_all(ContentType const& type, Attribute const& attribute) const {
        return std::ranges::all_of(needs(type, attribute),
                                   [this](Need const& need) { return has(need); });
    }

    void report(ContentType const& type, Need const& need, std::string const& attribute) {
        if (has(need)) return;
        std::string const table = "table `" + need.table + "`";
        if (find_table(tables_, need.table))
            missing_.insert({table + " has no column `" + need.column + "`; attribute " +
                                 attribute + " of " + type.uid + " needs it",
                             {}});
        else
            missing_.insert({table + " does not exist; " + type.uid + " needs it", need.table});
    }

    void find_missing(ContentType& type) {
        Need const id{type.table, "id"};
        report(type, id, "id");
        bool is_whole = has(id);
        for (Attribute const& attribute : type.attributes) {
            for (Need const& need : needs(type, attribute))
                if (!attribute.may_be_missing) report(type, need, attribute.name);
            // Without these a draft would look published, and a locale like any other.
            if (attribute.name == "publishedAt" || attribute.name == "locale")
                is_whole = is_whole && has_all(type, attribute);
        }
        if (is_whole) return;
        lost_types_.insert(&type);
        type.not_served = "the database lacks table `" + type.table + "` or a column of it";
    }

    bool lost(ContentType const* type) const { return lost_types_.contains(type); }

    // The attributes of a lost type stay, so that its needs can be reported.
    void take_out_lost(ContentType& type) const {
        if (lost(&type)) return;
        std::erase_if(type.attributes, [&](Attribute const& attribute) {
            return lost(attribute.target) || !has_all(type, attribute);
        });
        for (Attribute& attribute : type.attributes)
            std::erase_if(attribute.targets, [&](auto* target) { return lost(target); });
    }

    void know_columns(ContentType& type) {
        auto const* columns = find_table(tables_, type.table);
        if (!columns) return;
        type.column_order.clear();
        for (TableColumn const& column : *columns) {
            auto const* known = type.find_by_column(column.name);
            if (!known) continue;
            auto const index = static_cast<std::size_t>(known - type.attributes.data());
            type.column_order.push_back(index);
            know_column(type.attributes[index], column);
        }
    }

    void know_column(Attribute& attribute, TableColumn const& column) {
        attribute.repertoire = repertoire_of(column.character_set);
        schema_.has_narrow_columns |= attribute.repertoire != Repertoire::unicode;
        if (!column.type.empty()) attribute.is_tinyint = column.type.starts_with("tinyint(1)");
    }

    Schema& schema_;
    TableColumns const& tables_;
    std::set<MissingStorage> missing_;
    std::set<ContentType const*> lost_types_;
};

} // namespace

std::optional<Version> database_version(TableColumns const& tables) {
    auto const* users = find_table(tables, "up_users");
    if (!users) return std::nullopt;
    return has_column(*users, document_column) ? Version::strapi5 : Version::strapi4;
}

std::optional<std::string> too_old(TableColumns const& tables) {
    Cms const& cms = cms_of(database_version(tables).value_or(Version::strapi4));
    std::string const table = cms.accounts.permission_role;
    auto const* columns = find_table(tables, table);
    if (!columns || has_column(*columns, cms.accounts.permission_order)) return std::nullopt;
    return '`' + table + "` has no column `" + cms.accounts.permission_order +
           "`: the tables were made by a release of Strapi that does not store the order of "
           "relations";
}

void read_columns(Schema& schema, TableColumns const& tables) {
    Fit(schema, tables).run();
}

} // namespace db
