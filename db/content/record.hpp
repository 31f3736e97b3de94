#pragma once

#include "db/mysql/sql_text.hpp"
#include "db/schema/schema.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace db {

inline bool is_component(ContentType const& type) {
    return type.kind == ContentType::Kind::component;
}

// Returns whether the attribute holds components, which an entry owns in tables of their own.
inline bool is_part(Attribute const& attribute) {
    return attribute.type == AttributeType::component ||
           attribute.type == AttributeType::dynamic_zone;
}

// Returns the link that all components of a type's entries share; null if the type has none.
Link const* parts_of(ContentType const& type);

// Returns whether the attribute holds a credential: the hash of a password, or a user's token to
// reset the password or to confirm the address. A line without it leaves the stored value as it is.
bool is_credential(ContentType const& type, Attribute const& attribute);

// An entry of an import, or a component of one: JSON, checked against the schema. Everything in a
// Record has a place in the tables. Whether the entries that it refers to exist is checked later.
struct Record {
    struct EntryReference {
        ContentType const* type = nullptr;
        std::uint64_t id = 0;
        std::string document = {}; // instead of an id; else empty
        std::string field = {};    // for a polymorphic target: its attribute on the other side

        bool is_named() const { return type && (id > 0 || !document.empty()); }
        // Returns the id or documentId, as in the JSON.
        std::string name() const { return document.empty() ? std::to_string(id) : document; }
    };
    // The targets of a relation or media attribute in their order, if the JSON names the attribute.
    struct Links {
        std::size_t attribute = 0; // index
        std::vector<EntryReference> targets;
    };
    // The components of an attribute, if the JSON names it.
    struct Parts {
        std::size_t attribute = 0;
        std::vector<Record> records;
    };

    // What the JSON says about the document of which an entry is a row, for types with documents.
    struct Document {
        std::string id = {}; // empty: not given
        bool is_none = false;
        std::optional<std::string> locale = {};
        bool has_status = false; // publishedAt is given
        bool is_published = false;
        std::vector<std::uint64_t> localizations = {};
    };
    // Which row of its document an entry is; a component has the standing of its entry. Relations
    // to other documents depend on it.
    struct Standing {
        bool has_status = false; // is a draft or published; else it is both
        bool is_draft = false;
        bool is_whole = false; // the JSON stands for its draft as well
        bool is_localized = false;
        std::string locale = {};
    };

    ContentType const* type = nullptr;
    std::uint64_t id = 0; // 0: not given
    Document document;
    Standing standing;
    std::vector<SqlText> values; // literals, by index of the attribute; empty: not given
    std::vector<Links> links;
    std::vector<Parts> parts;

    Attribute const& attribute(std::size_t index) const { return type->attributes[index]; }
};

// Returns the type of a component of the attribute; in a zone `__component` names it. Null if it is
// none that the attribute allows.
ContentType const* component_of(Attribute const& attribute, boost::json::object const& object);

// Reads `{"id": 7, "title": "…", "tags": [1, 2], "related": {"__type": "…", "id": 3}, …}`. A
// documentId may replace the id of another entry. Components are objects, those of a zone with
// `__component`; their `id` may be left out. Appends what is wrong to `problems`, each with its
// attribute (`sections[2].width`) and what was expected; the record may lack it.
Record read_record(Schema const& schema, ContentType const& type, boost::json::object const& object,
                   std::vector<std::string>& problems);

} // namespace db
