#include "fcgi/server/lanes.hpp"

#include <algorithm>
#include <limits>

namespace fcgi {

namespace {

using namespace std::chrono_literals;

std::size_t at_least_one(std::size_t places) {
    return std::max<std::size_t>(places, 1);
}

} // namespace

// Until the first requests are answered, most kinds are assumed to be quick, so that a start under
// load refuses none.
Lanes::Lanes(std::size_t slots, std::atomic<std::uint64_t> const* left)
    : places_{{{std::numeric_limits<std::size_t>::max(), 0s},
               {at_least_one(slots) == 1 ? 1 : slots - 1, 10ms},
               {at_least_one(slots / 2), 1s}}},
      left_(left) {
}

bool Lanes::has_room_for(Cost cost) const {
    Places const& unknown = of(Cost::unknown);
    Places const& expensive = of(Cost::expensive);
    if (cost == Cost::cheap) return true;
    auto const taken = expensive.taken + left();
    if (cost == Cost::expensive && taken >= expensive.count) return false;
    return taken + unknown.taken < unknown.count;
}

bool Lanes::is_any_taken() const {
    return is_any_left() ||
           std::ranges::any_of(places_, [](Places const& places) { return places.taken > 0; });
}

void Lanes::leave(Cost cost, Duration held) {
    leave(cost);
    of(cost).usual += (held - of(cost).usual) / 8;
}

Lanes::Duration Lanes::wait_behind(Cost cost, std::size_t others) const {
    Places const& own = of(cost);
    Places const& expensive = of(Cost::expensive);
    auto count = own.count;
    Duration wait{0};
    if (cost == Cost::unknown) {
        count -= std::min(count, expensive.taken);
        if (count == 0) wait += expensive.usual / 2;
    }
    auto const halves = static_cast<Duration::rep>(own.taken + 2 * others);
    return wait + own.usual * halves / static_cast<Duration::rep>(2 * at_least_one(count));
}

} // namespace fcgi
