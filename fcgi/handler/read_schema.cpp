#include "fcgi/handler/read_schema.hpp"

#include "db/cms/tables.hpp"
#include "db/schema/description.hpp"
#include "db/schema/project_folder.hpp"
#include "fcgi/options/described.hpp"

#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/predicate.hpp>

#include <algorithm>
#include <locale>
#include <string>
#include <string_view>

namespace fcgi {

namespace {

constexpr auto longest_trust = std::chrono::seconds(5); // in a look at the files

constexpr auto why_handed_over = "the setting handed-over names it";

// Those that responses have of their own, or that this program and web servers act on.
constexpr std::string_view own_headers =
    " allow cache-control connection content-encoding content-length content-type date etag "
    "last-modified location retry-after server-timing set-cookie status surrogate-control trailer "
    "transfer-encoding upgrade vary ";

bool is_own_header(std::string_view name, Options const& options) {
    auto const lower = boost::to_lower_copy(std::string(name), std::locale::classic());
    return own_headers.find(' ' + lower + ' ') != own_headers.npos ||
           lower.starts_with("access-control-") || lower.starts_with("x-accel-") ||
           boost::iequals(name, options.surrogate_key, std::locale::classic());
}

// Returns what the CMS says of its project; null: it has said nothing.
parser::Result<std::shared_ptr<db::Description>> read_description(Options const& options) {
    std::error_code error;
    bool const is_absent = !std::filesystem::exists(options.description, error) && !error;
    if (options.description.empty() || is_absent) return nullptr;
    auto description = db::read_description(options.description);
    if (!description) return description.error();
    return std::make_shared<db::Description>(*std::move(description));
}

// Until this process starts again with newer settings, all is left to the CMS.
void leave_to_newer_settings(db::Description& description, Options const& options) {
    if (auto const names = newer_settings(description, options); !names.empty())
        description.handed_over.insert(description.handed_over.begin(),
                                       "a restart is needed, since the CMS has other settings: " +
                                           names);
}

// Says why the CMS answers an action that it would not have to answer itself; empty: it need not.
std::string why_left(db::DescribedAction const& action, std::string_view name,
                     std::string const& uid, Options const& options) {
    auto const& named = options.handed_over;
    if (std::ranges::find(named, uid + '.' + std::string(name)) != named.end())
        return why_handed_over;
    for (auto const& [header, value] : action.effect.headers)
        if (is_own_header(header, options)) return "a middleware sets the header " + header;
    return {};
}

void hand_over(db::ContentType& type, Options const& options) {
    auto const& named = options.handed_over;
    if (std::ranges::find(named, type.uid) != named.end()) type.not_served = why_handed_over;
    for (std::string const& name : named)
        if (name.starts_with(type.uid + '.')) type.actions[name.substr(type.uid.size() + 1)];
    for (auto& [name, action] : type.actions)
        if (action.handed_over.empty())
            action.handed_over = why_left(action, name, type.uid, options);
}

} // namespace

parser::Result<std::shared_ptr<db::Schema>> read_schema(Options const& options,
                                                        std::optional<db::Version> version) {
    if (options.strapi) version = options.strapi;
    auto const description = read_description(options);
    bool const is_described = description && *description;
    if (is_described) leave_to_newer_settings(**description, options);
    auto release = options.strapi_release;
    if (!release && is_described) release = (*description)->release;
    if (!release)
        if (auto const found = db::project_release(options.schema)) release = found->release;
    if (!version && is_described) version = db::version_up_to(release->major);
    if (!version) version = db::project_version(options.schema);
    auto schema = db::load_schema(options.schema, {options.private_attributes,
                                                   version.value_or(db::Version::strapi4), release,
                                                   is_described ? *description : nullptr});
    if (!schema) return schema;
    for (auto const& [uid, type] : (*schema)->types) {
        hand_over(*type, options);
        // What it says may hide what the files show.
        bool const is_component = type->kind == db::ContentType::Kind::component;
        if (!description && !is_component) type->not_served = description.error().message;
    }
    return schema;
}

parser::Result<std::optional<db::Version>> read_version(Options const& options,
                                                        db::Connection& connection) {
    auto const version = db::read_version(connection);
    if (!version || !*version || !options.strapi || **version == *options.strapi) return version;
    return parser::Error{parser::ErrorKind::configuration,
                         "strapi: the database has the tables of Strapi " +
                             std::to_string(static_cast<int>(**version)) +
                             "; remove the setting `strapi`, or name another database"};
}

parser::Result<std::shared_ptr<db::Schema>> read_schema(Options const& options,
                                                        db::Connection& connection) {
    auto const version = read_version(options, connection);
    if (!version) return version.error();
    auto schema = read_schema(options, *version);
    if (!schema) return schema;
    if (auto known = db::read_has_cms(connection, **schema); !known) return known.error();
    if (auto known = db::read_custom_fields(connection, **schema); !known) return known.error();
    return schema;
}

void ProjectFiles::watch() {
    watch_.emplace();
    ++happened_; // something may have happened before
}

void ProjectFiles::note_read(db::ProjectStamp const& stamp) {
    std::lock_guard const lock(mutex_);
    read_ = stamp;
}

bool ProjectFiles::are_known(Clock::time_point at) {
    if (watch_ && watch_->has_changed()) ++happened_;
    if (!is_asked_.load(std::memory_order_relaxed)) is_asked_ = true;
    std::lock_guard const lock(mutex_);
    return looked_at_after_ == happened_ && at - looked_at_ < longest_trust;
}

ProjectFiles::Look ProjectFiles::look() {
    Look look;
    look.at = Clock::now();
    look.happened = happened_;
    is_asked_ = false;
    if (watch_) {
        auto unwatched = watch_->watch(project_);
        if (unwatched != unwatched_) look.unwatched = unwatched;
        unwatched_ = std::move(unwatched);
    }
    look.found = stamp();
    std::lock_guard const lock(mutex_);
    look.are_others = look.found != read_;
    return look;
}

void ProjectFiles::note_look(Look const& look) {
    std::lock_guard const lock(mutex_);
    looked_at_ = look.at;
    looked_at_after_ = std::max(looked_at_after_, look.happened);
}

} // namespace fcgi
