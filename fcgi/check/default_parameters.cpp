#include "fcgi/check/default_parameters.hpp"

#include "db/schema/default_parameters.hpp"
#include "db/schema/project_folder.hpp"
#include "db/schema/scripts.hpp"
#include "fcgi/check/project_scripts.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace fcgi {

namespace json = boost::json;

namespace {

// Each function takes the tokens that it is named after, or returns false if others follow.
class MiddlewareCode {
  public:
    explicit MiddlewareCode(std::string_view source) : script_(source) {}

    parser::Result<json::value> read() {
        if (take_types() && take_constants() && take_factory() && script_.is_at_end())
            return *std::move(populate_);
        auto const end = script_.is_at_end() ? "its end" : '`' + std::string(script_.next()) + '`';
        return parser::Error{parser::ErrorKind::unsupported,
                             "it does more than assign literal data to ctx.query.populate: at " +
                                 end};
    }

  private:
    // import type { Core } from '@strapi/strapi'
    bool take_types() {
        while (script_.take("import type")) {
            while (!script_.is_at_end() && !script_.take("from"))
                script_.take_next();
            if (!script_.take_string()) return false;
        }
        return true;
    }

    // const populate = { … }
    bool take_constants() {
        while (script_.take("const")) {
            std::string const name(script_.take_next());
            if (!script_.take("=")) return false;
            auto value = script_.take_literal();
            if (!value || !constants_.emplace(name, *std::move(value)).second) return false;
        }
        return true;
    }

    // module.exports = (config, { strapi }) => { return … }
    bool take_factory() {
        bool const is_exported = script_.take("export default") || script_.take("module.exports =");
        if (!is_exported || !take_parameters()) return false;
        if (!script_.take("{")) return take_handler();
        return script_.take("return") && take_handler() && script_.take("}");
    }

    bool take_parameters() {
        if (!script_.take("(")) return false;
        while (!script_.take(")")) {
            if (script_.is_at_end() || script_.next() == "=" || script_.next() == "(") return false;
            script_.take_next();
        }
        return script_.take("=>");
    }

    // ctx, or ctx: Context
    std::string take_parameter() {
        std::string name(script_.take_next());
        if (script_.take(":")) do
                script_.take_next();
            while (script_.take("."));
        return name;
    }

    // async (ctx, next) => { ctx.query.populate = populate; await next() }
    bool take_handler() {
        script_.take("async");
        if (!script_.take("(")) return false;
        auto const context = take_parameter();
        if (!script_.take(",")) return false;
        auto const next = take_parameter();
        if (!script_.take(") => {")) return false;
        if (!take_logging() || !script_.take(context + ".query.populate =")) return false;
        if (!take_populate() || !take_logging()) return false;
        script_.take("return");
        script_.take("await");
        return script_.take(next + "()") && script_.take("}");
    }

    // strapi.log.info('In the middleware'), any number of times
    bool take_logging() {
        while (script_.take("strapi.log.")) {
            script_.take_next();
            bool const is_data = script_.take("(") && script_.take_literal() && script_.take(")");
            if (!is_data) return false;
        }
        return true;
    }

    bool take_populate() {
        if (auto const known = constants_.find(script_.next()); known != constants_.end()) {
            populate_ = known->second;
            script_.take_next();
        } else {
            populate_ = script_.take_literal();
        }
        return populate_.has_value();
    }

    db::ScriptReader script_;
    std::map<std::string, json::value, std::less<>> constants_;
    std::optional<json::value> populate_;
};

// Returns what a middleware sets, as an entry of the file.
parser::Result<json::object> derive(std::filesystem::path const& source, std::string const& uid) {
    auto const path = db::find_middleware(source, uid);
    if (!path) return path.error();
    auto const text = db::read_text(*path);
    if (!text) return text.error();
    auto populate = assigned_populate(*text);
    if (!populate) {
        auto error = populate.error();
        error.message.insert(0, path->string() + ": ");
        return error;
    }
    return json::object{{"middleware", uid},
                        {"sha256", db::sha256_of(*text)},
                        {"always", json::object{{"populate", *std::move(populate)}}}};
}

} // namespace

parser::Result<json::value> assigned_populate(std::string_view source) {
    return MiddlewareCode(source).read();
}

std::vector<Finding> check_default_parameters(Options const& options, db::Schema const& schema) {
    std::vector<Finding> findings;
    for (auto const& [what, why] : schema.unused_defaults)
        findings.push_back(
            {Finding::problem, "default-parameters: " + what + ": " + why,
             "look at the middleware, then run populate-fcgi check --write-defaults " +
                 options.default_parameters + ", or write the entry yourself"});
    auto const source = source_folder(options.schema);
    for (auto const& [uid, type] : schema.types)
        for (auto const& [action, middleware] : type->middlewares) {
            if (middleware.not_served.empty() || !type->not_served.empty()) continue;
            auto const entry = derive(source, middleware.uid);
            findings.push_back(
                {Finding::note, uid + '.' + action + " is not served: " + middleware.not_served,
                 entry ? "run populate-fcgi check --write-defaults defaults.json: it writes what "
                         "replaces the middleware, and reports what to set"
                       : "write an entry in default-parameters for it, or let the CMS serve it; " +
                             entry.error().message});
        }
    return findings;
}

DerivedDefaults derive_defaults(json::object file, Options const& options,
                                db::Schema const& schema) {
    DerivedDefaults result{std::move(file), 0, {}};
    auto const source = source_folder(options.schema);
    for (auto const& [uid, type] : schema.types)
        for (auto const& [action, middleware] : type->middlewares) {
            auto entry = derive(source, middleware.uid);
            if (!entry) {
                result.left.push_back(uid + '.' + action + ": " + entry.error().message);
                continue;
            }
            auto& actions = result.file[uid];
            if (!actions.is_object()) actions.emplace_object();
            actions.get_object()[action] = *std::move(entry);
            ++result.derived;
        }
    return result;
}

} // namespace fcgi
