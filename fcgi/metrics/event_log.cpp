#include "fcgi/metrics/event_log.hpp"

#include "fcgi/answer/handle_request.hpp"
#include "fcgi/http/answer.hpp"
#include "fcgi/metrics/access_log.hpp"
#include "fcgi/process/log.hpp"

#include <cstring>
#include <string>

namespace fcgi {

namespace {

std::string with_fix(std::string_view before, std::string_view what, std::string_view fix) {
    std::string line(before);
    line.append(what);
    return fix.empty() ? line : line.append("; ").append(fix);
}

struct Line {
    LogOptions const& options;

    void operator()(event::Handled const& handled) const {
        auto const& error = handled.context.error;
        auto const status = error ? error_status(error->kind).status : 200;
        if (status >= 500 && !error->cause.empty())
            log_repeatable(status == 500 ? LogLevel::error : LogLevel::warning, error->cause);
        log_if_slow(handled, options);
    }
    void operator()(event::Answered const& answered) const { log_answered(answered, options); }
    void operator()(event::Threw const& threw) const {
        using enum event::Threw::While;
        if (threw.during == starting) log_line(LogLevel::error, "cannot serve: ", threw.why);
        if (threw.during == answering)
            log_line(LogLevel::error, "could not handle a request: ", threw.why);
        if (threw.during == apologising)
            log_line(LogLevel::error, "could not send an error response: ", threw.why);
    }
    void operator()(event::Starting const& starting) const {
        LogLine line(LogLevel::info, "starting");
        line.add("version", POPULATE_VERSION).add("project", starting.project);
        line.add("database", starting.database).add("listen", starting.listen);
        if (!starting.metrics.empty()) line.add("metrics", starting.metrics);
        line.write();
    }
    void operator()(event::Serving const& serving) const {
        log_line(LogLevel::info, "serving at ", serving.address);
    }
    void operator()(event::AcceptFailed const& failed) const {
        log_repeatable(LogLevel::error,
                       std::string("cannot accept connections: ") + std::strerror(failed.error));
    }
    void operator()(event::IdleClosed const&) const {
        log_repeatable(
            LogLevel::warning,
            "closed idle connections to accept new ones, because no file descriptors were left");
    }
    void operator()(event::HeadRefused const& head) const {
        log_repeatable(LogLevel::warning, std::string("refused a request: ").append(head.why));
    }
    void operator()(event::HostRefused const& host) const {
        log_repeatable(LogLevel::warning, std::string("refused a connection from ")
                                              .append(host.address)
                                              .append(": listen-allow does not name it"));
    }
    void operator()(event::Stopping const& stopping) const {
        log_line(LogLevel::info,
                 "stopping, requests in flight: ", std::to_string(stopping.in_flight));
    }
    void operator()(event::CutOff const& cut) const {
        log_repeatable(LogLevel::warning, "requests cut off: " + std::to_string(cut.requests));
    }
    void operator()(event::Stopped const&) const { log_line(LogLevel::info, "stopped"); }
    void operator()(event::Sending const&) const {} // only a metric
    void operator()(event::Unread const& unread) const {
        log_repeatable(
            LogLevel::warning,
            unread.memory_is_short
                ? "cut off a client that did not read its response, because memory is short"
                : "cut off a client that did not read its response");
    }
    void operator()(event::SchemaRead const& read) const {
        using Cause = event::SchemaRead::Cause;
        if (read.cause == Cause::asked) log_line(LogLevel::info, "reloaded");
        if (read.cause == Cause::files_changed)
            log_line(LogLevel::info, "reloaded, because the schema files have changed");
    }
    void operator()(event::FilesUnwatched const& files) const {
        log_line(
            LogLevel::warning,
            "the schema files cannot be watched and are compared every 5 s instead: ", files.what);
    }
    void operator()(event::SchemaKept const& kept) const {
        log_line(LogLevel::error,
                 "kept the old schema, because the new one cannot be used: ", kept.why);
    }
    void operator()(event::LeftOut const& left) const {
        log_line(LogLevel::warning,
                 "left out: ", std::string(left.what).append(": ").append(left.why));
    }
    void operator()(event::SchemaOutdated const& outdated) const {
        log_repeatable(LogLevel::warning,
                       std::string("the tables do not match the schema: ").append(outdated.why));
    }
    void operator()(event::SchemaLacks const& lacks) const {
        if (lacks.count == 0)
            log_line(LogLevel::info, "the database now has everything that the schema needs");
        else
            log_line(LogLevel::error,
                     "the database lacks tables or columns that the schema needs: ", lacks.what);
    }
    void operator()(event::IndexesMissing const& indexes) const {
        if (indexes.count > 0)
            log_line(LogLevel::error,
                     "indexes are gone, so requests that use them are slow: ", indexes.what);
        else if (!indexes.what.empty())
            log_line(LogLevel::warning,
                     "the indexes cannot be compared with the file: ", indexes.what);
        else
            log_line(LogLevel::info, "all indexes of the file exist");
    }
    void operator()(event::ReleaseUnknown const& unknown) const {
        if (!unknown.release.empty())
            log_line(LogLevel::warning, "Strapi " + std::string(unknown.release) +
                                            " is newer than this program knows, and is served as " +
                                            std::string(unknown.newest));
    }
    void operator()(event::DatabaseSilent const& silent) const {
        log_line(LogLevel::error, "the database does not answer yet: ", silent.why);
    }
    void operator()(event::DatabaseAway const& database) const { // the reason is logged by requests
        if (!database.is_away) log_repeatable(LogLevel::info, "the database answers again");
    }
    void operator()(event::ConnectionsRefused const& refused) const {
        log_repeatable(LogLevel::warning, "connections: " + std::to_string(refused.wanted) +
                                              ", of which the database grants " +
                                              std::to_string(refused.granted) + ": " +
                                              std::string(refused.why));
    }
    void operator()(event::HostChanged const& host) const {
        auto line = "database host " + std::string(host.host) + " is used";
        if (!host.why.empty())
            line = "database host " + std::string(host.host) + " is not used: it ";
        log_repeatable(host.why.empty() ? LogLevel::info : LogLevel::warning,
                       line.append(host.why));
    }
    void operator()(event::OptionsWait const& waiting) const {
        log_line(LogLevel::warning,
                 "these settings have changed and take effect after a restart: ", waiting.names);
    }
    void operator()(event::OptionsKept const& kept) const {
        log_line(LogLevel::error, "kept the old database hosts: ", kept.what);
    }
    void operator()(event::CacheBegan const& began) const {
        log_line(LogLevel::info, "the cache begins: following the binlog of ", began.server);
    }
    void operator()(event::CacheEnded const& ended) const {
        log_repeatable(LogLevel::warning,
                       with_fix("the cache is off for now: ", ended.why, ended.fix));
    }
    void operator()(event::CacheRefused const& refused) const {
        std::string what(refused.what);
        if (!refused.detail.empty()) what.append(": ").append(refused.detail);
        log_line(LogLevel::warning, with_fix("the cache is off: ", what, refused.fix));
    }
    void operator()(event::CacheVoided const& voided) const {
        log_line(
            LogLevel::warning,
            with_fix("statements invalidate the whole cache more than once a second, the last: ",
                     voided.first_word, voided.fix));
    }
};

} // namespace

EventLog::EventLog(LogOptions const& options) : current_(std::make_shared<Current>()) {
    use(options);
}

void EventLog::use(LogOptions const& options) const {
    set_log(options.format, options.level);
    current_->requests = options.requests;
    current_->query = options.query;
    current_->slow = options.slow;
}

void EventLog::operator()(Event const& event) const try {
    LogOptions const options{
        .requests = current_->requests, .query = current_->query, .slow = current_->slow};
    std::visit(Line{options}, event);
} catch (std::exception const& error) { // no memory for the line
    log_line(LogLevel::error, "an event could not be logged: ", error.what());
}

} // namespace fcgi
