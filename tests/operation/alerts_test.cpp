#include "history.hpp"

#include "tests/faults/chaos_proxy.hpp"

#include <filesystem>
#include <fstream>
#include <regex>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

// Each alert of nginx/package/populate-fcgi.rules.yml fires for its own fault, which is made here,
// and for no other. The tests need `tests/with log example`.

using namespace operation;
using namespace std::chrono_literals;
namespace fs = std::filesystem;
using db::SqlPiece;

BOOST_AUTO_TEST_SUITE(alerts)

namespace {

constexpr std::size_t healthy_minutes = 6;

std::string chaos_socket() {
    return server::setting("POPULATE_TEST_SOCKET") + ".chaos";
}

std::string reader_through(std::string const& host_and_name) {
    return "mysql://populate:populate@" + host_and_name;
}

faults::ApplicationSettings behind_proxy(std::vector<std::string> options) {
    return {.database = reader_through("localhost/content?socket=" + chaos_socket()),
            .options = std::move(options)};
}

// An application that is asked and scraped every minute, and nothing is wrong at first.
class Watched {
  public:
    explicit Watched(faults::ApplicationSettings settings = with({}))
        : application(with_metrics(std::move(settings))) {
        for (auto const* const uri : usual)
            BOOST_TEST_REQUIRE(application.responds(uri, 200), uri << ": " << application.log());
        go_on(healthy_minutes);
    }

    // `ask` is called in each minute, whether or not there are responses.
    void go_on(std::size_t minutes, std::function<void()> const& ask) {
        for (std::size_t i = 0; i < minutes; ++i) {
            ask();
            history.add(samples());
        }
    }
    void go_on(std::size_t minutes) {
        go_on(minutes, [this] { ask_the_usual(); });
    }

    void ask_the_usual(int times = 5) const {
        for (int i = 0; i < times; ++i)
            for (auto const* const uri : usual)
                application.get(uri);
    }
    // So many that one of another kind is less than a hundredth of a minute's.
    void ask_many() const { ask_the_usual(50); }

    Samples samples() const {
        auto const response = ask_metrics("GET /metrics HTTP/1.0\r\n\r\n");
        return read_samples(response.substr(response.find("\r\n\r\n") + 4));
    }
    void wait_for(std::string const& sample, double least) const {
        BOOST_TEST_REQUIRE(eventually([&] { return samples()[sample] >= least; }), sample);
    }

    faults::ApplicationProcess application;
    History history;

  private:
    static constexpr char const* usual[] = {"/api/tags?pagination[pageSize]=2", "/api/articles/1",
                                            "/api/categories", "/api/articles?fields=title"};
};

bool somebody_waits_for_a_lock(db::Connection& owner) {
    return server::ask(owner, SqlPiece("SELECT COUNT(*) FROM information_schema.PROCESSLIST"
                                       " WHERE STATE LIKE 'Waiting for table%lock'")) != "0";
}

History gone() {
    Watched watched;
    watched.application.signal(SIGKILL);
    BOOST_TEST(watched.application.exit_code().value_or(-1) == 128 + SIGKILL);
    for (int minute = 0; minute < 4; ++minute)
        watched.history.add_nobody_answered();
    return watched.history;
}

History database_is_killed() {
    Watched watched;
    pid_t server = -1;
    std::ifstream(server::setting("SERVER_PID_FILE")) >> server;
    BOOST_TEST_REQUIRE(::kill(server, SIGKILL) == 0);
    server::wait_until([server] { return !is_running(server); });
    watched.go_on(8);
    BOOST_TEST_REQUIRE(std::system(server::setting("SERVER_START").c_str()) == 0);
    return watched.history;
}

History network_is_slow() {
    faults::ChaosProxy proxy(chaos_socket(), server::setting("POPULATE_TEST_SOCKET"));
    Watched watched(behind_proxy({"--acquire-timeout=10s", "--permission-ttl=1h"}));
    proxy.set({.delay = 400ms}); // of each of four responses
    watched.go_on(8, [&] { watched.application.get("/api/tags?pagination[pageSize]=2"); });
    return watched.history;
}

History one_host_refuses() {
    faults::ChaosProxy good(server::setting("POPULATE_TEST_SOCKET"));
    faults::ChaosProxy bad(server::setting("POPULATE_TEST_SOCKET"));
    auto const hosts =
        "127.0.0.1:" + std::to_string(good.port()) + ",127.0.0.1:" + std::to_string(bad.port());
    Watched watched({.database = reader_through(hosts + "/content")});
    bad.set({.refuse = true});
    bad.close_connections();
    watched.wait_for("populate_database_hosts_left_out", 1);
    watched.go_on(5);
    return watched.history;
}

// One request has the only connection, and waits for a lock.
History connections_are_taken() {
    Watched watched(with({"--connections=1", "--workers=4", "--acquire-timeout=1s"}));
    auto const owner = server::open_owner();
    watched.go_on(1, [&] {
        server::command(*owner, SqlPiece("LOCK TABLES tags WRITE"));
        auto holder = watched.application.connect();
        holder.send(fastcgi::request(fastcgi::get("/api/tags?fields=name")));
        server::wait_until([&] { return somebody_waits_for_a_lock(*owner); });
        BOOST_TEST(watched.application.get("/api/categories").status == 503);
        server::command(*owner, SqlPiece("UNLOCK TABLES"));
        BOOST_TEST(holder.read_response().status == 200);
        watched.ask_many();
    });
    watched.go_on(6);
    return watched.history;
}

History table_is_missing() {
    Watched watched;
    auto const owner = server::open_owner();
    server::command(*owner, SqlPiece("RENAME TABLE articles_tags_links TO kept_links"));
    BOOST_TEST(eventually([&] {
        watched.ask_the_usual();
        return watched.samples()["populate_schema_lacks"] >= 1;
    }));
    watched.go_on(7);
    server::command(*owner, SqlPiece("RENAME TABLE kept_links TO articles_tags_links"));
    return watched.history;
}

History index_is_gone() {
    auto const file = server::setting("POPULATE_TEST_SOCKET") + ".indexes.sql";
    std::ofstream(file)
        << "CREATE INDEX `pf_slug` ON `tags` (`slug`) ALGORITHM=INPLACE LOCK=NONE;\n";
    auto const owner = server::open_owner();
    server::command(*owner, SqlPiece("CREATE INDEX pf_slug ON tags (slug)"));
    Watched watched(with({"--indexes=" + file}));
    server::command(*owner, SqlPiece("DROP INDEX pf_slug ON tags"));
    watched.application.signal(SIGHUP); // otherwise it is noticed half a minute later
    BOOST_TEST(eventually([&] {
        watched.ask_the_usual();
        return watched.samples()["populate_indexes_missing"] == 1;
    }));
    watched.go_on(7);
    return watched.history;
}

// A request in the meantime finds the tables changed, unless the schema was looked at in that
// moment.
void change_tables(Watched const& watched, db::Connection& owner) {
    auto const reloads = watched.samples()["populate_reloads_total{schema=\"read\"}"];
    server::command(owner, SqlPiece("RENAME TABLE articles_tags_links TO kept_links"));
    watched.application.get("/api/articles?populate=tags");
    server::command(owner, SqlPiece("RENAME TABLE kept_links TO articles_tags_links"));
    watched.application.signal(SIGHUP); // else it is looked at again in seconds
    watched.wait_for("populate_reloads_total{schema=\"read\"}", reloads + 1);
    BOOST_TEST(eventually([&] {
        watched.ask_the_usual();
        return watched.samples()["populate_schema_lacks"] == 0;
    }));
    watched.ask_many(); // those that had to wait for the schema are slow on a busy machine
}

History tables_change_again_and_again() {
    Watched watched;
    auto const owner = server::open_owner();
    watched.go_on(14, [&, times = 0]() mutable {
        ++times;
        while (watched.samples()["populate_schema_outdated_total"] < times)
            change_tables(watched, *owner);
    });
    return watched.history;
}

// A copy of the example's files, which may be spoilt.
struct Project {
    Project() { fs::copy(PROJECTS "/ks", folder, fs::copy_options::recursive); }
    ~Project() { fs::remove_all(folder); }

    faults::ApplicationSettings served(std::vector<std::string> options = {}) const {
        auto settings = with(std::move(options));
        settings.schema = folder;
        return settings;
    }

    fs::path const folder = server::setting("POPULATE_TEST_SOCKET") + ".project";
    fs::path const file = folder / "src/api/tag/content-types/tag/schema.json";
};

History schema_cannot_be_read() {
    Project const project;
    Watched watched(project.served());
    std::ofstream(project.file) << "{ \"kind\": ";
    watched.application.signal(SIGHUP);
    watched.wait_for("populate_reloads_total{schema=\"kept\"}", 1);
    watched.go_on(3);
    return watched.history;
}

History clients_take_all_descriptors() {
    auto settings = with({});
    settings.process.max_files = 64;
    Watched watched(settings);
    std::vector<fastcgi::Client> clients;
    for (int i = 0; i < 100; ++i)
        clients.push_back(watched.application.connect());
    BOOST_TEST(eventually([&] {
        return watched.application.log().find("cannot accept connections") != std::string::npos;
    }));
    clients.clear();
    watched.wait_for("populate_accept_failures_total", 1);
    watched.go_on(3);
    return watched.history;
}

// As a network file system does: whoever opens the file waits until somebody writes to it.
History file_system_hangs() {
    Project const project;
    Watched watched(project.served({"--request-timeout=1s", "--acquire-timeout=1m"}));
    auto const kept = project.file.string() + ".kept", pipe = project.file.string() + ".pipe";
    fs::copy(project.file, kept);
    BOOST_TEST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    fs::rename(pipe, project.file);
    BOOST_TEST(eventually([&] {
        watched.application.get("/api/tags"); // who comes first looks at what changed
        return watched.samples()["populate_requests_cut_off_total"] >= 1;
    }));
    std::ofstream writer(project.file);
    fs::rename(kept, project.file);
    std::ifstream content(project.file);
    writer << content.rdbuf() << std::flush;
    writer.close();
    watched.go_on(3);
    return watched.history;
}

History clients_read_nothing() {
    constexpr std::size_t many = 10;
    server::command(*server::open_owner(),
                    SqlPiece("UPDATE ks_scalars SET a_text = REPEAT('x', 4000000) WHERE id = 1"));
    Watched watched(with({"--write-timeout=200ms"}));
    std::vector<fastcgi::Client> clients;
    for (std::size_t i = 0; i < many; ++i) {
        clients.push_back(watched.application.connect());
        clients.back().send(fastcgi::request(fastcgi::get("/api/scalars?fields=a_text")));
    }
    watched.wait_for("populate_unread_answers_total", many);
    watched.go_on(3);
    return watched.history;
}

History log_of_the_database_is_late() {
    faults::ChaosProxy proxy(chaos_socket(), server::setting("POPULATE_TEST_SOCKET"));
    Watched watched(
        behind_proxy({"--cache-user=" + server::setting("CACHE_USER"),
                      "--cache-password-file=" + server::setting("CACHE_PASSWORD_FILE")}));
    auto const owner = server::open_owner();
    proxy.set({.hold_streams = true});
    watched.go_on(8, [&] {
        server::command(*owner, SqlPiece("UPDATE tags SET name = CONCAT(name, '.') WHERE id = 1"));
        watched.ask_the_usual();
    });
    return watched.history;
}

History nobody_reads_the_log() {
    auto settings = with({"--log-requests=failed"});
    settings.process.before_start = [] {
        int ends[2];
        if (::pipe(ends) != 0) return;
        ::fcntl(ends[1], F_SETPIPE_SZ, 4'096);
        ::dup2(ends[1], STDERR_FILENO);
    };
    Watched watched(settings);
    for (int i = 0; i < 100; ++i)
        watched.application.get("/nothing");
    watched.go_on(3);
    return watched.history;
}

struct {
    std::string alert;
    History (*fault)();
} const faults_of[] = {
    {"PopulateDown", gone},
    {"PopulateUnavailable", database_is_killed},
    {"PopulateSlow", network_is_slow},
    {"PopulateDatabaseHostsLeftOut", one_host_refuses},
    {"PopulateConnectionTimeouts", connections_are_taken},
    {"PopulateSchemaLacks", table_is_missing},
    {"PopulateIndexesMissing", index_is_gone},
    {"PopulateSchemaOutdated", tables_change_again_and_again},
    {"PopulateSchemaKept", schema_cannot_be_read},
    {"PopulateCannotAccept", clients_take_all_descriptors},
    {"PopulateRequestsCutOff", file_system_hangs},
    {"PopulateAnswersUnread", clients_read_nothing},
    {"PopulateCacheBypassed", log_of_the_database_is_late},
    {"PopulateLogLinesDropped", nobody_reads_the_log},
};

} // namespace

BOOST_AUTO_TEST_CASE(each_fires_for_its_own_fault_and_for_no_other) {
    for (auto const& [alert, fault] : faults_of)
        BOOST_TEST_CONTEXT(alert) {
            auto const begun = std::chrono::steady_clock::now();
            History const history = fault();
            history.check_fired({}, healthy_minutes);
            history.check_fired({alert}, history.scrapes());
            auto const took = std::chrono::steady_clock::now() - begun;
            BOOST_TEST_MESSAGE(
                alert << ": " << history.scrapes() << " scrapes in "
                      << std::chrono::duration_cast<std::chrono::milliseconds>(took).count()
                      << " ms");
        }
}

BOOST_AUTO_TEST_CASE(each_has_a_fault_and_says_what_to_do) {
    std::ifstream file(RULES);
    std::set<std::string> written, tried;
    std::multiset<std::string> parts;
    std::regex const part("^ +(- )?(alert|severity|summary|description): *(\\w*).*");
    for (std::string line; std::getline(file, line);) {
        std::smatch found;
        if (!std::regex_match(line, found, part)) continue;
        parts.insert(found[2]);
        if (found[2] == "alert") written.insert(found[3]);
    }
    for (auto const& [alert, fault] : faults_of)
        tried.insert(alert);
    BOOST_TEST(text_of(written) == text_of(tried));
    for (auto const* const name : {"severity", "summary", "description"})
        BOOST_TEST(parts.count(name) == written.size(), name);
}

BOOST_AUTO_TEST_SUITE_END()
