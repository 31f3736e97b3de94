#include "db/content/record.hpp"

#include "db/content/json_text.hpp"
#include "db/content/value.hpp"

#include <boost/json.hpp>

#include <algorithm>

namespace db {

namespace {

namespace json = boost::json;

// Returns whether an entry of a relation may be named by its documentId.
bool may_be_document(Attribute const& attribute) {
    return attribute.target->has_documents && !attribute.is_of_document();
}

// Reads an object and its components in one pass.
class RecordReader {
  public:
    RecordReader(Schema const& schema, std::vector<std::string>& problems)
        : schema_(schema), problems_(problems) {}

    Record read(ContentType const& type, json::object const& object, std::string const& place) {
        Record record;
        record.type = &type;
        record.values.resize(type.attributes.size());
        for (auto const& [key, value] : object) {
            if (key == "__component" && is_component(type)) continue;
            if (key == "id") {
                auto const id = id_of(&value);
                if (id == 0)
                    expected(place + "id", "a whole number from 1 to 4294967295", value);
                else
                    record.id = id;
                continue;
            }
            auto const* attribute = type.find(key);
            if (!attribute) {
                fail(place + std::string(key), "is not an attribute of " + type.uid);
                continue;
            }
            read_attribute(record, *attribute, value, place + attribute->name);
        }
        if (type.has_documents) read_document(record, object);
        return record;
    }

  private:
    void fail(std::string const& place, std::string const& what) {
        problems_.push_back(place + ": " + what);
    }
    void expected(std::string const& place, std::string_view what, json::value const& value) {
        problems_.push_back(parser::invalid_value(place, what, json::serialize(value)).message);
    }

    // The members have been read as attributes before.
    static void read_document(Record& record, json::object const& object) {
        auto& document = record.document;
        if (auto const* id = object.if_contains(document_attribute)) {
            document.is_none = id->is_null();
            if (id->is_string()) document.id = id->get_string();
        }
        if (auto const* locale = object.if_contains("locale"))
            document.locale = locale->is_string() ? std::string(locale->get_string()) : "";
        auto const* published = object.if_contains("publishedAt");
        document.has_status = published;
        document.is_published = published && !published->is_null();
        // Localizations are stored as rows of the same document, not as links.
        std::erase_if(record.links, [&](Record::Links const& links) {
            bool const is_document = record.attribute(links.attribute).is_of_document();
            if (is_document)
                for (auto const& target : links.targets)
                    document.localizations.push_back(target.id);
            return is_document;
        });
    }

    void read_attribute(Record& record, Attribute const& attribute, json::value const& value,
                        std::string const& place) {
        auto const index = static_cast<std::size_t>(&attribute - record.type->attributes.data());
        if (attribute.is_scalar()) {
            auto wanted = append_value(record.values[index], attribute, value);
            if (wanted.empty()) wanted = expected_form(attribute, value);
            if (!wanted.empty()) expected(place, wanted, value);
        } else if (is_part(attribute)) {
            Record::Parts parts{index, {}};
            each(attribute, value, place, "an object",
                 [&](auto const& item, auto const& at) { read_part(parts, attribute, item, at); });
            record.parts.push_back(std::move(parts));
        } else {
            Record::Links links{index, {}};
            bool const is_polymorphic = attribute.is_polymorphic();
            each(attribute, value, place,
                 is_polymorphic               ? "an object"
                 : may_be_document(attribute) ? "an id or documentId"
                                              : "an id",
                 [&](auto const& item, auto const& at) {
                     auto target = is_polymorphic ? polymorphic_target(item, at)
                                                  : plain_target(attribute, item, at);
                     if (target.is_named()) links.targets.push_back(std::move(target));
                 });
            check_once(links, attribute, place);
            record.links.push_back(std::move(links));
        }
    }

    // A to-many attribute is a list, any other is one item; null means none in either case.
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
        auto const* type = component_of(attribute, object);
        auto const* name = object.if_contains("__component");
        if (!type)
            return expected(place + ".__component", "a component of this zone",
                            name ? *name : json::value());
        parts.records.push_back(read(*type, object, place + '.'));
    }

    Record::EntryReference plain_target(Attribute const& attribute, json::value const& item,
                                        std::string const& place) {
        auto const* type = attribute.target;
        if (may_be_document(attribute) && item.is_string() && !item.get_string().empty())
            return {type, 0, std::string(item.get_string()), {}};
        auto const id = id_of(&item);
        if (id == 0)
            expected(place,
                     (may_be_document(attribute) ? "the id or documentId of an entry of "
                                                 : "the id of an entry of ") +
                         type->uid,
                     item);
        return {type, id, {}, {}};
    }

    Record::EntryReference polymorphic_target(json::value const& item, std::string const& place) {
        auto const* object = item.if_object();
        auto const* name = object ? object->if_contains("__type") : nullptr;
        auto const* type = name && name->is_string() ? schema_.find(name->get_string()) : nullptr;
        auto const id = id_of(object ? object->if_contains("id") : nullptr);
        auto const* document = type && type->has_documents && id == 0
                                   ? object->if_contains(document_attribute)
                                   : nullptr;
        bool const is_document = document && document->is_string();
        if (!type || (id == 0 && !is_document))
            expected(place, R"({"__type": UID of a type, "id": id of an entry})", item);
        auto const* field = object ? object->if_contains("field") : nullptr;
        if (field && !field->is_string()) expected(place + ".field", "a text", *field);
        Record::EntryReference target{type, id, {}, {}};
        if (is_document) target.document = document->get_string();
        if (field && field->is_string()) target.field = field->get_string();
        return target;
    }

    // Pairs must be unique, but a file may be used twice.
    void check_once(Record::Links const& links, Attribute const& attribute,
                    std::string const& place) {
        if (attribute.is_polymorphic() || !attribute.link.parent_type_column.empty()) return;
        std::vector<std::string> ids;
        for (auto const& target : links.targets)
            ids.push_back(target.name());
        std::ranges::sort(ids);
        auto const twice = std::ranges::adjacent_find(ids);
        if (twice != ids.end()) fail(place, "expected each id once, received " + *twice + " again");
    }

    Schema const& schema_;
    std::vector<std::string>& problems_;
};

} // namespace

Link const* parts_of(ContentType const& type) {
    auto const part = std::ranges::find_if(type.attributes, is_part);
    return part == type.attributes.end() ? nullptr : &part->link;
}

bool is_credential(ContentType const& type, Attribute const& attribute) {
    if (attribute.type == AttributeType::password) return true;
    bool const is_token =
        attribute.name == "resetPasswordToken" || attribute.name == "confirmationToken";
    return is_token && type.uid == "plugin::users-permissions.user";
}

ContentType const* component_of(Attribute const& attribute, json::object const& object) {
    if (attribute.type != AttributeType::dynamic_zone) return attribute.target;
    auto const* name = object.if_contains("__component");
    auto const found = std::ranges::find_if(attribute.targets, [&](auto const* target) {
        return name && name->is_string() && name->get_string() == target->uid;
    });
    return found == attribute.targets.end() ? nullptr : *found;
}

Record read_record(Schema const& schema, ContentType const& type, json::object const& object,
                   std::vector<std::string>& problems) {
    return RecordReader(schema, problems).read(type, object, "");
}

} // namespace db
