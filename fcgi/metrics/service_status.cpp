#include "fcgi/metrics/service_status.hpp"

#include "fcgi/process/systemd.hpp"

#include <array>
#include <ctime>
#include <variant>

namespace fcgi {

namespace {

std::string utc(std::chrono::system_clock::time_point time) {
    std::time_t const seconds = std::chrono::system_clock::to_time_t(time);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::array<char, 40> text;
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts)};
}

} // namespace

void ServiceStatus::operator()(Event const& event) {
    auto const* const notice = std::get_if<Notice>(&event);
    if (!notice) return;
    auto const [id, words, number] = *notice;
    bool const is_away = id == "database-away";
    if (id != "serving" && id != "stopping" && id != "database-back" && !is_away) return;
    std::lock_guard const lock(mutex_);
    if (id == "serving") address_ = words[0];
    if (id == "stopping") draining_ = number;
    if (id == "database-back") away_since_.reset();
    if (is_away) away_since_ = std::chrono::system_clock::now();
    tell();
}

void ServiceStatus::tell() const {
    std::string status = "serving at " + address_;
    if (away_since_) status = "no connection to the database since " + utc(*away_since_);
    if (draining_) status = "draining, requests in flight: " + std::to_string(*draining_);
    if (!address_.empty()) tell_systemd("STATUS=" + status);
}

} // namespace fcgi
