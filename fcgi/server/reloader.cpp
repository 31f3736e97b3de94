#include "fcgi/server/reloader.hpp"

#include <exception>

namespace fcgi {

Reloader::Reloader(ServerOptions const& options) : options_(options) {
    if (options_.reload) thread_ = std::jthread([this](std::stop_token stopped) { run(stopped); });
}

Reloader::~Reloader() {
    thread_.request_stop();
    ask();
}

void Reloader::run(std::stop_token const& stopped) {
    for (unsigned seen = 0;;) {
        wanted_.wait(seen);
        if (stopped.stop_requested()) return;
        seen = wanted_;
        try {
            options_.reload();
        } catch (std::exception const& error) { // no memory for the new schema, for example
            options_.observe(Notice{"schema-kept", {error.what()}});
        }
    }
}

} // namespace fcgi
