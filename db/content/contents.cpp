#include "db/content/contents.hpp"

#include "db/content/json_text.hpp"

#include <boost/json.hpp>

#include <cstdlib>

namespace db {

namespace {

namespace json = boost::json;

json::value const* find(json::object const& object, std::string_view member, json::kind kind) {
    auto const* value = object.if_contains(member);
    return value && value->kind() == kind ? value : nullptr;
}

std::string text_of(json::object const& object, std::string_view member) {
    auto const* text = find(object, member, json::kind::string);
    return text ? std::string(text->get_string()) : std::string();
}

bool is_needed(std::string_view key) {
    return key == "plugin_i18n_default_locale" || key == "plugin_users-permissions_advanced";
}

// Strapi makes roles and locales when it starts, if there are none. A permission counts only if it
// belongs to a role.
constexpr char const* role_type = "plugin::users-permissions.role";
constexpr char const* locale_type = "plugin::i18n.locale";
constexpr char const* permission_type = "plugin::users-permissions.permission";

// The first release that exports.
constexpr int first_major = 4;
constexpr int first_minor = 6;

class ContentsReader {
  public:
    explicit ContentsReader(Archive& archive) : archive_(archive) {}

    parser::Result<ArchiveContents> read(std::function<void()> const& progress) {
        for (std::size_t lines = 0;; ++lines) {
            auto const more = archive_.next();
            if (!more) return more.error();
            if (!*more) break;
            if (auto taken = take(); !taken) return taken.error();
            if (lines % 256 == 0) progress();
        }
        if (contents_.release.empty())
            return archive_.error(
                "metadata.json, the last file, is missing: the archive is cut off");
        if (contents_.schemas.empty()) return archive_.error("has no schemas");
        return std::move(contents_);
    }

  private:
    parser::Result<void> take() {
        switch (archive_.section()) {
        case Section::schemas:
            return take_schema();
        case Section::entities: {
            auto const entry = read_entry(archive_);
            if (!entry) return entry.error();
            ++contents_.entries[entry->type];
            return {};
        }
        case Section::links: {
            auto const link = read_link(archive_);
            if (!link) return link.error();
            contents_.has_role_links |=
                link->left.type == permission_type && link->left.field == "role";
            return {};
        }
        case Section::configuration:
            return take_setting();
        case Section::metadata:
            return take_metadata();
        case Section::assets:
            break;
        }
        return {};
    }

    parser::Result<void> take_schema() {
        auto schema = read_object(archive_);
        if (!schema) return schema.error();
        auto const uid = text_of(*schema, "uid");
        bool const is_good = !uid.empty() && find(*schema, "attributes", json::kind::object) &&
                             !text_of(*schema, "collectionName").empty();
        if (!is_good)
            return archive_.error("expected a schema with uid, collectionName and attributes");
        if (!contents_.schemas.emplace(uid, *std::move(schema)).second)
            return archive_.error("another schema has this uid");
        return {};
    }

    parser::Result<void> take_setting() {
        auto setting = read_object(archive_);
        if (!setting) return setting.error();
        auto const* row = find(*setting, "value", json::kind::object);
        if (text_of(*setting, "type") != "core-store") return {};
        if (!row) return archive_.error("expected a row of the store in `value`");
        auto const key = text_of(row->get_object(), "key");
        if (is_needed(key)) contents_.settings[key] = row->get_object();
        return {};
    }

    parser::Result<void> take_metadata() {
        auto const metadata = read_object(archive_);
        if (!metadata) return metadata.error();
        auto const* strapi = find(*metadata, "strapi", json::kind::object);
        auto const release = strapi ? text_of(strapi->get_object(), "version") : "";
        char* end = nullptr;
        auto const major = std::strtol(release.c_str(), &end, 10);
        auto const minor = *end == '.' ? std::strtol(end + 1, nullptr, 10) : 0;
        bool const is_known = (major == first_major && minor >= first_minor) || major == 5;
        if (!is_known)
            return archive_.error("expected the version of Strapi, 4.6 to 5, in strapi.version");
        contents_.release = release;
        contents_.version = version_up_to(major);
        return {};
    }

    Archive& archive_;
    ArchiveContents contents_;
};

parser::Result<ArchivedLink::End> read_end(Archive const& archive, json::object const& link,
                                           std::string_view side) {
    auto const* value = find(link, side, json::kind::object);
    ArchivedLink::End end;
    auto const refuse = [&] {
        return archive.error("expected type and ref in `" + std::string(side) + '`');
    };
    if (!value) return refuse();
    auto const& object = value->get_object();
    end.type = text_of(object, "type");
    end.field = text_of(object, "field");
    auto const* ref = object.if_contains("ref");
    end.id = id_of(ref);
    if (end.type.empty() || !(end.id > 0 || (ref && ref->is_string()))) return refuse();
    auto const* position = object.if_contains("pos");
    if (!position || position->is_null()) return end;
    bool const is_good = position->is_number() && position->to_number<double>() >= 0;
    if (!is_good) return archive.error("expected a number in `" + std::string(side) + ".pos`");
    end.position = position->to_number<double>();
    return end;
}

} // namespace

bool ArchiveContents::is_whole_site() const {
    return !schemas.contains(role_type) || entries.contains(role_type);
}

std::string ArchiveContents::missing() const {
    if (entries.empty()) return "entries";
    if (!is_whole_site()) return {};
    if (schemas.contains(locale_type) && !entries.contains(locale_type))
        return std::string("entries of ") + locale_type;
    if (entries.contains(permission_type) && !has_role_links)
        return "links of permissions to their roles";
    return {};
}

parser::Result<json::object> read_object(Archive const& archive) {
    json::error_code error;
    auto value = parse_line(archive.text(), error);
    if (error) return archive.error("expected JSON, found " + error.message());
    if (!value.is_object()) return archive.error("expected a JSON object");
    return std::move(value.get_object());
}

parser::Result<ArchivedEntry> read_entry(Archive const& archive) {
    auto object = read_object(archive);
    if (!object) return object.error();
    auto* data = object->if_contains("data");
    ArchivedEntry entry{text_of(*object, "type"), id_of(object->if_contains("id")), {}};
    if (entry.type.empty() || entry.id == 0 || !data || !data->is_object())
        return archive.error("expected type, id and data of an entry");
    entry.data = std::move(data->get_object());
    return entry;
}

parser::Result<ArchivedLink> read_link(Archive const& archive) {
    auto const object = read_object(archive);
    if (!object) return object.error();
    auto left = read_end(archive, *object, "left");
    if (!left) return left.error();
    auto right = read_end(archive, *object, "right");
    if (!right) return right.error();
    if (left->field.empty() || left->id == 0)
        return archive.error("expected the field and the id of the owner in `left`");
    return ArchivedLink{*std::move(left), *std::move(right)};
}

bool is_exported(std::string_view uid) {
    return !uid.starts_with("admin::") && !uid.starts_with("plugin::content-releases.");
}

parser::Result<ArchiveContents> read_contents(Archive& archive,
                                              std::function<void()> const& progress) {
    return ContentsReader(archive).read(progress);
}

} // namespace db
