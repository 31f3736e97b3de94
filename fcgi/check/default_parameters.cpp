#include "fcgi/check/default_parameters.hpp"

#include "db/schema/default_parameters.hpp"
#include "db/schema/project_folder.hpp"
#include "fcgi/check/middleware_code.hpp"
#include "fcgi/check/project_scripts.hpp"

namespace fcgi {

namespace json = boost::json;

namespace {

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
