#include "disturbances.hpp"

#include "session.hpp"
#include "tests/faults/chaos_proxy.hpp"

#include <atomic>
#include <charconv>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>

namespace hammer {

using db::SqlPiece;
using db::SqlText;
using std::chrono::milliseconds;

namespace {

struct Hands {
    explicit Hands(Surroundings const& given)
        : around(given), session(db::parse_database_url(given.run.options.owner).value().first()) {}

    // In turn.
    void run_next(std::initializer_list<SqlPiece> statements) {
        session.run(statements.begin()[turn++ % statements.size()]);
    }

    Surroundings const around;
    Session session;
    std::size_t turn = 0;
    std::mt19937_64 random;
};

// Killed, stopped and reset by one at a time: a server that is killed while it makes its log anew
// does not start again.
std::mutex server_process;

std::string name_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/comm");
    std::string name;
    file >> name;
    return name;
}

bool is_server(pid_t process) {
    auto const name = name_of(process);
    return name == "mariadbd" || name == "mysqld";
}

pid_t process_of(std::string const& pid_file) {
    pid_t process = -1;
    std::ifstream(pid_file) >> process;
    return process;
}

pid_t server(Options const& options) {
    auto const process = process_of(options.server_pid_file);
    return is_server(process) ? process : -1;
}

// Does what keeps changes from what is in front. If that takes longer than half of the bound, and
// on until the bound has passed, answers may be as old as that and the bound.
void interrupt(Run& run, std::function<void()> const& act) {
    if (run.options.ask.empty()) return act();
    auto const start = Clock::now();
    run.interruptions.begin();
    act();
    if (Clock::now() - start > run.options.bound / 2)
        std::this_thread::sleep_for(run.options.bound);
    run.interruptions.end();
}

void kill_server(Hands& hands) {
    std::lock_guard const lock(server_process);
    auto const process = server(hands.around.run.options);
    if (process < 0) return;
    interrupt(hands.around.run, [&] {
        ::kill(process, SIGKILL);
        while (is_server(process))
            std::this_thread::sleep_for(milliseconds(5));
        if (std::system(hands.around.run.options.server_start.c_str()) != 0)
            throw std::runtime_error("the server does not start again");
    });
}

// Whoever started it starts it again.
void kill_by_file(std::string const& pid_file, std::string_view name) {
    pid_t const process = process_of(pid_file);
    if (process < 0 || name_of(process) != name) return;
    ::kill(process, SIGKILL);
    auto const end = Clock::now() + std::chrono::seconds(20);
    while (process_of(pid_file) == process && Clock::now() < end)
        std::this_thread::sleep_for(milliseconds(5));
}

void kill_notify(Hands& hands) {
    interrupt(hands.around.run,
              [&] { kill_by_file(hands.around.run.options.notify_pid_file, "populate-fcgi"); });
}

void kill_varnish(Hands& hands) {
    kill_by_file(hands.around.run.options.varnish_pid_file, "varnishd");
}

void stop_server(Hands& hands) {
    std::lock_guard const lock(server_process);
    auto const process = server(hands.around.run.options);
    if (process < 0) return;
    ::kill(process, SIGSTOP);
    std::this_thread::sleep_for(milliseconds(250));
    ::kill(process, SIGCONT);
}

// In quick succession, so that some change files while commits are written; the rest between is for
// what is kept, since after a change MariaDB vouches for nothing for about a second.
void rotate(Hands& hands) {
    for (int i = 0; i < 12; ++i) {
        if (i > 0) std::this_thread::sleep_for(milliseconds(83));
        hands.session.run(SqlPiece("FLUSH BINARY LOGS"));
    }
}

void reset(Hands& hands) {
    std::lock_guard const lock(server_process);
    hands.session.run(hands.session.is_mariadb() ? SqlPiece("RESET MASTER")
                                                 : SqlPiece("RESET BINARY LOGS AND GTIDS"));
}

void cut_streams(Hands& hands) {
    for (auto const& id : hands.session.column(SqlPiece(
             "SELECT ID FROM information_schema.PROCESSLIST WHERE COMMAND LIKE 'Binlog Dump%'"))) {
        std::uint64_t number = 0;
        std::from_chars(id.data(), id.data() + id.size(), number);
        SqlText sql(SqlPiece("KILL "));
        hands.session.run(sql.integer(number));
    }
}

void disturb_network(Hands& hands) {
    auto& proxy = hands.around.proxy;
    if (hands.turn++ % 2 == 0) return proxy.close_connections();
    proxy.set({.hold_replies = true});
    std::this_thread::sleep_for(milliseconds(150));
    proxy.heal();
}

void show_status(Hands& hands) {
    hands.session.column(hands.turn++ % 2 == 0 ? SqlPiece("SHOW STATUS LIKE 'binlog_snapshot_%'")
                                               : SqlPiece("SHOW GLOBAL STATUS LIKE 'Threads_%'"));
}

// As a dump does.
void show_status_in_snapshot(Hands& hands) {
    hands.session.run(SqlPiece("START TRANSACTION WITH CONSISTENT SNAPSHOT"));
    for (int i = 0; i < 5; ++i)
        show_status(hands);
    hands.session.run(SqlPiece("COMMIT"));
}

void restart(Hands& hands) {
    hands.around.application.restart();
}

void reload(Hands& hands) {
    hands.around.application.reload();
}

void change_format(Hands& hands) {
    hands.run_next({"SET GLOBAL binlog_format = 'MIXED'", "SET GLOBAL binlog_format = 'ROW'"});
}

void change_tables(Hands& hands) {
    hands.run_next({"ALTER TABLE gammas ADD COLUMN extra INT",
                    "ALTER TABLE betas_next_links COMMENT = 'changed'",
                    "ALTER TABLE gammas DROP COLUMN extra",
                    "ALTER TABLE betas_next_links COMMENT = ''"});
}

// Commits wait for a replica that is not there: what the log has is not visible yet for so long.
// The server gives up at the first, and is told to wait again.
void delay_visibility(Hands& hands) {
    if (hands.session.is_mariadb())
        return hands.run_next({"SET GLOBAL rpl_semi_sync_master_wait_point = 'AFTER_SYNC'",
                               "SET GLOBAL rpl_semi_sync_master_timeout = 150",
                               "SET GLOBAL rpl_semi_sync_master_enabled = OFF",
                               "SET GLOBAL rpl_semi_sync_master_enabled = ON"});
    if (hands.turn == 0)
        hands.session.run(
            SqlPiece("INSTALL PLUGIN rpl_semi_sync_source SONAME 'semisync_source.so'"));
    hands.run_next({"SET GLOBAL rpl_semi_sync_source_timeout = 150",
                    "SET GLOBAL rpl_semi_sync_source_enabled = OFF",
                    "SET GLOBAL rpl_semi_sync_source_enabled = ON"});
}

// Until the server says so, or no longer than a commit waits.
void wait_for(Hands& hands, SqlPiece status, std::string_view wanted) {
    for (auto const end = Clock::now() + milliseconds(300); Clock::now() < end;)
        for (auto const& value : hands.session.column(status))
            if (value == wanted) return;
}

// MariaDB's report of how far commits are visible becomes a pair of two logs
// (db/binlog/settlement): the log changes while a commit waits, which is then the last of the old
// one to become visible; and the first of the new one waits again, so that the pair stays for a
// while. The old log has to be longer than the new one.
void tear(Hands& hands) {
    if (!hands.session.is_mariadb()) return;
    auto const let_commits_wait = [&] {
        hands.session.run(SqlPiece("SET GLOBAL rpl_semi_sync_master_enabled = OFF"));
        hands.session.run(SqlPiece("SET GLOBAL rpl_semi_sync_master_enabled = ON"));
    };
    hands.session.run(SqlPiece("SET GLOBAL rpl_semi_sync_master_wait_point = 'AFTER_SYNC'"));
    hands.session.run(SqlPiece("SET GLOBAL rpl_semi_sync_master_timeout = 150"));
    let_commits_wait();
    wait_for(hands,
             SqlPiece("SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE "
                      "VARIABLE_NAME = 'Rpl_semi_sync_master_wait_sessions'"),
             "1");
    hands.session.run(SqlPiece("FLUSH BINARY LOGS"));
    wait_for(hands,
             SqlPiece("SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE "
                      "VARIABLE_NAME = 'Rpl_semi_sync_master_status'"),
             "OFF");
    let_commits_wait();
}

void run_command(std::string const& command) {
    if (command.empty() || std::system(command.c_str()) != 0)
        throw std::runtime_error("this fails: '" + command + '\'');
}

// Between `notify` and Varnish, the database, and both. When in an attempt of `notify` it ends is
// another one each time.
void lose_network(Hands& hands) {
    auto const& options = hands.around.run.options;
    auto const turn = hands.turn++ % 3;
    std::uniform_int_distribution<std::int64_t> length(shortest_outage.count(),
                                                       longest_outage.count());
    interrupt(hands.around.run, [&] {
        if (turn != 1) run_command(options.lose_varnish);
        if (turn != 0) run_command(options.lose_database);
        std::this_thread::sleep_for(milliseconds(length(hands.random)));
        run_command(options.lose_nothing);
    });
}

struct Kind {
    std::string name;
    milliseconds period;
    void (*happen)(Hands&);
    std::string Options::* needed = &Options::owner; // it is not of `all` where this is empty
};

Kind const kinds[] = {
    {"kill", milliseconds(8'000), kill_server},
    {"stop", milliseconds(5'000), stop_server},
    {"rotate", milliseconds(4'000), rotate},
    {"reset", milliseconds(3'700), reset},
    {"cut", milliseconds(1'100), cut_streams},
    {"network", milliseconds(2'900), disturb_network},
    {"visibility", milliseconds(60), delay_visibility},
    {"tear", milliseconds(700), tear},
    {"status", milliseconds(0), show_status},
    {"snapshots", milliseconds(0), show_status_in_snapshot},
    {"restart", milliseconds(6'100), restart},
    {"reload", milliseconds(1'300), reload},
    {"format", milliseconds(2'900), change_format},
    {"tables", milliseconds(1'900), change_tables},
    {"notify", milliseconds(5'300), kill_notify, &Options::notify_pid_file},
    {"varnish", milliseconds(7'700), kill_varnish, &Options::varnish_pid_file},
    {"outage", milliseconds(5'000), lose_network, &Options::lose_nothing},
};

} // namespace

std::string disturbance_names() {
    std::string names;
    for (auto const& kind : kinds)
        names += (names.empty() ? "" : ", ") + kind.name;
    return names;
}

struct Disturbances::Disturbance {
    Disturbance(Kind const& given, Surroundings const& surroundings)
        : kind(given),
          hands(surroundings),
          thread([this](std::stop_token stopped) { run(stopped); }) {}

    void run(std::stop_token const& stopped) try {
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock lock(mutex);
        while (
            !wake.wait_for(lock, stopped, kind.period, [&] { return stopped.stop_requested(); })) {
            ++count;
            kind.happen(hands);
        }
    } catch (std::exception const& error) {
        std::lock_guard const lock(failing);
        failure = kind.name + ": " + error.what();
    }

    Kind const& kind;
    Hands hands;
    std::atomic<std::uint64_t> count = 0;
    mutable std::mutex failing;
    std::optional<std::string> failure;
    std::jthread thread;
};

Disturbances::Disturbances(Surroundings const& surroundings) {
    auto const& options = surroundings.run.options;
    for (auto const& kind : kinds)
        if (options.disturbances.contains(kind.name) ||
            (options.disturbances.contains("all") && !(options.*kind.needed).empty()))
            running_.push_back(std::make_unique<Disturbance>(kind, surroundings));
}

Disturbances::~Disturbances() = default;

std::string Disturbances::counts() const {
    std::string text;
    for (auto const& disturbance : running_)
        text += (text.empty() ? "" : ", ") + disturbance->kind.name + ' ' +
                std::to_string(disturbance->count);
    return text;
}

std::optional<std::string> Disturbances::failure() const {
    for (auto const& disturbance : running_) {
        std::lock_guard const lock(disturbance->failing);
        if (disturbance->failure) return disturbance->failure;
    }
    return {};
}

} // namespace hammer
