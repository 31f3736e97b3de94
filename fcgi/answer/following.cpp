#include "fcgi/answer/following.hpp"

#include <optional>
#include <utility>
#include <variant>

namespace fcgi {

namespace {

// Turns what the change log reports of itself into events of ours.
struct Telling {
    Observer const& observe;

    void operator()(db::EpochBegan const& began) const {
        observe(Notice{"cache-began", {began.server}});
    }
    void operator()(db::EpochEnded const& ended) const {
        observe(Notice{"cache-ended", {ended.why, ended.fix}});
    }
    void operator()(db::LogRefused const& refused) const {
        for (db::Obstacle const& obstacle : refused.obstacles)
            observe(Notice{"cache-refused", {obstacle.what, obstacle.detail, obstacle.fix}});
    }
    void operator()(db::StatementsVoidAll const& statements) const {
        observe(Notice{"cache-voided", {statements.first_word, statements.fix}});
    }
    void operator()(db::ServersDiffer const& differ) const {
        observe(
            Notice{"cache-refused", {"`database` leads to more than one server", "", differ.fix}});
    }
};

// Returns the names of options that have changed, except those that a reload reads.
std::string waiting(std::map<std::string, std::string> const& before,
                    std::map<std::string, std::string> const& now) {
    std::string names;
    for (auto const& [name, text] : now) {
        bool const is_read =
            name.starts_with("log-") || name == "database" || name == "database-password-file";
        auto const found = before.find(name);
        if (is_read || (found != before.end() && found->second == text)) continue;
        names += (names.empty() ? "" : ", ") + name;
    }
    return names;
}

} // namespace

std::unique_ptr<db::ChangeLog> make_change_log(Options const& options, Observer const& observe) {
    if (!options.cache) return nullptr;
    return std::make_unique<db::ChangeLog>(
        db::ChangeLog::Settings{.url = options.cache_url,
                                .server_id = options.cache_server_id,
                                .galera_sync = options.galera_sync},
        [observe](db::ChangeLogEvent const& event) { std::visit(Telling{observe}, event); });
}

void read_options(Options const& options, Observer const& observe, db::Pool& pool) {
    if (!options.read_again) return;
    auto const again = options.read_again();
    if (!again) return observe(Notice{"settings-kept", {"the settings cannot be read"}});
    auto const names = waiting(options.written, again->written);
    if (!names.empty()) observe(Notice{"settings-wait", {names}});
    pool.hosts().replace(db::resolved(again->database_hosts));
    pool.clear(); // connections may lead to hosts that are gone
}

void follow(db::ChangeLog& log, db::DatabaseUrl const* server, Options const& options) {
    if (!server) return log.follow(std::nullopt);
    auto url = *server;
    url.user = options.cache_url.user;
    url.password = options.cache_url.password;
    log.follow(std::move(url));
}

} // namespace fcgi
