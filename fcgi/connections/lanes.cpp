#include "fcgi/connections/lanes.hpp"

#include <algorithm>
#include <limits>

namespace fcgi {

namespace {

using namespace std::chrono_literals;

std::size_t at_least_one(std::size_t places) {
    return std::max<std::size_t>(places, 1);
}

} // namespace

// Until the first are answered, most kinds are taken to be quick, so that a start under load
// refuses nobody.
Lanes::Lanes(std::size_t slots)
    : lanes_{{{std::numeric_limits<std::size_t>::max(), 0s},
              {at_least_one(slots) == 1 ? 1 : slots - 1, 10ms},
              {at_least_one(slots / 2), 1s}}} {
}

bool Lanes::has_room_for(Cost cost) const {
    Lane const& unknown = of(Cost::unknown);
    Lane const& dear = of(Cost::dear);
    if (cost == Cost::cheap) return true;
    if (cost == Cost::dear && dear.taken >= dear.places) return false;
    return dear.taken + unknown.taken < unknown.places;
}

void Lanes::leave(Cost cost, Duration held) {
    leave(cost);
    of(cost).usual += (held - of(cost).usual) / 8;
}

Lanes::Duration Lanes::wait_behind(Cost cost, std::size_t others) const {
    Lane const& lane = of(cost);
    Lane const& dear = of(Cost::dear);
    auto places = lane.places;
    Duration wait{0};
    if (cost == Cost::unknown) {
        places -= std::min(places, dear.taken);
        if (places == 0) wait += dear.usual / 2;
    }
    auto const halves = static_cast<Duration::rep>(lane.taken + 2 * others);
    return wait + lane.usual * halves / static_cast<Duration::rep>(2 * at_least_one(places));
}

} // namespace fcgi
