#pragma once

#include "db/content/content_errors.hpp"
#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <boost/json/object.hpp>
#include <boost/regex.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace db {

// Checks what the schema files of the project's own types require of a value beside its type:
// `required`, `min`, `max`, `minLength`, `maxLength`, `regex`, `unique`. Strapi checks the same
// when it writes an entry. In a draft 4.26 checks neither `required` nor `minLength`; 5.54 also
// skips `min`, `regex`, `unique` and the number of components. Lengths are counted in UTF-16.
// Relations and media are not checked, since either side may name them.
class Constraints {
  public:
    explicit Constraints(Schema const& schema);

    // Checks an entry and its components. Values of the wrong type are skipped. Appends what is
    // wrong to `problems`, each with its attribute.
    void check(ContentType const& type, boost::json::object const& object,
               std::vector<std::string>& problems) const;
    // Returns the attributes of which no two rows may have the same value. 5.54 compares those of
    // components within one entry and entries like it; these are not included.
    std::vector<Attribute const*> unique(ContentType const& type) const;
    EntryRules const& entry_rules() const { return entry_rules_; }

  private:
    struct Rule {
        bool is_required = false;
        bool is_unique = false;
        std::optional<double> min; // of a number, or of the number of components
        std::optional<double> max;
        std::optional<std::uint64_t> min_length;
        std::optional<std::uint64_t> max_length;
        std::string regex; // as in the schema file
        std::optional<boost::wregex> pattern;
    };
    using Rules = std::map<std::string, Rule, std::less<>>;
    class Check;

    static Rule rule_of(boost::json::object const& declared, AttributeType type);

    EntryRules const& entry_rules_;
    std::map<ContentType const*, Rules> rules_;
};

// Checks that no two rows have the same value in a `unique` attribute, by the collation of its
// column. Strapi 4.26 compares all rows; 5.54 compares published rows, each locale for itself.
class Uniqueness {
  public:
    Uniqueness(Connection& connection, Constraints const& constraints, ContentErrors& errors)
        : connection_(connection), constraints_(constraints), errors_(errors) {}

    // Adds a row that will be there by the time of check().
    void take(ContentType const& type, std::uint64_t id, FilePlace const& place);
    // A conflict is reported only if one of its rows was taken.
    parser::Result<void> check();

  private:
    // Takes 16 bytes for each row, of which there may be millions.
    struct Taken {
        std::uint64_t id = 0;
        std::uint32_t file = 0; // index into files_
        std::uint32_t line = 0;
    };
    struct TakenRows {
        std::vector<Attribute const*> attributes;
        std::vector<Taken> places; // check() sorts them by id; of equal ids the first counts
    };
    static Taken const* find(TakenRows const& rows, std::uint64_t id);
    parser::Result<void> check(ContentType const& type, TakenRows const& taken,
                               Attribute const& attribute);

    Connection& connection_;
    Constraints const& constraints_;
    ContentErrors& errors_;
    std::vector<std::string> files_;
    std::map<ContentType const*, TakenRows> types_;
};

} // namespace db
