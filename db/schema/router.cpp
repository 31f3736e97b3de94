#include "db/schema/router.hpp"

#include "db/schema/script_reader.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace db {

namespace json = boost::json;

namespace {

bool take_beginning(ScriptReader& script) {
    return script.take("const {createCoreRouter} = require('@strapi/strapi').factories;"
                       "module.exports = createCoreRouter(") ||
           script.take("import {factories} from '@strapi/strapi';"
                       "export default factories.createCoreRouter(");
}

std::string_view text_or_none(json::value const& value) {
    return value.is_string() ? std::string_view(value.get_string()) : std::string_view();
}

// Returns the only middleware; empty if there is none, absent if there is anything else.
std::optional<std::string> middleware_of(json::value const& config) {
    if (!config.is_object()) return std::nullopt;
    std::string name;
    for (auto const& [key, value] : config.get_object()) {
        auto const* const list = value.if_array();
        if (!list) return std::nullopt;
        if (list->empty() && (key == "middlewares" || key == "policies")) continue;
        if (key != "middlewares" || list->size() != 1) return std::nullopt;
        name = text_or_none(list->front());
        if (name.empty()) return std::nullopt;
    }
    return name;
}

} // namespace

std::optional<Router> read_router(std::string_view source) {
    ScriptReader script(source);
    if (!take_beginning(script)) return std::nullopt;
    auto const uid = script.take_literal();
    if (!script.take("as const")) script.take("as any");
    if (!uid || !script.take(",")) return std::nullopt;
    auto const options = script.take_literal();
    script.take(",");
    bool const is_whole = script.take(")") && script.is_at_end();
    if (!is_whole || !options || !options->is_object()) return std::nullopt;
    Router router{std::string(text_or_none(*uid)), {}};
    for (auto const& [name, config] : options->get_object()) {
        if (name != "config" || !config.is_object()) return std::nullopt;
        for (std::string const action : {"find", "findOne"}) {
            auto const* const own = config.get_object().if_contains(action);
            if (!own) continue;
            auto middleware = middleware_of(*own);
            if (!middleware) return std::nullopt;
            if (!middleware->empty()) router.middlewares[action] = *std::move(middleware);
        }
    }
    return router;
}

} // namespace db
