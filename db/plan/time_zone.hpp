#pragma once

#include <chrono>
#include <string>

// The zone of the CMS's process. Strapi 4.26 writes datetimes as the clock on its wall shows them
// (the TZ of Node), so the same zone is needed to tell which instant a column means.

namespace db {

using Instant = std::chrono::sys_time<std::chrono::milliseconds>;
using WallClock = std::chrono::local_time<std::chrono::milliseconds>;

// Whether the system knows it: an IANA name, `Europe/Paris`, or UTC.
bool is_time_zone(std::string const& name);
// UTC until it is set. Sets the zone of this process, so call it before there are threads. False if
// the system doesn't know it.
bool set_time_zone(std::string const& name);

bool wall_is_utc();
WallClock on_wall(Instant instant);
// A time that the clock skips or shows twice is taken as the C library takes it.
Instant instant_of(WallClock time);

} // namespace db
