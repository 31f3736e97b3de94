#pragma once

#include "db/archive/archive.hpp"
#include "db/schema/layout.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace db {

// What an archive is of, without its rows.
struct ArchiveContents {
    std::string release; // of Strapi: 5.54.0
    Version version = Version::strapi4;
    // Of content types and components, by UID: as their files have them, but with what Strapi and
    // its plugins add.
    std::map<std::string, boost::json::object> schemas;
    std::map<std::string, std::size_t> entries; // by UID
    // Of the CMS's store, the settings that answers depend on, by key: `value` and `type`.
    std::map<std::string, boost::json::object> settings;
    bool has_role_links = false; // permissions name their roles

    // Not a part of one, as `--only-content-types` exports: a site always has roles whose plugins
    // have that type.
    bool is_whole_site() const;
    // What a site always has whose plugins have these types, and the archive has not, since it was
    // exported with --only or --exclude, or is not all of one: `entries of plugin::i18n.locale`.
    // Empty: nothing.
    std::string missing() const;
};

// Called every now and then while an archive is read.
using ReadProgress = std::function<void()>;

// Reads all of it, and finds that it is whole: what is cut off, changed or of something else is an
// error. Whether the values have a place in the tables is not looked at. Leaves the archive at its
// end.
parser::Result<ArchiveContents> read_contents(Archive& archive, ReadProgress const& progress);

// The line as an object; an error of the line, which has nothing of it, if it is none.
parser::Result<boost::json::object> read_object(Archive const& archive);

// `{"type": UID, "id": 7, "data": {...}}`
struct ArchivedEntry {
    std::string type;
    std::uint32_t id = 0;
    boost::json::object data;
};
parser::Result<ArchivedEntry> read_entry(Archive const& archive);

// `{"kind": …, "left": {"type", "field", "ref", "pos"}, "right": {…}}`: a pair as its owner, the
// left one, has it. A `pos` that is absent is 0, since they begin with 1.
struct ArchivedLink {
    struct End {
        std::string type;
        std::string field;
        std::uint32_t id = 0; // 0: `ref` is no id but that of a document
        double position = 0;
        bool has_position = false;
    };
    End left;
    End right;
};
parser::Result<ArchivedLink> read_link(Archive const& archive);

} // namespace db
