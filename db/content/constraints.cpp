#include "db/content/constraints.hpp"

#include "db/content/record.hpp"
#include "parser/base/javascript.hpp"

#include <boost/json.hpp>
#include <boost/regex/pending/unicode_iterator.hpp>

#include <algorithm>
#include <cmath>

namespace db {

namespace {

namespace json = boost::json;

// Converts to UTF-16, which JavaScript counts and matches: one wide character for each unit.
std::wstring utf16(std::string_view utf8) {
    using ToPoints = boost::u8_to_u32_iterator<std::string_view::iterator>;
    using ToUnits = boost::u32_to_u16_iterator<ToPoints>;
    ToPoints const begin(utf8.begin(), utf8.begin(), utf8.end());
    ToPoints const end(utf8.end(), utf8.begin(), utf8.end());
    return {ToUnits(begin), ToUnits(end)};
}

// JavaScript's regular expressions are Perl's except for `\uXXXX`.
std::optional<boost::wregex> compile(std::string const& expression) {
    static boost::wregex const escape(LR"((\\\\)|\\u([0-9A-Fa-f]{4}))");
    auto const perl = boost::regex_replace(utf16(expression), escape, L"(?1\\\\\\\\:\\\\x{$2})",
                                           boost::format_all);
    boost::wregex pattern;
    pattern.assign(perl, boost::regex::perl | boost::regex::no_except);
    if (pattern.status() != 0) return std::nullopt;
    return pattern;
}

bool flag(json::object const& declared, std::string_view name) {
    auto const* value = declared.if_contains(name);
    return value && value->is_bool() && value->get_bool();
}

std::optional<double> number(json::object const& declared, std::string_view name) {
    auto const* value = declared.if_contains(name);
    if (!value || !value->is_number()) return std::nullopt;
    return value->to_number<double>();
}

// 0 sets no limit.
std::optional<std::uint64_t> length(json::object const& declared, std::string_view name) {
    auto const value = number(declared, name);
    if (!value || *value < 1 || std::trunc(*value) != *value) return std::nullopt;
    return static_cast<std::uint64_t>(*value);
}

std::string written(double number) {
    std::string text;
    parser::append_number(text, number);
    return text;
}

// Selects each row that has the value of one with a lower id: its id, the other's id, the value.
SqlText select_repetitions(ContentType const& type, Attribute const& attribute,
                           EntryRules const& rules) {
    bool const is_by_row = !rules.published_are_unique;
    bool const is_by_locale = !is_by_row && type.localized;
    SqlText condition;
    condition.name(attribute.column) << " IS NOT NULL";
    if (!is_by_row && type.draft_and_publish) condition << " AND `published_at` IS NOT NULL";
    if (!is_by_row && attribute.scalar() == ScalarClass::text)
        (condition << " AND ").name(attribute.column) << " <> ''";

    SqlText sql;
    (sql << "SELECT r.`id`, f.`first`, r.").name(attribute.column) << " FROM (SELECT * FROM ";
    sql.name(type.table) << " WHERE " << condition << ") r JOIN (SELECT MIN(`id`) AS `first`, ";
    sql.name(attribute.column) << " AS `value`";
    if (is_by_locale) sql << ", `locale`";
    (sql << " FROM ").name(type.table) << " WHERE " << condition << " GROUP BY ";
    sql.name(attribute.column);
    if (is_by_locale) sql << ", `locale`";
    (sql << " HAVING COUNT(*) > 1) f ON r.").name(attribute.column) << " = f.`value`";
    if (is_by_locale) sql << " AND r.`locale` <=> f.`locale`";
    return sql << " WHERE r.`id` <> f.`first` ORDER BY r.`id`";
}

} // namespace

Constraints::Rule Constraints::rule_of(json::object const& declared, AttributeType type) {
    Rule rule;
    rule.is_required = flag(declared, "required");
    rule.is_unique = flag(declared, "unique") || type == AttributeType::uid;
    rule.min = number(declared, "min");
    rule.max = number(declared, "max");
    if (type == AttributeType::integer) { // Strapi's toInteger
        if (rule.min) rule.min = std::trunc(*rule.min);
        if (rule.max) rule.max = std::trunc(*rule.max);
    }
    rule.min_length = length(declared, "minLength");
    rule.max_length = length(declared, "maxLength");
    if (auto const* regex = declared.if_contains("regex"); regex && regex->is_string()) {
        rule.regex = regex->get_string();
        rule.pattern = compile(rule.regex);
    }
    return rule;
}

Constraints::Constraints(Schema const& schema) : entry_rules_(schema.cms.entries) {
    for (auto const& [uid, type] : schema.types) {
        if (type->declared.empty() || uid.starts_with("plugin::")) continue;
        auto const file = json::parse(type->declared);
        auto const* attributes = file.as_object().if_contains("attributes");
        if (!attributes || !attributes->is_object()) continue;
        for (auto const& [name, declared] : attributes->get_object())
            if (auto const* attribute = type->find(name); attribute && declared.is_object())
                rules_[type.get()][name] = rule_of(declared.get_object(), attribute->type);
    }
}

std::vector<Attribute const*> Constraints::unique(ContentType const& type) const {
    std::vector<Attribute const*> attributes;
    auto const found = rules_.find(&type);
    if (found == rules_.end() || (is_component(type) && entry_rules_.published_are_unique))
        return attributes;
    for (auto const& [name, rule] : found->second)
        if (auto const* attribute = type.find(name); rule.is_unique && attribute->is_scalar())
            attributes.push_back(attribute);
    return attributes;
}

// Checks one entry.
class Constraints::Check {
  public:
    Check(Constraints const& constraints, bool is_draft, std::vector<std::string>& problems)
        : constraints_(constraints),
          is_draft_(is_draft),
          is_free_(is_draft && constraints.entry_rules_.drafts_are_free),
          problems_(problems) {}

    void object(ContentType const& type, json::object const& object, std::string const& place) {
        static Rules const none;
        auto const found = constraints_.rules_.find(&type);
        auto const& rules = found == constraints_.rules_.end() ? none : found->second;
        for (auto const& attribute : type.attributes) {
            auto const rule = rules.find(attribute.name);
            bool const is_relation =
                attribute.is_relation() || attribute.type == AttributeType::media;
            if (rule == rules.end() || is_relation) continue;
            auto const* value = object.if_contains(attribute.name);
            auto const at = place + attribute.name;
            if (attribute.many)
                list(attribute, rule->second, value, at);
            else if (value && !value->is_null())
                item(attribute, rule->second, *value, at);
            else if (rule->second.is_required && !is_draft_ && !is_left_out(type, attribute, value))
                expected(at, "a value");
        }
    }

  private:
    // A folder may leave out credentials.
    static bool is_left_out(ContentType const& type, Attribute const& attribute,
                            json::value const* value) {
        return !value && is_credential(type, attribute);
    }

    void expected(std::string const& place, std::string const& what) {
        problems_.push_back(parser::invalid_value(place, what).message);
    }
    void expected(std::string const& place, std::string const& what, json::value const& value) {
        problems_.push_back(parser::invalid_value(place, what, json::serialize(value)).message);
    }

    // Checks a list of components. null and a missing value count as an empty list.
    void list(Attribute const& attribute, Rule const& rule, json::value const* value,
              std::string const& place) {
        static json::array const none;
        auto const& items = value && value->is_array() ? value->get_array() : none;
        auto const size = static_cast<double>(items.size());
        bool const has_least = rule.min && (rule.is_required || !items.empty());
        if (has_least && size < *rule.min && !is_free_)
            expected(place,
                     "at least " + written(*rule.min) + " components, found " + written(size));
        if (rule.max && size > *rule.max && !is_free_)
            expected(place,
                     "at most " + written(*rule.max) + " components, found " + written(size));
        for (std::size_t i = 0; i < items.size(); ++i)
            component(attribute, items[i], place + '[' + std::to_string(i) + "].");
    }

    void component(Attribute const& attribute, json::value const& value, std::string const& place) {
        if (!value.is_object()) return;
        if (auto const* type = component_of(attribute, value.get_object()))
            object(*type, value.get_object(), place);
    }

    void item(Attribute const& attribute, Rule const& rule, json::value const& value,
              std::string const& place) {
        if (attribute.type == AttributeType::component)
            return component(attribute, value, place + '.');
        if (attribute.type == AttributeType::password) return; // the rules are for the plain text
        if (value.is_string() && attribute.scalar() == ScalarClass::text)
            return text(rule, value, place);
        bool const is_number =
            attribute.scalar() == ScalarClass::integer || attribute.scalar() == ScalarClass::number;
        if (!value.is_number() || !is_number) return;
        double const number = value.to_number<double>();
        if (rule.min && number < *rule.min && !is_free_)
            expected(place, "at least " + written(*rule.min), value);
        if (rule.max && number > *rule.max) expected(place, "at most " + written(*rule.max), value);
    }

    void text(Rule const& rule, json::value const& value, std::string const& place) {
        if (!rule.min_length && !rule.max_length && rule.regex.empty()) return;
        auto const units = utf16(value.get_string());
        if (rule.min_length && units.size() < *rule.min_length && !is_draft_)
            expected(place, "at least " + std::to_string(*rule.min_length) + " characters", value);
        if (rule.max_length && units.size() > *rule.max_length)
            expected(place, "at most " + std::to_string(*rule.max_length) + " characters", value);
        bool const is_exempt = is_free_ || (units.empty() && !rule.is_required);
        if (!rule.regex.empty() && !is_exempt && !matches(rule, units))
            expected(place, "a text that matches " + rule.regex, value);
    }

    // Nothing matches an expression that only JavaScript understands, or one whose search does not
    // end.
    static bool matches(Rule const& rule, std::wstring const& units) {
        try {
            return rule.pattern && boost::regex_search(units, *rule.pattern);
        } catch (std::runtime_error const&) {
            return false;
        }
    }

    Constraints const& constraints_;
    bool is_draft_;
    bool is_free_; // exempt from what 5.54 does not check in drafts
    std::vector<std::string>& problems_;
};

void Constraints::check(ContentType const& type, json::object const& object,
                        std::vector<std::string>& problems) const {
    auto const* published = object.if_contains("publishedAt");
    bool const is_null = published && published->is_null();
    bool const is_left_out = !published && entry_rules_.is_draft_by_default;
    bool const is_draft = type.draft_and_publish && (is_null || is_left_out);
    Check(*this, is_draft, problems).object(type, object, "");
}

void Uniqueness::take(ContentType const& type, std::uint64_t id, FilePlace const& place) {
    auto const [found, is_new] = types_.try_emplace(&type);
    auto& [attributes, places] = found->second;
    if (is_new) attributes = constraints_.unique(type);
    if (attributes.empty()) return;
    auto file = std::ranges::find(files_, place.file);
    if (file == files_.end()) file = files_.insert(file, place.file);
    places.push_back({id, static_cast<std::uint32_t>(file - files_.begin()),
                      static_cast<std::uint32_t>(place.line)});
}

parser::Result<void> Uniqueness::check() {
    for (auto& [type, taken] : types_) {
        std::ranges::stable_sort(taken.places, {}, &Taken::id);
        for (auto const* attribute : taken.attributes)
            if (auto checked = check(*type, taken, *attribute); !checked) return checked;
    }
    return {};
}

Uniqueness::Taken const* Uniqueness::find(TakenRows const& rows, std::uint64_t id) {
    auto const found = std::ranges::lower_bound(rows.places, id, {}, &Taken::id);
    return found == rows.places.end() || found->id != id ? nullptr : &*found;
}

parser::Result<void> Uniqueness::check(ContentType const& type, TakenRows const& taken,
                                       Attribute const& attribute) {
    auto rows = connection_.query(select_repetitions(type, attribute, constraints_.entry_rules()));
    if (!rows) return rows.error();
    while (rows->next()) {
        auto const id = rows->id(0);
        auto const first = rows->id(1);
        auto const* own = find(taken, id);
        auto const* place = own ? own : find(taken, first);
        if (!place) continue;
        auto const other = place == own ? first : id;
        errors_.add(
            {files_[place->file], place->line},
            parser::invalid_value(attribute.name, "a value of its own", rows->text(2)).message +
                ", which " + type.uid + ' ' + std::to_string(other) + " has");
    }
    return {};
}

} // namespace db
