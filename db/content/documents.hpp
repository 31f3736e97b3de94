#pragma once

#include "db/content/mistakes.hpp"
#include "db/content/record.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace db {

// Assigns the rows of one type, of the folder and of the database, to documents. Call take() for
// all rows first, then found(), then settle(), then the rest.
//
// Entries that are localizations of each other belong to one document. Its id is the one that the
// folder names, else the one that the database has, else one made from the lowest id. A published
// entry is two rows, as in the CMS. If the folder does not have the draft as an entry of its own,
// the draft gets the same content, and keeps the id of the one that the database has.
class Documents {
  public:
    struct Row {
        std::string document; // empty: none
        std::string locale;   // empty: none
        bool is_draft = false;
        std::uint64_t draft = 0; // the id of its draft, if the folder does not have that; or 0
        std::uint64_t entry = 0; // the lowest id of the document
        Origin place;            // in the folder; no file: not in the folder
        bool is_given = false;   // the folder names its document, or says that there is none
        bool has_locale = false; // the folder or the database says its locale
        bool has_status = false; // likewise, whether it is a draft
        std::vector<std::uint64_t> localizations; // as in the folder
    };

    // Adds an entry of the folder.
    void take(std::uint64_t id, ContentType const& type, Record::Document const& said,
              Origin const& place);
    // Adds a row of the database. If `is_to_go`, it stays only as an entry of the folder or as the
    // draft of one.
    void found(std::uint64_t id, ContentType const& type, std::string_view document,
               std::string_view locale, bool has_no_time, bool is_to_go);
    void settle(ContentType const& type, std::string const& default_locale, Mistakes& mistakes);

    // Returns null if there is none.
    Row const* find(std::uint64_t id) const;
    // Returns all rows of a document, published ones first; empty if there is none.
    std::vector<std::uint64_t> rows_of(std::string const& document) const;
    // Returns the rows that a relation of `from` links if the folder names `target`, which must be
    // known.
    std::vector<std::uint64_t> rows_for(Record::Reference const& target,
                                        Record::Standing const& from,
                                        std::string const& default_locale) const;

  private:
    using Key = std::tuple<std::string, std::string, bool>; // document, locale, whether published

    std::vector<std::uint64_t> rows_for_entry(Record::Reference const& target,
                                              Record::Standing const& from) const;
    std::uint64_t first_of(std::uint64_t id);
    void join_localizations(Mistakes& mistakes);
    void name_documents(ContentType const& type, Mistakes& mistakes);
    void tell_apart(ContentType const& type, Mistakes& mistakes);
    void add_drafts();

    std::map<std::uint64_t, Row> rows_;
    std::map<std::uint64_t, std::uint64_t> joined_; // to a lower id of the same document
    std::map<Key, std::uint64_t> keys_;
    std::map<Key, std::uint64_t> to_go_; // drafts of the database
    std::uint64_t last_ = 0;             // the highest id
};

} // namespace db
