#include "db/plan/time_zone.hpp"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <regex>

namespace db {

namespace {

// Spares the C library's conversion, which takes a lock, in the usual case.
bool is_utc = true;

// Returns an offset such as `+05:30` as POSIX writes a zone, `<+0530>-05:30`: its sign says what to
// add to the wall's time to get UTC. Empty if it is no offset.
std::string posix_zone(std::string const& name) {
    static std::regex const offset("([+-])([01][0-9])(?::?([0-5][0-9]))?");
    std::smatch parts;
    if (!std::regex_match(name, parts, offset)) return {};
    return '<' + parts.str(1) + parts.str(2) + parts.str(3) + '>' +
           (parts.str(1) == "+" ? '-' : '+') + parts.str(2) + ':' +
           (parts[3].matched ? parts.str(3) : "00");
}

} // namespace

bool is_time_zone(std::string const& name) {
    if (name == "UTC" || !posix_zone(name).empty()) return true;
    std::filesystem::path const zone = std::filesystem::path("/usr/share/zoneinfo") / name;
    std::error_code unreadable;
    return name.find("..") == name.npos && std::filesystem::is_regular_file(zone, unreadable);
}

bool set_time_zone(std::string const& name) {
    if (!is_time_zone(name)) return false;
    is_utc = name == "UTC";
    if (is_utc) return true;
    auto const offset = posix_zone(name);
    ::setenv("TZ", offset.empty() ? name.c_str() : offset.c_str(), 1);
    ::tzset();
    return true;
}

bool wall_is_utc() {
    return is_utc;
}

WallClock on_wall(Instant instant) {
    if (is_utc) return WallClock(instant.time_since_epoch());
    auto const second = std::chrono::floor<std::chrono::seconds>(instant);
    std::time_t const seconds = second.time_since_epoch().count();
    std::tm wall{};
    ::localtime_r(&seconds, &wall);
    return WallClock(instant.time_since_epoch() + std::chrono::seconds(wall.tm_gmtoff));
}

Instant instant_of(WallClock time) {
    if (is_utc) return Instant(time.time_since_epoch());
    auto const second = std::chrono::floor<std::chrono::seconds>(time);
    std::time_t const as_utc = second.time_since_epoch().count();
    std::tm wall{};
    ::gmtime_r(&as_utc, &wall);
    wall.tm_isdst = -1;
    std::chrono::seconds const instant(::mktime(&wall));
    return Instant(instant + (time - second));
}

} // namespace db
