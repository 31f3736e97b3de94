#include "fcgi/connections/server.hpp"

#include "fcgi/connections/dispatcher.hpp"
#include "fcgi/process/systemd.hpp"

#include <cerrno>
#include <csignal>
#include <exception>
#include <memory>
#include <string>

#include <pthread.h>

namespace fcgi {

namespace {

Dispatcher* running = nullptr; // what the signals are for

sigset_t handled_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (int number : {SIGTERM, SIGINT, SIGHUP})
        sigaddset(&signals, number);
    return signals;
}

void on_signal(int number) {
    int const saved = errno;
    number == SIGHUP ? running->reload() : running->stop();
    errno = saved;
}

// A web server that ends a FastCGI program may send it SIGUSR1 first.
void install_handlers() {
    struct sigaction action{};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    for (int number : {SIGTERM, SIGINT, SIGHUP})
        ::sigaction(number, &action, nullptr);
    action.sa_handler = SIG_IGN;
    for (int number : {SIGPIPE, SIGUSR1})
        ::sigaction(number, &action, nullptr);
}

} // namespace

int serve(Listener& listener, ServerOptions const& options, Handler const& handler) try {
    // Blocked while the threads start, which inherit that: only this thread is ever interrupted. A
    // signal that comes meanwhile waits for its handler.
    auto const signals = handled_signals();
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    auto dispatcher = std::make_unique<Dispatcher>(listener, options, handler);
    running = dispatcher.get();
    install_handlers();
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);

    options.observe(event::Serving{listener.address()});
    tell_systemd("READY=1");
    int const result = dispatcher->run();
    // From here on a handler would find no dispatcher.
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    // Handlers that were cut off go on until the process ends, and use it.
    if (result != 0) static_cast<void>(dispatcher.release());
    options.observe(event::Stopped{});
    return result;
} catch (std::exception const& error) {
    options.observe(event::Threw{event::Threw::While::starting, error.what()});
    return 1;
}

} // namespace fcgi
