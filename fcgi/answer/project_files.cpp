#include "fcgi/answer/project_files.hpp"

#include <algorithm>

namespace fcgi {

namespace {

constexpr auto longest_trust = std::chrono::seconds(5);

} // namespace

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
