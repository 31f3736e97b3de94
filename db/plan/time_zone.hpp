#pragma once

#include <chrono>
#include <string>

// The time zone of the CMS's process. Strapi 4.26 writes datetimes in local time (the TZ of Node),
// so the same zone is needed to know which instant a column means.

namespace db {

using Instant = std::chrono::sys_time<std::chrono::milliseconds>;
using WallClock = std::chrono::local_time<std::chrono::milliseconds>;

// Whether the system knows the zone: an IANA name (`Europe/Paris`), UTC, or an offset (`+02:00`).
bool is_time_zone(std::string const& name);
// Sets the zone of this process, which is UTC until then. Must be called before there are threads.
// Returns false if the system doesn't know the zone.
bool set_time_zone(std::string const& name);

bool wall_is_utc();
WallClock on_wall(Instant instant);
// A time that the clock skips or shows twice is taken as the C library takes it.
Instant instant_of(WallClock time);

} // namespace db
