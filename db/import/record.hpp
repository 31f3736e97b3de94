#pragma once

#include "db/schema/schema.hpp"
#include "db/sql/sql_text.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace db {

// What an entry has of its own, in tables of their own: components.
inline bool is_part(Attribute const& attribute) {
    return attribute.type == AttributeType::component ||
           attribute.type == AttributeType::dynamic_zone;
}

// What somebody is known by: the hash of a password, and of a user the tokens that were sent to
// reset it and to confirm the address. A line that leaves it out says nothing of it.
bool is_credential(ContentType const& type, Attribute const& attribute);

// An entry of an import, or a component in one: JSON, checked against the schema. All that a Record
// says has a place in the tables; whether the entries exist that it refers to is not known yet.
struct Record {
    struct Reference {
        ContentType const* type = nullptr;
        std::uint64_t id = 0;
        std::string document; // instead of an id; else empty
        std::string field;    // of a polymorphic target: its attribute that is the other side

        bool is_named() const { return type && (id > 0 || !document.empty()); }
        // As the JSON has it.
        std::string name() const { return document.empty() ? std::to_string(id) : document; }
    };
    // The targets of a relation or media attribute in their order, if the JSON names the attribute.
    struct Links {
        std::size_t attribute = 0; // index
        std::vector<Reference> targets;
    };
    // The same of components.
    struct Parts {
        std::size_t attribute = 0;
        std::vector<Record> records;
    };

    // What the JSON says of the document that an entry is a row of, where types have documents.
    struct Document {
        std::string id; // empty: not given
        bool is_none = false;
        std::optional<std::string> locale;
        bool is_published = false;
        std::vector<std::uint64_t> localizations;
    };
    // Which row of its document an entry is, and a component that of its entry: what relations to
    // other documents go by.
    struct Standing {
        bool has_status = false; // a draft or published; else it is both
        bool is_draft = false;
        bool is_whole = false; // the JSON stands for its draft, too
        bool is_localized = false;
        std::string locale;
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

// Reads `{"id": 7, "title": "…", "tags": [1, 2], "related": {"__type": "…", "id": 3}, …}`. A
// documentId may stand for the id of another entry.
// Components are objects, those of a zone with `__component`; their `id` may be left out. What is
// wrong goes to `problems`, each with its attribute (`sections[2].width`) and what was expected;
// the record is as if it were not there.
Record read_record(Schema const& schema, ContentType const& type, boost::json::object const& object,
                   std::vector<std::string>& problems);

} // namespace db
