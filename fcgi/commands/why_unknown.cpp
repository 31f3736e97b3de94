#include "fcgi/commands/why_unknown.hpp"

#include "fcgi/access/route.hpp"
#include "parser/base/closest_name.hpp"

#include <boost/algorithm/string/predicate.hpp>

#include <vector>

namespace fcgi {

std::string why_unknown(std::string_view path, std::string_view prefix, db::Schema const& schema) {
    auto const rest = below(path, prefix);
    if (!rest) return "the path is not below the prefix " + std::string(prefix);
    std::string const name(rest->substr(0, rest->find('/')));
    std::vector<std::string> known;
    for (auto const& [uid, type] : schema.types) {
        bool const is_single = type->kind == db::ContentType::Kind::single;
        std::string const& own = is_single ? type->singular : type->plural;
        std::string const& other = is_single ? type->plural : type->singular;
        if (!uid.starts_with("api::")) continue;
        auto const route = std::string(prefix) + '/' + own;
        if (boost::iequals(other, name) && own != other)
            return uid + (is_single ? " is a single type, at " : " is a collection, at ") + route;
        known.push_back(own);
        if (!boost::iequals(own, name)) continue;
        if (!type->not_served.empty()) return uid + " is not served: " + type->not_served;
        if (!type->has_routes)
            return uid + " has no routes: no file in routes/ of its API names it";
        for (auto const& [action, middleware] : type->middlewares)
            if (!middleware.not_served.empty() && (action == "find") == (*rest == name))
                return uid + '.' + action + " is not served: " + middleware.not_served;
        return "below " + route + " there is only " + route + "/ID, one entry by its id";
    }
    return "there is no content type at " + std::string(prefix) + '/' + name +
           did_you_mean(name, known);
}

} // namespace fcgi
