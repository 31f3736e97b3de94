#include "fcgi/observation/event_log.hpp"

#include "fcgi/answer/handle_request.hpp"
#include "fcgi/http/error_status.hpp"
#include "fcgi/log/log.hpp"
#include "fcgi/observation/access_log.hpp"

#include <cmath>
#include <cstring>
#include <string>

#include <sys/wait.h>

namespace fcgi {

namespace {

std::string with_cure(std::string_view before, std::string_view what, std::string_view cure) {
    std::string line(before);
    line.append(what);
    return cure.empty() ? line : line.append("; ").append(cure);
}

struct Line {
    Options const& options;

    void operator()(event::Handled const& handled) const {
        auto const& error = handled.workings.error;
        if (error && error_status(error->kind).status >= 500 && !error->cause.empty())
            log_repeatable(error->cause);
        log_if_slow(handled, options);
    }
    void operator()(event::Answered const& answered) const { log_answered(answered, options); }
    void operator()(event::Threw const& threw) const {
        using enum event::Threw::While;
        if (threw.during == starting) log_line("cannot serve: ", threw.why);
        if (threw.during == answering) log_line("a request failed: ", threw.why);
        if (threw.during == apologising) log_line("a request was not answered: ", threw.why);
    }
    void operator()(event::Serving const& serving) const {
        log_line("serving at ", serving.address);
    }
    void operator()(event::AcceptFailed const& failed) const {
        log_repeatable(std::string("cannot accept connections: ") + std::strerror(failed.error));
    }
    void operator()(event::HostRefused const& host) const {
        log_repeatable(std::string("refused a connection from ")
                           .append(host.address)
                           .append(": listen-allow does not name it"));
    }
    void operator()(event::Stopping const& stopping) const {
        log_line("stopping, requests in flight: ", std::to_string(stopping.in_flight));
    }
    void operator()(event::CutOff const& cut) const {
        log_repeatable("requests cut off: " + std::to_string(cut.requests));
    }
    void operator()(event::Stopped const&) const { log_line("stopped"); }
    void operator()(event::Sending const&) const {} // a metric
    void operator()(event::Unread const& unread) const {
        log_repeatable(unread.memory_is_short
                           ? "cut off a client that did not read its answer: memory is short"
                           : "cut off a client that did not read its answer");
    }
    void operator()(event::SchemaRead const& read) const {
        using Cause = event::SchemaRead::Cause;
        if (read.cause == Cause::asked) log_line("reloaded");
        if (read.cause == Cause::files_changed) log_line("reloaded: the schema's files changed");
    }
    void operator()(event::SchemaKept const& kept) const {
        log_line("kept the old schema: ", kept.why);
    }
    void operator()(event::LeftOut const& left) const {
        log_line("left out: ", std::string(left.what).append(": ").append(left.why));
    }
    void operator()(event::SchemaOutdated const& outdated) const {
        log_repeatable(
            std::string("the tables are not what the schema says: ").append(outdated.why));
    }
    void operator()(event::SchemaLacks const& lacks) const {
        if (lacks.count == 0)
            log_line("the database has again all that the schema needs");
        else
            log_line("the database lacks what the schema needs: ", lacks.what);
    }
    void operator()(event::DatabaseSilent const& silent) const {
        log_line("the database does not answer yet: ", silent.why);
    }
    void operator()(event::HostChanged const& host) const {
        auto line = "database host " + std::string(host.host) + " is asked";
        if (!host.why.empty())
            line = "database host " + std::string(host.host) + " is not asked: it ";
        log_repeatable(line.append(host.why));
    }
    void operator()(event::OptionsKept const& kept) const {
        log_line("kept the old hosts of the database: ", kept.what);
    }
    void operator()(event::CacheBegan const& began) const {
        log_line("answers are kept from now on: following ", began.server);
    }
    void operator()(event::CacheEnded const& ended) const {
        log_repeatable(with_cure("no answers are kept for now: ", ended.why, ended.cure));
    }
    void operator()(event::CacheRefused const& refused) const {
        log_line(with_cure("no answers are kept: ", refused.what, refused.cure));
    }
    void operator()(event::CacheVoided const& voided) const {
        log_line(with_cure("statements void all kept answers more than once a second, the last: ",
                           voided.first_word, voided.cure));
    }
    void operator()(event::ProcessEnded const& ended) const {
        std::string line = "process " + std::to_string(ended.process);
        if (WIFSIGNALED(ended.status))
            line += " ended by signal " + std::to_string(WTERMSIG(ended.status));
        else
            line += " ended with " + std::to_string(WEXITSTATUS(ended.status));
        log_line(line += "; another starts in " + std::to_string(ended.pause.count()) + " ms");
    }
    void operator()(event::ProcessNotStarted const& failed) const {
        log_line("cannot start a process: ", std::strerror(failed.error));
    }
};

} // namespace

void EventLog::operator()(Event const& event) const try {
    std::visit(Line{options_}, event);
} catch (std::exception const& error) { // no memory for the line
    log_line("an event was not noted: ", error.what());
}

} // namespace fcgi
