#include "fcgi/answer/read_schema.hpp"

#include "db/cms/tables.hpp"
#include "db/schema/project_folder.hpp"

#include <algorithm>
#include <string>

namespace fcgi {

namespace {

constexpr auto longest_trust = std::chrono::seconds(5); // in a look at the files

} // namespace

parser::Result<std::shared_ptr<db::Schema>> read_schema(Options const& options,
                                                        std::optional<db::Version> version) {
    if (options.strapi) version = options.strapi;
    if (!version) version = db::project_version(options.schema);
    auto release = options.strapi_release;
    if (!release)
        if (auto const found = db::project_release(options.schema)) release = found->release;
    auto schema = db::load_schema(options.schema, {options.private_attributes,
                                                   version.value_or(db::Version::strapi4), release,
                                                   options.default_parameters});
    if (!schema) return schema;
    for (auto const& [uid, type] : (*schema)->types)
        if (std::ranges::find(options.serve_types, uid) != options.serve_types.end()) {
            type->not_served.clear();
            for (auto& [action, middleware] : type->middlewares)
                middleware.not_served.clear();
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
        auto unwatched = watch_->watch(folder_);
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
