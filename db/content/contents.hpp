#pragma once

#include "db/content/archive.hpp"
#include "db/schema/cms.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace db {

// What an archive contains, without its rows.
struct ArchiveContents {
    std::string release; // of Strapi: 5.54.0
    Version version = Version::strapi4;
    // Schemas of content types and components by UID, as in their files, but with what Strapi and
    // its plugins add.
    std::map<std::string, boost::json::object> schemas;
    std::map<std::string, std::size_t> entries; // by UID
    // The settings in the CMS's store that responses depend on, by key: `value` and `type`.
    std::map<std::string, boost::json::object> settings;
    bool has_role_links = false; // permissions name their roles

    // Returns false if it is a part of a site, as `--only-content-types` exports it: a site always
    // has roles if its plugins have that type.
    bool is_whole_site() const;
    // Returns what a site always has if its plugins have these types, but the archive lacks, since
    // it was exported with --only or --exclude, or is incomplete: `entries of plugin::i18n.locale`.
    // Empty if it lacks nothing.
    std::string missing() const;
};

// Returns whether rows of the type are exported; those of the admin panel and releases never are.
bool is_exported(std::string_view uid);

// Reads all of it, and checks that it is complete: an archive that is cut off, changed or something
// else is an error. Whether its values fit the tables is not checked. Leaves the archive at its
// end. Calls `progress` every now and then.
parser::Result<ArchiveContents> read_contents(Archive& archive,
                                              std::function<void()> const& progress);

// Returns the line as an object. If it is none, the error names the line and shows nothing of it.
parser::Result<boost::json::object> read_object(Archive const& archive);

// `{"type": UID, "id": 7, "data": {...}}`
struct ArchivedEntry {
    std::string type;
    std::uint32_t id = 0;
    boost::json::object data;
};
parser::Result<ArchivedEntry> read_entry(Archive const& archive);

// A pair as its owner, the left one, has it: `{"kind": …, "left": {"type", "field", "ref", "pos"},
// "right": {…}}`.
struct ArchivedLink {
    struct End {
        std::string type;
        std::string field;
        std::uint32_t id = 0; // 0: `ref` is a documentId, not an id
        std::optional<double> position = {};
    };
    End left;
    End right;
};
parser::Result<ArchivedLink> read_link(Archive const& archive);

} // namespace db
