#include "db/import/record.hpp"

#include "db/import/value.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <optional>

namespace db {

namespace {

namespace json = boost::json;

constexpr std::uint64_t largest_id = 4'294'967'295; // of an unsigned INT

std::optional<std::uint64_t> id_of(json::value const* value) {
    auto const* id = value ? value->if_int64() : nullptr;
    if (!id || *id < 1 || static_cast<std::uint64_t>(*id) > largest_id) return std::nullopt;
    return static_cast<std::uint64_t>(*id);
}

// One pass over an object, its components included. Remembers the first problem only.
class Reader {
  public:
    explicit Reader(Schema const& schema) : schema_(schema) {}

    Record read(ContentType const& type, json::object const& object, std::string const& place) {
        Record record;
        record.type = &type;
        record.values.resize(type.attributes.size());
        for (auto const& [key, value] : object) {
            if (key == "__component" && type.kind == ContentType::Kind::component) continue;
            if (key == "id") {
                auto const id = id_of(&value);
                if (!id)
                    expected(place + "id", "a whole number from 1 to 4294967295", value);
                else
                    record.id = *id;
                continue;
            }
            auto const* attribute = type.find(key);
            if (!attribute) {
                fail(place + std::string(key), "is no attribute of " + type.uid);
                continue;
            }
            read_attribute(record, *attribute, value, place + attribute->name);
        }
        return record;
    }

    std::string const& problem() const { return problem_; }

  private:
    void fail(std::string const& place, std::string const& what) {
        if (problem_.empty()) problem_ = place + ": " + what;
    }
    void expected(std::string const& place, std::string_view what, json::value const& value) {
        if (problem_.empty())
            problem_ = parser::invalid_value(place, what, json::serialize(value)).message;
    }

    void read_attribute(Record& record, Attribute const& attribute, json::value const& value,
                        std::string const& place) {
        auto const index = static_cast<std::size_t>(&attribute - record.type->attributes.data());
        if (attribute.is_scalar()) {
            auto const wanted = append_value(record.values[index], attribute, value);
            if (!wanted.empty()) expected(place, wanted, value);
        } else if (attribute.type == AttributeType::component ||
                   attribute.type == AttributeType::dynamic_zone) {
            Record::Parts parts{index, {}};
            each(attribute, value, place, "an object",
                 [&](auto const& item, auto const& at) { read_part(parts, attribute, item, at); });
            record.parts.push_back(std::move(parts));
        } else {
            Record::Links links{index, {}};
            bool const is_polymorphic = attribute.is_polymorphic();
            each(attribute, value, place, is_polymorphic ? "an object" : "an id",
                 [&](auto const& item, auto const& at) {
                     links.targets.push_back(is_polymorphic ? polymorphic_target(item, at)
                                                            : plain_target(attribute, item, at));
                 });
            check_once(links, attribute, place);
            record.links.push_back(std::move(links));
        }
    }

    // A to-many attribute is a list, any other one item; null is none in either case.
    template<class Read>
    void each(Attribute const& attribute, json::value const& value, std::string const& place,
              std::string const& item, Read const& read) {
        if (value.is_null()) return;
        if (!attribute.many) return read(value, place);
        if (!value.is_array())
            return expected(place, "a list, each item " + item + ", or null", value);
        std::size_t number = 0;
        for (auto const& each_item : value.get_array())
            read(each_item, place + '[' + std::to_string(number++) + ']');
    }

    void read_part(Record::Parts& parts, Attribute const& attribute, json::value const& item,
                   std::string const& place) {
        if (!item.is_object()) return expected(place, "an object", item);
        auto const& object = item.get_object();
        auto const* type = attribute.target;
        if (attribute.type == AttributeType::dynamic_zone) {
            auto const* name = object.if_contains("__component");
            auto const found = std::ranges::find_if(attribute.targets, [&](auto const* target) {
                return name && name->is_string() && name->get_string() == target->uid;
            });
            if (found == attribute.targets.end())
                return expected(place + ".__component", "a component of this zone",
                                name ? *name : json::value());
            type = *found;
        }
        parts.records.push_back(read(*type, object, place + '.'));
    }

    Record::Reference plain_target(Attribute const& attribute, json::value const& item,
                                   std::string const& place) {
        auto const id = id_of(&item);
        if (!id) expected(place, "the id of an entry of " + attribute.target->uid, item);
        return {attribute.target, id.value_or(0), {}};
    }

    Record::Reference polymorphic_target(json::value const& item, std::string const& place) {
        auto const* object = item.if_object();
        auto const* name = object ? object->if_contains("__type") : nullptr;
        auto const* type = name && name->is_string() ? schema_.find(name->get_string()) : nullptr;
        auto const id = id_of(object ? object->if_contains("id") : nullptr);
        if (!type || !id)
            expected(place, R"({"__type": UID of a type, "id": id of an entry})", item);
        auto const* field = object ? object->if_contains("field") : nullptr;
        if (field && !field->is_string()) expected(place + ".field", "a text", *field);
        Record::Reference target{type, id.value_or(0), {}};
        if (field && field->is_string()) target.field = field->get_string();
        return target;
    }

    // Pairs are unique, but a file may be used twice.
    void check_once(Record::Links const& links, Attribute const& attribute,
                    std::string const& place) {
        if (attribute.is_polymorphic() || !attribute.link.parent_type_column.empty()) return;
        std::vector<std::uint64_t> ids;
        for (auto const& target : links.targets)
            ids.push_back(target.id);
        std::ranges::sort(ids);
        auto const twice = std::ranges::adjacent_find(ids);
        if (twice != ids.end())
            fail(place, "expected each id once, received " + std::to_string(*twice) + " again");
    }

    Schema const& schema_;
    std::string problem_;
};

} // namespace

parser::Result<Record> read_record(Schema const& schema, ContentType const& type,
                                   json::object const& object) {
    Reader reader(schema);
    auto record = reader.read(type, object, "");
    if (!reader.problem().empty())
        return parser::Error{parser::ErrorKind::invalid, reader.problem()};
    return record;
}

} // namespace db
