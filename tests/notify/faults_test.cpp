#include "tests/notify/fixture.hpp"

#include "tests/faults/chaos_proxy.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <functional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

// What may go wrong around the command notify, one thing after the other. Every transaction's
// names, or `site`, arrive at each target.

namespace fs = std::filesystem;
using namespace notifying;
using namespace std::chrono_literals;
using db::SqlPiece;
using db::SqlText;
using stand_in::eventually;
using Mode = stand_in::StandIn::Mode;

BOOST_AUTO_TEST_SUITE(notify_faults)

namespace {

struct Proxied {
    std::string const socket = server::owner().socket + ".notify";
    faults::ChaosProxy proxy{socket, server::owner().socket};
};

struct Faulty : Proxied, Notifying {
    Faulty() : Notifying(socket) { await_settled(); }

    // Inserts a row, or several in one transaction. Returns the name of the last.
    std::string write(std::uint64_t rows = 1) {
        SqlText statement(SqlPiece("INSERT INTO tags (id, name) VALUES "));
        for (std::uint64_t row = 0; row < rows; ++row) {
            statement << (row > 0 ? SqlPiece(", (") : SqlPiece("("));
            statement.integer(++last_id) << SqlPiece(", 'x')");
        }
        sql(statement);
        return name_of("tags.id=" + std::to_string(last_id));
    }

    bool each(std::function<bool(Listener const&)> const& holds) const {
        return eventually([&] {
            return std::ranges::all_of(all, [&](auto const* target) { return holds(*target); });
        });
    }
    bool all_are_asked(std::string const& name, std::size_t times = 1) const {
        return each([&](Listener const& target) { return target.attempts(name) >= times; });
    }
    bool all_acknowledge(std::string const& name) const {
        return each([&](Listener const& target) { return target.times(name) > 0; });
    }
    // Both times, or `site` where it may be told instead.
    bool arrives_everywhere(std::string const& name, bool is_told_by_rows = true) const {
        return each([&](Listener const& target) {
            return target.times(name) >= 2 ||
                   (!is_told_by_rows && target.times(names.of_all()) > 0);
        });
    }
    void set_all(Listener::Behaviour const& behaviour) const {
        for (auto* const target : all)
            target->set(behaviour);
    }
    void set_all_after(std::size_t requests, Listener::Behaviour const& behaviour) const {
        for (auto* const target : all)
            target->set_after(requests, behaviour);
    }

    void misses_nothing_of_targets_that_fail(Listener& target);

    // Until the state says that nothing is left to tell.
    void await_written() const {
        auto rows = owner->query(owner->is_mariadb() ? SqlPiece("SHOW MASTER STATUS")
                                                     : SqlPiece("SHOW BINARY LOG STATUS"));
        BOOST_TEST_REQUIRE((rows && rows->next()));
        auto const offset = "\"offset\":" + std::string(rows->text(1)) + ',';
        BOOST_TEST(eventually([&] { return text_of(state).find(offset) != std::string::npos; }));
    }

    // Somebody connects to the database, and has not come further.
    bool somebody_logs_in() const {
        return eventually([&] {
            return server::ask(*owner,
                               SqlPiece("SELECT COUNT(*) FROM information_schema.PROCESSLIST"
                                        " WHERE USER = 'unauthenticated user'")) != "0";
        });
    }
    bool has_open(fs::path const& path) const {
        return eventually([&] {
            auto const open =
                fs::directory_iterator("/proc/" + std::to_string(program->id()) + "/fd");
            std::error_code gone;
            return std::ranges::any_of(
                open, [&](auto const& entry) { return fs::read_symlink(entry, gone) == path; });
        });
    }

    // Where it writes the next state.
    fs::path const next_state = state.string() + ".new";
    std::array<Listener*, 3> const all{&varnish, &site, &cdn};
    std::uint64_t last_id = 9'100;
};

// While one fails, the others are told; later it is told the same, row by row.
void Faulty::misses_nothing_of_targets_that_fail(Listener& target) {
    auto const asked = [&](std::size_t times) {
        return [&, times](std::string const& name) {
            return eventually([&] { return target.attempts(name) >= times; });
        };
    };
    struct {
        char const* what;
        std::function<void()> begins;
        std::function<bool(std::string const& name)> is_noticed;
        bool is_failure = true;
    } const table[] = {
        {"down", [&] { target.go_down(); }, [&](auto const&) { return logs("does not take"); }},
        {"slow", [&] { target.set({.mode = Mode::holds}); }, asked(1), false},
        {"500", [&] { target.set({.status = 500}); }, asked(2)},
        {"hanging", [&] { target.set({.mode = Mode::hangs}); }, asked(2)},
        {"half an answer", [&] { target.set({.mode = Mode::responds_half}); }, asked(2)},
    };
    for (auto const& [what, begins, is_noticed, is_failure] : table) {
        BOOST_TEST_CONTEXT(what) {
            forget();
            begins();
            auto const first = write();
            BOOST_TEST(is_noticed(first));
            auto const second = write();
            for (auto const& name : {first, second}) {
                for (auto const* const other : all)
                    if (other != &target)
                        BOOST_TEST(eventually([&] { return other->times(name) > 0; }));
                BOOST_TEST(target.times(name) == 0U);
            }
            if (target.is_down())
                target.come_back();
            else
                target.set({});
            BOOST_TEST(arrives_everywhere(first));
            BOOST_TEST(arrives_everywhere(second));
            BOOST_TEST(target.times(names.of_all()) == 0U);
            BOOST_TEST((log().find("does not take") != std::string::npos) == is_failure);
        }
    }
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_varnish_that_fails_misses_nothing, Faulty) {
    misses_nothing_of_targets_that_fail(varnish);
}

BOOST_FIXTURE_TEST_CASE(a_webhook_that_fails_misses_nothing, Faulty) {
    misses_nothing_of_targets_that_fail(site);
}

BOOST_FIXTURE_TEST_CASE(a_template_that_fails_misses_nothing, Faulty) {
    misses_nothing_of_targets_that_fail(cdn);
}

BOOST_FIXTURE_TEST_CASE(a_log_that_is_rotated_or_purged_hides_nothing, Faulty) {
    auto const rotate = [&] { sql("FLUSH BINARY LOGS"); };
    // The server keeps what it believes that somebody reads.
    auto const purge = [&] {
        rotate();
        BOOST_TEST(eventually([&] {
            sql("PURGE BINARY LOGS BEFORE '2037-01-01'");
            auto files = owner->query(SqlPiece("SHOW BINARY LOGS"));
            return files && files->next() && !files->next();
        }));
    };
    struct {
        char const* what;
        bool runs;
        std::function<void()> happens;
        bool is_told_by_rows = true;
    } const table[] = {
        {"rotated while it follows", true, rotate},
        {"purged behind it", true, purge},
        {"rotated while it does not run", false, rotate},
        {"purged while it does not run", false, purge, false},
    };
    for (auto const& [what, runs, happens, is_told_by_rows] : table) {
        BOOST_TEST_CONTEXT(what) {
            forget();
            auto const before = write();
            BOOST_TEST(arrives_everywhere(before));
            if (!runs) end(SIGTERM);
            forget();
            auto const meanwhile = write();
            happens();
            auto const after = write();
            if (!runs) start();
            for (auto const& name : {meanwhile, after})
                BOOST_TEST(arrives_everywhere(name, is_told_by_rows));
            BOOST_TEST((times_site() == 0) == is_told_by_rows);
        }
    }
}

BOOST_FIXTURE_TEST_CASE(each_log_that_begins_anew_and_ends_where_it_did_is_everything, Faulty) {
    SqlPiece const update("UPDATE tags SET weight = weight + 1 WHERE id = 9001");
    server::reset_log(*owner);
    sql(update);
    BOOST_TEST(arrives_everywhere(names.of_all()));
    for (unsigned long i = 0; i < server::number("RESETS", 3); ++i) {
        forget();
        server::replace_log(*owner, update);
        BOOST_TEST_CONTEXT("reset " << i) {
            BOOST_TEST(logs("the binlog cannot be read on where it was read to"));
            BOOST_TEST(arrives_everywhere(names.of_all()));
        }
    }
}

// The state says nothing of what was not acknowledged twice.
BOOST_FIXTURE_TEST_CASE(wherever_it_is_killed_nothing_is_lost, Faulty) {
    int pipe = -1;
    struct {
        char const* where;
        std::function<std::string()> comes_there; // and has not told this name
        std::function<void()> afterwards = [] {};
        bool is_told_by_rows = true;
    } const table[] = {
        {"before it has read anything",
         [&] {
             end(SIGTERM);
             auto const name = write();
             proxy.set({.hold_replies = true});
             start();
             BOOST_TEST(somebody_logs_in());
             return name;
         }},
        {"in a transaction",
         [&] {
             auto const before = proxy.bytes_replied();
             proxy.set({.delay = 20ms, .piece = 512});
             auto const name = write(4'000); // of some 9 bytes
             BOOST_TEST(eventually([&] { return proxy.bytes_replied() > before + 8'000; }));
             proxy.set({.hold_streams = true});
             BOOST_TEST(varnish.attempts(name) == 0U);
             return name;
         }},
        {"after a request, before its acknowledgement",
         [&] {
             set_all({.mode = Mode::hangs});
             auto const name = write();
             BOOST_TEST(all_are_asked(name));
             return name;
         }},
        {"after the first acknowledgement",
         [&] {
             set_all_after(1, {.mode = Mode::hangs});
             auto const name = write();
             BOOST_TEST(all_acknowledge(name));
             return name;
         }},
        {"in the second request",
         [&] {
             set_all_after(1, {.mode = Mode::hangs});
             auto const name = write();
             BOOST_TEST(all_are_asked(name, 2));
             return name;
         }},
        {"after both acknowledgements, before it writes the state",
         [&] {
             fs::create_directory(next_state);
             auto const name = write();
             BOOST_TEST(arrives_everywhere(name));
             BOOST_TEST(logs("cannot write the state"));
             return name;
         },
         [&] { fs::remove(next_state); }},
        {"while it writes the state",
         [&] {
             BOOST_TEST_REQUIRE(::mkfifo(next_state.c_str(), 0600) == 0);
             pipe = ::open(next_state.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
             while (::write(pipe, "x", 1) == 1) {
             }
             auto const name = write();
             BOOST_TEST(arrives_everywhere(name));
             BOOST_TEST(has_open(next_state));
             return name;
         },
         [&] {
             ::close(pipe);
             fs::remove(next_state);
             auto const text = text_of(state);
             std::ofstream(next_state) << text.substr(0, text.size() / 2);
         }},
        {"while it connects again",
         [&] {
             proxy.set({.hold_replies = true});
             proxy.close_connections();
             auto const name = write();
             BOOST_TEST(somebody_logs_in());
             return name;
         }},
        {"while more waits than it keeps",
         [&] {
             set_all({.status = 503});
             BOOST_TEST(all_are_asked(write()));
             BOOST_TEST(eventually([&] { return metric("queued_names") > 0; }));
             auto const queued = metric("queued_names");
             auto const name = write(12'000);
             BOOST_TEST(eventually([&] { return metric("queued_names") == queued + 1; }));
             return name;
         },
         [] {}, false},
        {"while it ends",
         [&] {
             set_all({.mode = Mode::hangs});
             auto const name = write();
             BOOST_TEST(all_are_asked(name));
             program->signal(SIGTERM);
             BOOST_TEST(logs("stopping"));
             return name;
         }},
        {"after DDL, before it has read the tables",
         [&] {
             proxy.set({.from = "KEY_COLUMN_USAGE", .to = "KEY_COLUMN_USAGX"});
             sql("ALTER TABLE tags ADD more INT");
             BOOST_TEST(logs("cannot read schema and tables"));
             return write();
         },
         [] {}, false},
    };
    for (auto const& [where, comes_there, afterwards, is_told_by_rows] : table) {
        BOOST_TEST_CONTEXT(where) {
            await_written();
            forget();
            auto const before = comes_there();
            end(SIGKILL);
            afterwards();
            proxy.heal();
            set_all({});
            forget();
            auto const meanwhile = write();
            start();
            for (auto const& name : {before, meanwhile})
                BOOST_TEST(arrives_everywhere(name, is_told_by_rows));
            BOOST_TEST(arrives_everywhere(write(), is_told_by_rows));
            if (is_told_by_rows) BOOST_TEST(times_site() == 0U);
        }
    }
    sql("ALTER TABLE tags DROP more");
}

BOOST_AUTO_TEST_SUITE_END()
