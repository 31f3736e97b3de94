#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace db {

// The router of a type, as far as it is the generated one with a configuration:
//
//     createCoreRouter('api::page.page', { config: { find: { middlewares: ['api::page.populate'] }
//     } })
struct Router {
    std::string uid;
    // The middleware of `find` and `findOne`, by the action, where there is one.
    std::map<std::string, std::string> middlewares;
};

// Absent: the file is more than that, for what it reads: an action of reading has a policy, several
// middlewares or another setting. What it says of actions of writing does not matter here.
std::optional<Router> read_router(std::string_view source);

} // namespace db
