#include "db/plan/checks.hpp"

#include "parser/base/javascript.hpp"
#include "parser/query_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace db {

using parser::List;
using parser::Object;
using parser::QueryPlace;
using parser::Tree;

namespace {

// The reasons to refuse a name, in the order of Strapi's walks.
enum class Reason : std::uint8_t {
    unknown,
    zone,
    morph,
    password,
    hidden,
    hidden_password, // in `fields`, where passwords come after private names
    no_value,        // nothing follows the name of a relation
    unpermitted,
};

bool is_operator(std::string_view key) {
    return key == "$and" || key == "$or" || key == "$not" || parser::find_operator(key);
}

bool is_id(std::string_view key) {
    return key == "id" || key == document_attribute;
}

// Returns whether an object below an operator has conditions in it; otherwise it is the operator's
// value.
bool has_conditions(Object const& object, ContentType const& type) {
    return std::ranges::any_of(object.members(), [&](Object::Member const& member) {
        return is_operator(member.first) || find_attribute(type, member.first);
    });
}

bool is_empty(Tree const& tree) {
    if (auto const* text = tree.text()) return text->empty();
    if (auto const* list = tree.list()) return list->empty();
    return !tree.object() || tree.object()->empty();
}

// Returns the type whose names may follow that of a relation to one type, a media attribute or a
// component; null for any other. The inverse of a polymorphic relation leads on in `populate`
// alone.
ContentType const* type_behind(Attribute const& attribute) {
    bool const is_inverse =
        attribute.is_relation() && (attribute.relation == RelationKind::morph_one ||
                                    attribute.relation == RelationKind::morph_many);
    return is_inverse || attribute.is_polymorphic() ? nullptr : attribute.target;
}

// Walks one parameter about entries of `root`.
class NameCheck {
  public:
    NameCheck(Permissions const& permissions, ContentType const& root, std::string_view param)
        : permissions_(permissions), root_(root), param_(param) {}

    void filters(Tree const& tree, ContentType const& type, QueryPlace const* path);
    void sort(Tree const& tree, ContentType const& type, QueryPlace const* path);
    void fields(Tree const& tree);

    Refusal take() { return std::move(refusal_); }

  private:
    void note(Reason pass, std::string_view key, QueryPlace const* path) {
        if (refusal_ && pass_ <= pass) return;
        refusal_ = invalid_key(key, dotted(path), param_);
        pass_ = pass;
    }
    void check_use(Attribute const& attribute, QueryPlace const& path);
    void filter(std::string const& key, Tree const& value, ContentType const& type,
                QueryPlace const* path);
    // `descend` is given the type behind the name and the path to it.
    void sort_name(std::string_view key, bool is_last, ContentType const& type,
                   QueryPlace const* path, auto const& descend);
    void sort_texts(std::string_view text, ContentType const& type, QueryPlace const* path);
    void sort_path(std::string_view text, ContentType const& type, QueryPlace const* path,
                   std::size_t depth);
    void field_texts(std::string_view text);
    void field(std::string_view name);

    Permissions const& permissions_;
    ContentType const& root_;
    std::string_view param_;
    Refusal refusal_;
    Reason pass_ = Reason::unknown;
};

void NameCheck::check_use(Attribute const& attribute, QueryPlace const& path) {
    auto const refuse = [&](Reason pass) { note(pass, attribute.name, &path); };
    if (attribute.type == AttributeType::dynamic_zone) refuse(Reason::zone);
    if (attribute.is_relation() && attribute.is_polymorphic()) refuse(Reason::morph);
    if (attribute.type == AttributeType::password) refuse(Reason::password);
    if (attribute.is_private) refuse(Reason::hidden);
    if (!permissions_.grant_use(attribute)) refuse(Reason::unpermitted);
}

void NameCheck::filters(Tree const& tree, ContentType const& type, QueryPlace const* path) {
    if (auto const elements = parser::list_elements(tree))
        for (Tree const* element : *elements)
            filters(*element, type, path);
    else if (Object const* object = tree.object())
        for (auto const& [key, value] : object->members())
            filter(key, value, type, path);
}

void NameCheck::filter(std::string const& key, Tree const& value, ContentType const& type,
                       QueryPlace const* path) {
    Attribute const* attribute = find_attribute(type, key);
    bool const is_list = parser::list_elements(value).has_value();
    if (!attribute) {
        bool const has_operator = is_operator(key);
        if (!has_operator && !is_id(key)) note(Reason::unknown, key, path);
        bool const is_operand = has_operator && key != "$not" && value.object() && !is_list &&
                                !has_conditions(*value.object(), type);
        if (!is_operand) filters(value, type, path);
        return;
    }
    QueryPlace const here{path, key};
    check_use(*attribute, here);
    if (attribute->is_scalar() && !is_list)
        filters(value, type, &here);
    else if (ContentType const* behind = type_behind(*attribute))
        filters(value, *behind, &here);
}

void NameCheck::sort_name(std::string_view key, bool is_last, ContentType const& type,
                          QueryPlace const* path, auto const& descend) {
    if (is_id(key)) return;
    Attribute const* attribute = find_attribute(type, key);
    if (!attribute) {
        // Types with drafts may be sorted by `status` with a direction; that has no effect.
        if (key == "status" && root_.draft_and_publish && !is_last) return;
        return note(Reason::unknown, key, path);
    }
    QueryPlace const here{path, key};
    check_use(*attribute, here);
    if (!attribute->is_scalar() && is_last) note(Reason::no_value, key, &here);
    if (ContentType const* behind = type_behind(*attribute)) descend(*behind, here);
}

// Walks `author.name:desc`. What follows a colon is a name too, where a name is expected.
void NameCheck::sort_path(std::string_view text, ContentType const& type, QueryPlace const* path,
                          std::size_t depth) {
    auto const end = std::min(text.find_first_of(".:"), text.size());
    std::string_view const name = text.substr(0, end);
    if (name.empty() || parser::is_inherited(name) || depth == parser::deepest_path) return;
    std::string_view rest = text.substr(end);
    // Empty names are skipped, and blanks may stand around what is left.
    rest = rest.substr(0, rest.find_last_not_of(".:") + 1);
    for (auto size = rest.size() + 1; rest.size() < size;) {
        size = rest.size();
        rest = parser::trimmed(rest.substr(std::min(rest.find_first_not_of(".:"), size)));
    }
    sort_name(name, rest.empty(), type, path,
              [&](ContentType const& behind, QueryPlace const& here) {
                  sort_path(rest, behind, &here, depth + 1);
              });
}

void NameCheck::sort_texts(std::string_view text, ContentType const& type, QueryPlace const* path) {
    for (std::string_view const part : parser::split(text, ','))
        sort_path(parser::trimmed(part), type, path, 0);
}

void NameCheck::sort(Tree const& tree, ContentType const& type, QueryPlace const* path) {
    if (auto const* text = tree.text()) return sort_texts(*text, type, path);
    if (List const* list = tree.list()) {
        if (!has_sort(tree)) return;
        bool const objects =
            std::ranges::all_of(*list, [](Tree const& e) { return e.object() || e.list(); });
        if (!objects && !is_texts(*list)) return note(Reason::unknown, "0", path);
        for (Tree const& element : *list)
            sort(element, type, path);
    } else if (Object const* object = tree.object()) {
        for (auto const& [key, value] : object->members())
            sort_name(key, is_empty(value), type, path,
                      [&](ContentType const& behind, QueryPlace const& here) {
                          sort(value, behind, &here);
                      });
    }
}

void NameCheck::field(std::string_view name) {
    if (is_id(name)) return;
    Attribute const* attribute = find_attribute(root_, name);
    if (!attribute) return note(Reason::unknown, name, nullptr);
    QueryPlace const here{nullptr, name};
    if (!attribute->is_scalar()) note(Reason::unknown, name, &here);
    if (attribute->is_private) note(Reason::hidden, name, &here);
    if (attribute->type == AttributeType::password) note(Reason::hidden_password, name, &here);
}

void NameCheck::field_texts(std::string_view text) {
    for (std::string_view const name : parser::split(text, ','))
        if (name != "*") field(parser::trimmed(name));
}

void NameCheck::fields(Tree const& tree) {
    if (auto const* text = tree.text()) return field_texts(*text);
    if (List const* list = tree.list(); list && is_texts(*list))
        for (Tree const& element : *list)
            field_texts(*element.text());
}

} // namespace

std::optional<std::string> dotted(parser::QueryPlace const* path) {
    if (!path) return std::nullopt;
    auto text = dotted(path->parent);
    if (!text) return std::string(path->key);
    if (!path->key.starts_with('[')) *text += '.';
    return text->append(path->key);
}

parser::Error invalid_key(std::string_view key, std::optional<std::string> path,
                          std::string_view param) {
    parser::Error error{parser::ErrorKind::unknown_name, "Invalid key "};
    error.message += key;
    parser::Error::Subject subject{.place = std::string(param), .received = std::string(key)};
    subject.details = "{\"key\":";
    parser::append_json_string(subject.details, key);
    subject.details += ",\"path\":";
    if (path) {
        if (*path != key) error.message.append(" at ").append(*path);
        parser::append_json_string(subject.details, *path);
    } else {
        subject.details += "null";
    }
    if (!param.empty())
        subject.details.append(",\"source\":\"query\",\"param\":\"").append(param).append("\"");
    subject.details += '}';
    error.subject = std::make_shared<parser::Error::Subject const>(std::move(subject));
    return error;
}

parser::Error invalid(std::string message) {
    return {parser::ErrorKind::invalid, std::move(message)};
}

Attribute const* find_attribute(ContentType const& type, std::string_view name) {
    return name == document_attribute && type.has_documents ? nullptr : type.find(name);
}

bool is_texts(List const& list) {
    return std::ranges::all_of(list, [](Tree const& element) { return element.text(); });
}

Refusal check_filters(NameScope const& names, Tree const& tree, ContentType const& type,
                      std::string_view param) {
    NameCheck walk(names.permissions, type, param);
    walk.filters(tree, type, nullptr);
    return walk.take();
}

Refusal check_sort(NameScope const& names, Tree const& tree, ContentType const& type,
                   std::string_view param) {
    NameCheck walk(names.permissions, type, param);
    walk.sort(tree, type, nullptr);
    return walk.take();
}

Refusal check_fields(NameScope const& names, Tree const& tree, ContentType const& type,
                     std::string_view param) {
    NameCheck walk(names.permissions, type, param);
    walk.fields(tree);
    return walk.take();
}

} // namespace db
