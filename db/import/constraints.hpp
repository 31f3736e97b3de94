#pragma once

#include "db/schema/schema.hpp"

#include <boost/json/object.hpp>
#include <boost/regex.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace db {

// What the files of the project's own types ask of a value beside its type: `required`, `min`,
// `max`, `minLength`, `maxLength`, `regex`, `unique`. As Strapi checks it when it writes an entry:
// of a draft 4.26 asks neither for what is required nor for `minLength`; 5.54 nor for `min`,
// `regex`, `unique` and how many components there are. Lengths are of UTF-16. Relations and media
// are left alone, since either side may name them.
class Constraints {
  public:
    explicit Constraints(Schema const& schema);

    // Of an entry, its components included. Values that are not of their type are passed over. Adds
    // what is wrong to `problems`, each with its attribute.
    void check(ContentType const& type, boost::json::object const& object,
               std::vector<std::string>& problems) const;
    // Attributes of which no two rows may have the same value. 5.54 looks at those of components
    // within one entry and its like; these are not among them.
    std::vector<Attribute const*> unique(ContentType const& type) const;
    EntryRules const& entry_rules() const { return entry_rules_; }

  private:
    struct Rule {
        bool is_required = false;
        bool is_unique = false;
        std::optional<double> min; // of a number, or of how many components
        std::optional<double> max;
        std::optional<std::uint64_t> min_length;
        std::optional<std::uint64_t> max_length;
        std::string regex; // as the file has it
        std::optional<boost::wregex> pattern;
    };
    using Rules = std::map<std::string, Rule, std::less<>>;
    class Check;

    static Rule rule_of(boost::json::object const& declared, AttributeType type);

    EntryRules const& entry_rules_;
    std::map<ContentType const*, Rules> rules_;
};

} // namespace db
