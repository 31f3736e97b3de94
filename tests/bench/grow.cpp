#include "db/content/constraints.hpp"
#include "db/content/folder.hpp"
#include "db/content/record.hpp"
#include "db/schema/schema.hpp"
#include "parser/base/units.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

// Makes N times the content of a folder in the format of `populate-fcgi import`:
//
//     grow --schema PROJECT --strapi 4|5 FOLDER N OUT
//
// OUT, a new folder, gets the files of FOLDER as they are, and behind the entries of each N - 1
// copies of them. The same FOLDER and N give the same bytes. One line at a time is in memory.
//
// - There is one stride for all types: the first power of ten above every id. What is 21 in FOLDER
//   is 21 + k * stride in copy k, entries and components alike.
// - There are more entries, but none has more relations: copy k refers to copy k.
// - Entries of the project's collection types and uploaded files are copied. All else is there
//   once, accounts, roles and single types among them, and keeps its relations as they are: copies
//   refer to it as the original does, but not by relations that it has an attribute for, too.
// - What the types or tables want unique differs: where 2000 is added to ids, the text `lisbon` is
//   `lisbon~2000`, as is a documentId; the integer 7 is 2007, any other value null.

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

using db::AttributeType;
using Kind = db::ContentType::Kind;

constexpr std::uint64_t largest_possible_id = 4'294'967'295; // of an unsigned INT

parser::Error failure(std::string message) {
    return {parser::ErrorKind::invalid, std::move(message)};
}

bool is_copied(db::ContentType const& type) {
    return type.uid == "plugin::upload.file" ||
           (type.kind == Kind::collection && type.uid.starts_with("api::"));
}

// Whether an entry of the type has a list of those that refer to it by `attribute`.
bool shows(db::ContentType const& type, db::Attribute const& attribute) {
    return std::ranges::any_of(type.attributes, [&](db::Attribute const& other) {
        return other.link.table == attribute.link.table;
    });
}

bool is_unique(db::ContentType const& type, db::Attribute const& attribute) {
    return attribute.column_type.is_unique ||
           std::ranges::any_of(type.indexes, [&](db::TableIndex const& index) {
               return index.is_unique && std::ranges::count(index.columns, attribute.column) > 0;
           });
}

// Makes copies of entries that read_record has found good.
class Copying {
  public:
    Copying(db::Schema const& schema, db::Constraints const& constraints, std::uint64_t shift)
        : schema_(schema), constraints_(constraints), shift_(shift) {}

    void change(db::ContentType const& type, json::object& object) const {
        auto const unique = constraints_.unique(type);
        for (auto& [key, value] : object) {
            if (key == "id" || (key == "documentId" && !value.is_null())) shift(value);
            auto const* attribute = type.find(key);
            if (!attribute || value.is_null()) continue;
            if (!attribute->is_scalar())
                change_items(*attribute, value);
            else if (is_unique(type, *attribute) || std::ranges::count(unique, attribute) > 0)
                change_unique(*attribute, value);
        }
    }

  private:
    // Of an id or documentId.
    void shift(json::value& id) const {
        if (id.is_string())
            append_shift(id);
        else
            id = id.to_number<std::uint64_t>() + shift_;
    }

    void append_shift(json::value& text) const {
        text.get_string().append("~" + std::to_string(shift_));
    }

    void change_unique(db::Attribute const& attribute, json::value& value) const {
        if (attribute.scalar() == db::ScalarClass::text &&
            attribute.type != AttributeType::enumeration &&
            attribute.type != AttributeType::password)
            append_shift(value);
        else if (attribute.scalar() == db::ScalarClass::integer)
            value = value.to_number<std::int64_t>() + static_cast<std::int64_t>(shift_);
        else
            value = nullptr;
    }

    void change_items(db::Attribute const& attribute, json::value& value) const {
        if (auto* const items = value.if_array()) {
            auto const kept = std::remove_if(items->begin(), items->end(), [&](auto const& item) {
                return belongs_to_original(attribute, item);
            });
            items->erase(kept, items->end());
            for (auto& item : *items)
                change_item(attribute, item);
        } else if (belongs_to_original(attribute, value)) {
            value = nullptr;
        } else {
            change_item(attribute, value);
        }
    }

    void change_item(db::Attribute const& attribute, json::value& item) const {
        auto const& target = target_of(attribute, item);
        if (target.kind == Kind::component)
            change(target, item.get_object());
        else if (is_copied(target))
            shift(item.is_object() ? item.get_object().at("id") : item);
    }

    // Items are components, those of a zone with `__component`; polymorphic targets, with `__type`;
    // or ids or documentIds.
    db::ContentType const& target_of(db::Attribute const& attribute,
                                     json::value const& item) const {
        if (attribute.target) return *attribute.target;
        bool const is_zone = attribute.type == AttributeType::dynamic_zone;
        auto const& uid = item.get_object().at(is_zone ? "__component" : "__type");
        return *schema_.find(uid.get_string());
    }

    bool belongs_to_original(db::Attribute const& attribute, json::value const& item) const {
        auto const& target = target_of(attribute, item);
        return target.kind != Kind::component && !is_copied(target) && shows(target, attribute);
    }

    db::Schema const& schema_;
    db::Constraints const& constraints_;
    std::uint64_t shift_;
};

std::uint64_t largest_id(db::Record const& record) {
    auto largest = record.id;
    for (auto const& parts : record.parts)
        for (auto const& part : parts.records)
            largest = std::max(largest, largest_id(part));
    return largest;
}

// Checks every line, too.
std::uint64_t find_stride(db::Folder const& folder, db::Schema const& schema,
                          db::ContentErrors& errors) {
    std::uint64_t largest = 0;
    std::vector<std::string> problems;
    for (auto const& file : folder.contents)
        for (;;) {
            auto const object = file->next();
            if (object && !*object) break;
            problems.clear();
            if (object)
                largest = std::max(
                    largest, largest_id(db::read_record(schema, file->type(), **object, problems)));
            else
                problems.push_back(object.error().message);
            for (auto const& problem : problems)
                errors.add(file->place(), problem);
        }
    std::uint64_t stride = 1;
    while (stride <= largest)
        stride *= 10;
    return stride;
}

parser::Result<void> append_copy(std::ostream& out, db::ContentFile& file, Copying const& copying) {
    out << '\n'; // ends the last line, or is an empty one between copies
    for (file.rewind();;) {
        auto const original = file.next();
        if (!original) return original.error();
        if (!*original) return {};
        json::object copy = **original;
        copying.change(file.type(), copy);
        out << json::serialize(copy) << '\n';
    }
}

parser::Result<void> grow(db::Schema const& schema, fs::path const& from, std::uint64_t count,
                          fs::path const& to) {
    db::ContentErrors errors([](std::string const& error) { std::cerr << error << '\n'; });
    auto const folder = db::open_folder(from, schema, errors, {});
    if (!folder) return folder.error();
    auto const stride = find_stride(*folder, schema, errors);
    if (errors.any()) return failure("expected a folder without mistakes");
    if (count > largest_possible_id / stride)
        return failure("expected a smaller number than " + std::to_string(count) + ": ids are " +
                       std::to_string(stride) + " apart and end at 4294967295");
    std::error_code error;
    fs::copy(from, to, error);
    if (error) return failure(to.string() + ": " + error.message());

    db::Constraints const constraints(schema);
    for (auto const& file : folder->contents) {
        if (!is_copied(file->type())) continue;
        std::ofstream out(to / file->place().file, std::ios::binary | std::ios::app);
        for (std::uint64_t copy = 1; copy < count; ++copy)
            if (auto done = append_copy(out, *file, {schema, constraints, copy * stride}); !done)
                return done;
        if (!out.flush()) return failure(file->place().file + ": can't be written");
    }
    return {};
}

int fail(parser::Error const& error) {
    std::cerr << "grow: " << error.message << '\n';
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string> const given(argv + 1, argv + argc);
    bool const is_whole = given.size() == 7 && given[0] == "--schema" && given[2] == "--strapi" &&
                          (given[3] == "4" || given[3] == "5");
    auto const count = is_whole ? parser::read_number(given[5]) : std::nullopt;
    if (!count || *count == 0) {
        std::cerr << "usage: grow --schema PROJECT --strapi 4|5 FOLDER N OUT\n";
        return 64;
    }
    db::SchemaOptions options;
    options.version = given[3] == "5" ? db::Version::strapi5 : db::Version::strapi4;
    auto const schema = db::load_schema(given[1], options);
    if (!schema) return fail(schema.error());
    auto const grown = grow(**schema, given[4], *count, given[6]);
    return grown ? 0 : fail(grown.error());
}
