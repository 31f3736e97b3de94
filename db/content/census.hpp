#pragma once

#include "db/content/constraints.hpp"
#include "db/content/content_errors.hpp"
#include "db/content/deletion.hpp"
#include "db/content/folder.hpp"
#include "db/content/record.hpp"
#include "db/mysql/connection.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace db {

// Assigns the rows of one type, of the folder and of the database, to documents. Call take() for
// all rows first, then found(), then settle(), then the rest.
//
// Entries that are localizations of each other belong to one document. Its id is the one that the
// folder names, else the one that the database has, else one made from the lowest id. A published
// entry is two rows, as in the CMS. If the folder does not have the draft as an entry of its own,
// the draft gets the same content, and keeps the id of the one that the database has.
class DocumentRows {
  public:
    struct DocumentRow {
        std::string document; // empty: none
        std::string locale;   // empty: none
        bool is_draft = false;
        std::uint64_t draft = 0; // the id of its draft, if the folder does not have that; or 0
        std::uint64_t entry = 0; // the lowest id of the document
        FilePlace place;         // in the folder; no file: not in the folder
        bool is_given = false;   // the folder names its document, or says that there is none
        bool has_locale = false; // the folder or the database says its locale
        bool has_status = false; // likewise, whether it is a draft
        std::vector<std::uint64_t> localizations; // as in the folder
    };

    // Adds an entry of the folder.
    void take(std::uint64_t id, ContentType const& type, Record::Document const& said,
              FilePlace const& place);
    // Adds a row of the database. If `is_to_go`, it stays only as an entry of the folder or as the
    // draft of one.
    void found(std::uint64_t id, ContentType const& type, std::string_view document,
               std::string_view locale, bool has_no_time, bool is_to_go);
    void settle(ContentType const& type, std::string const& default_locale, ContentErrors& errors);

    // Returns null if there is none.
    DocumentRow const* find(std::uint64_t id) const;
    // Returns all rows of a document, published ones first; empty if there is none.
    std::vector<std::uint64_t> rows_of(std::string const& document) const;
    // Returns the rows that a relation of `from` links if the folder names `target`, which must be
    // known.
    std::vector<std::uint64_t> rows_for(Record::EntryReference const& target,
                                        Record::Standing const& from,
                                        std::string const& default_locale) const;

  private:
    using Key = std::tuple<std::string, std::string, bool>; // document, locale, whether published

    std::vector<std::uint64_t> rows_for_entry(Record::EntryReference const& target,
                                              Record::Standing const& from) const;
    std::uint64_t first_of(std::uint64_t id);
    void join_localizations(ContentErrors& errors);
    void name_documents(ContentType const& type, ContentErrors& errors);
    void tell_apart(ContentType const& type, ContentErrors& errors);
    void add_drafts();

    std::map<std::uint64_t, DocumentRow> rows_;
    std::map<std::uint64_t, std::uint64_t> joined_; // to a lower id of the same document
    std::map<Key, std::uint64_t> keys_;
    std::map<Key, std::uint64_t> to_go_; // drafts of the database
    std::uint64_t last_ = 0;             // the highest id
};

// Knows which ids there are, in the folder and in the database, where those of the types that the
// folder names are replaced. Call take() for each file first, then read_existing(), then settle(),
// then the rest.
class Census {
  public:
    Census(Schema const& schema, Constraints const& constraints, ContentErrors& errors)
        : schema_(schema), constraints_(constraints), errors_(errors) {}

    // Checks every line of a file.
    void take(ContentFile& file);
    // Reads the ids of the types that the folder names or refers to, and of their components.
    parser::Result<void> read_existing(Connection& connection);
    // Finds the document of each row. `default_locale` is for entries that name none.
    void settle(std::string const& default_locale);

    // Returns whether the entry is the one in this line, and not a repetition of its id.
    bool is_at(ContentType const& type, std::uint64_t id, std::size_t line) const;
    // Returns whether a line of the type could not be read. That line may hold any entry.
    bool has_gaps(ContentType const& type) const;

    ReplacedTypes replaced() const;
    // The lines of a type that is replaced, by id.
    std::unordered_map<std::uint64_t, std::size_t> const& lines(ContentType const& type) const {
        return types_.at(&type).lines;
    }
    // Returns the id of the draft for which the line of this entry stands as well; 0 if there is
    // none.
    std::uint64_t draft_of(ContentType const& type, std::uint64_t id) const;

    // Returns whether the database has the entry.
    bool existed(ContentType const& type, std::uint64_t id) const;
    // Returns whether the entry will be there.
    bool is_known(ContentType const& type, std::uint64_t id) const;
    // The type must have documents, and the folder must name it.
    DocumentRows const& documents(ContentType const& type) const {
        return types_.at(&type).documents;
    }
    // Gives ids to the components that have none: those of the components in the same places, so
    // that these stay, or else new ones.
    void number_parts(Record& record);

  private:
    struct TypeIds {
        std::unordered_map<std::uint64_t, std::size_t> lines; // line in the folder, by id
        std::unordered_set<std::uint64_t> existing;           // in the database
        DocumentRows documents;                               // empty if the type has none
        // Components in the database, by id of the row and field, in their order.
        std::map<std::pair<std::uint64_t, std::string>,
                 std::vector<std::pair<ContentType const*, std::uint64_t>>>
            parts;
        std::uint64_t last = 0; // the highest id; used for components
        bool has_gaps = false;
        bool is_replaced = false;
    };

    TypeIds const& find(ContentType const& type) const;
    void count(Record const& record, FilePlace const& place);
    parser::Result<void> read_rows(Connection& connection, ContentType const& type, TypeIds& ids);
    parser::Result<void> read_parts(Connection& connection, ContentType const& type, TypeIds& ids);

    Schema const& schema_;
    Constraints const& constraints_;
    ContentErrors& errors_;
    std::map<ContentType const*, TypeIds> types_;
};

} // namespace db
