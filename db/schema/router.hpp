#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace db {

// The router of a type, which is the generated one with a configuration:
//
//     createCoreRouter('api::page.page',
//                      { config: { find: { middlewares: ['api::page.populate'] } } })
struct Router {
    std::string uid;
    // The UIDs of the middlewares of `find` and `findOne`, by action.
    std::map<std::string, std::string> middlewares;
};

// Absent if the file is more than that: a read action has a policy, several middlewares or another
// setting. What it says of write actions does not matter here.
std::optional<Router> read_router(std::string_view source);

} // namespace db
