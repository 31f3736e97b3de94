#include "fcgi/server/server.hpp"

#include "fcgi/process/systemd.hpp"
#include "fcgi/server/dispatcher.hpp"
#include "fcgi/server/worker.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

#include <pthread.h>

namespace fcgi {

namespace {

Dispatcher* running = nullptr; // receives the signals

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

// The dispatcher, and a fixed number of workers, each on its own thread.
class RunningServer {
  public:
    RunningServer(Listener& listener, Service& service, ServerOptions const& options)
        : queue_(options), dispatcher_(listener, service, options, queue_) {
        try {
            for (std::size_t i = 0; i < options.workers; ++i)
                workers_.emplace_back([worker = std::make_unique<Worker>(
                                           service, options, queue_, dispatcher_.returned(),
                                           busy_threads_)] { worker->run(); });
        } catch (...) { // the system has no thread for one of them
            end_workers();
            throw;
        }
    }
    ~RunningServer() { end_workers(); }

    Dispatcher& dispatcher() { return dispatcher_; }

  private:
    // They answer the requests that were handed over first.
    void end_workers() {
        queue_.close();
        for (auto& worker : workers_)
            worker.join();
    }

    RequestQueue queue_;
    Dispatcher dispatcher_;
    std::atomic<std::size_t> busy_threads_ = 0;
    std::vector<std::thread> workers_;
};

} // namespace

// Threads that start inherit the mask: only the dispatcher's is ever interrupted. A signal that
// arrives meanwhile waits for its handler.
void block_signals() {
    auto const signals = handled_signals();
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

int run_until_signalled(Listener& listener, Dispatcher& dispatcher, Observer const& observe) {
    running = &dispatcher;
    install_handlers();
    auto const signals = handled_signals();
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    observe(Notice{"serving", {listener.address()}});
    notify_systemd("READY=1");
    int const result = dispatcher.run();
    block_signals(); // from here on a handler would find no dispatcher
    return result;
}

int serve(Listener& listener, Service& service, ServerOptions const& options) try {
    block_signals();
    auto server = std::make_unique<RunningServer>(listener, service, options);
    int const result = run_until_signalled(listener, server->dispatcher(), options.observe);
    // Workers that were cut off run until the process ends, and use the server.
    if (result != 0) static_cast<void>(server.release());
    options.observe(Notice{"stopped"});
    return result;
} catch (std::exception const& error) {
    options.observe(Notice{"cannot-serve", {error.what()}});
    return 1;
}

} // namespace fcgi
