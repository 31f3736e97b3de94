#include "tests/notify/fixture.hpp"

#include "tests/faults/application_process.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

#include <sys/stat.h>

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using namespace notifying;
using Clock = std::chrono::steady_clock;
using db::SqlPiece;
using stand_in::eventually;

BOOST_AUTO_TEST_SUITE(notify)

BOOST_FIXTURE_TEST_CASE(a_cache_is_told_what_each_write_changes, Notifying) {
    struct {
        SqlPiece statement;
        std::vector<std::string> told, not_told;
    } const table[] = {
        {"INSERT INTO tags (id, name) VALUES (9003, 'three')",
         {"tags", "tags+", "tags.id=9003"},
         {"tags-", "tags#weight", "tags.id=9001"}},
        {"UPDATE tags SET weight = 5 WHERE id = 9001",
         {"tags#weight", "tags.id=9001"},
         {"tags-", "tags#name", "tags.id=9002"}},
        {"DELETE FROM tags WHERE id = 9003", {"tags-"}, {"tags#name", "tags.id=9002"}},
    };
    for (auto const& [statement, told, not_told] : table) {
        sql(statement);
        for (auto const& what : told)
            BOOST_TEST(is_told(what), what);
        for (auto const& what : not_told)
            BOOST_TEST(is_not_told(what), what);
    }
}

BOOST_FIXTURE_TEST_CASE(a_site_is_told_which_entries_changed_and_of_drafts_nothing, Notifying) {
    sql("UPDATE tags SET weight = 5 WHERE id = 9001");
    sql("INSERT INTO articles (id, title) VALUES (9001, 'draft')");
    sql("INSERT INTO articles (id, title, published_at) VALUES (9002, 'published', NOW())");
    sql("UPDATE articles SET published_at = NULL WHERE id = 9002"); // it is gone from the site
    sql("DELETE FROM articles WHERE id >= 9001");
    sql("UPDATE tags SET weight = 6 WHERE id = 9002");
    auto const bodies = [&] {
        std::string all;
        for (auto const& request : site.acknowledged())
            all += request.body;
        return all;
    };
    auto const tells = [&](std::string const& type, int id) {
        return bodies().find("{\"type\":\"" + type + "\",\"id\":" + std::to_string(id) + "}") !=
               std::string::npos;
    };
    BOOST_TEST(eventually([&] { return tells("api::tag.tag", 9002); }), bodies());
    BOOST_TEST(tells("api::tag.tag", 9001));
    BOOST_TEST(tells("api::article.article", 9002));
    BOOST_TEST(!tells("api::article.article", 9001));
}

BOOST_FIXTURE_TEST_CASE(a_write_is_told_by_names_of_the_responses_that_it_changes, Notifying) {
    faults::ApplicationProcess const serving(
        {.database = server::setting("POPULATE_TEST_DATABASE"),
         .options = {"--cache=exact", "--cache-user=" + server::setting("CACHE_USER"),
                     "--cache-password-file=" + server::setting("CACHE_PASSWORD_FILE"),
                     "--surrogate-key=xkey",
                     "--surrogate-key-secret-file=" + (folder / "secret").string()},
         .schema = (folder / "project").string(),
         .is_patient = true});
    auto const names_of = [&](std::string const& uri) {
        std::string text;
        BOOST_TEST(eventually([&] {
                       auto const response = serving.get(uri, {{"POPULATE_EDGE", "1"}});
                       return !(text = response.header("xkey")).empty();
                   }),
                   uri);
        std::istringstream words(text);
        std::set<std::string> found{std::istream_iterator<std::string>(words), {}};
        BOOST_TEST(found.erase(names.of_all()) == 1U);
        return found;
    };
    struct {
        SqlPiece statement;
        std::vector<std::string> changed, not_changed;
    } const table[] = {
        {"UPDATE articles SET title = 'other' WHERE id = 2",
         {"/api/articles/2", "/api/articles?pagination[pageSize]=100"},
         {"/api/articles/3", "/api/categories", "/api/tags"}},
        {"INSERT INTO tags (id, name) VALUES (9003, 'three')",
         {"/api/tags"},
         {"/api/articles/2", "/api/categories"}},
        {"INSERT INTO articles_tags_links (article_id, tag_id) VALUES (2, 9003)",
         {"/api/articles/2?populate=tags", "/api/articles?populate=*"},
         {"/api/articles/2", "/api/articles/3?populate=tags", "/api/tags"}},
        {"DELETE FROM tags WHERE id = 9003",
         {"/api/articles/2?populate=tags", "/api/tags"},
         {"/api/articles/3?populate=tags", "/api/categories"}},
    };
    for (auto const& [statement, changed, not_changed] : table) {
        std::map<std::string, std::set<std::string>> responses;
        for (auto const* uris : {&changed, &not_changed})
            for (auto const& uri : *uris)
                responses[uri] = names_of(uri);
        std::this_thread::sleep_for(2s); // what was told before is told again
        forget();
        sql(statement);
        auto const is_purged = [&](std::string const& uri) {
            return std::ranges::any_of(responses[uri],
                                       [&](auto const& name) { return varnish.times(name) > 0; });
        };
        for (auto const& uri : changed)
            BOOST_TEST(eventually([&] { return is_purged(uri); }), uri);
        for (auto const& uri : not_changed)
            BOOST_TEST(!is_purged(uri), uri);
    }
}

BOOST_FIXTURE_TEST_CASE(nothing_is_lost_however_often_it_ends, Notifying) {
    await_settled();
    struct {
        int signal;
        std::optional<std::chrono::milliseconds> after; // the write; none: once it is told
    } const table[] = {
        {SIGTERM, 0ms}, {SIGTERM, 1ms}, {SIGTERM, 2ms}, {SIGTERM, 5ms},
        {SIGKILL, 0ms}, {SIGKILL, {}},  {SIGKILL, {}},
    };
    for (auto const& [signal, after] : table) {
        std::this_thread::sleep_for(2s); // what was told before is told again
        forget();
        sql("UPDATE tags SET weight = weight + 1 WHERE id = 9001");
        if (after)
            std::this_thread::sleep_for(*after);
        else
            BOOST_TEST(is_told("tags.id=9001"));
        auto const before = Clock::now();
        BOOST_TEST(end(signal) == (signal == SIGTERM ? 0 : 128 + SIGKILL));
        BOOST_TEST((Clock::now() - before < 2s));
        sql("UPDATE tags SET weight = weight + 1 WHERE id = 9002");
        start();
        BOOST_TEST(is_told("tags.id=9001"));
        BOOST_TEST(is_told("tags.id=9002"));
    }
    BOOST_TEST(times_site() == 0U);
    struct stat status{};
    ::stat(state.c_str(), &status);
    BOOST_TEST((status.st_mode & 0777) == 0600U);
}

BOOST_FIXTURE_TEST_CASE(everything_may_have_changed_where_it_cannot_go_on, Notifying) {
    struct {
        char const* what;
        std::function<void()> happens;
    } const table[] = {
        {"no state", [&] { fs::remove(state); }},
        {"a broken state", [&] { std::ofstream(state) << "{"; }},
        {"a state of another secret", [&] { replace(state, names.of_all(), "AAAAAAAA"); }},
        {"a state of another server", [&] { replace(state, "hostname=", "hostname=other"); }},
        {"a template that was another one, which not all were told",
         [&] {
             auto const text = text_of(folder / "cdn");
             std::ofstream(folder / "cdn") << text << '\n';
             varnish.set({.status = 503});
             start();
             BOOST_TEST(logs("everything may have changed"));
             end(SIGKILL);
             std::ofstream(folder / "cdn") << text;
             varnish.set({});
             forget();
         }},
        {"a template of another request",
         [&] { std::ofstream(folder / "cdn", std::ios::app) << '\n'; }},
        {"other default parameters",
         [&] { std::ofstream(folder / "description", std::ios::app) << '\n'; }},
        // From here on the log has DDL.
        {"other columns", [&] { sql("ALTER TABLE tags ADD more INT AFTER id"); }},
        {"columns that were other ones meanwhile", [&] { sql("ALTER TABLE tags DROP more"); }},
        {"a log that is gone",
         [&] {
             sql("FLUSH BINARY LOGS");
             sql("FLUSH BINARY LOGS");
             sql("PURGE BINARY LOGS BEFORE '2037-01-01'");
         }},
    };
    await_settled();
    end(SIGTERM);
    fs::copy_file(state, folder / "settled");
    for (auto const& [what, happens] : table) {
        fs::copy_file(folder / "settled", state, fs::copy_options::overwrite_existing);
        forget();
        happens();
        start();
        BOOST_TEST(is_told("site"), what);
        BOOST_TEST(is_told_after_a_while("tags.id=9001"), what);
        end(SIGTERM);
    }
    start();
}

// Nobody notices what changes in a table that is not known yet.
BOOST_FIXTURE_TEST_CASE(what_could_not_be_read_for_a_while_is_everything, Notifying) {
    await_settled();
    auto const without_log = [&](SqlPiece statement) {
        sql("SET sql_log_bin = 0");
        sql(statement);
        sql("SET sql_log_bin = 1");
    };
    without_log("REVOKE SELECT ON content.* FROM populate@localhost");
    sql("CREATE TABLE things (id INT PRIMARY KEY)");
    BOOST_TEST(logs("cannot read schema and tables"));
    std::this_thread::sleep_for(2s); // what was told before is told again
    forget();
    sql("INSERT INTO things VALUES (1)");
    without_log("GRANT SELECT ON content.* TO populate@localhost");
    BOOST_TEST(is_told("site"));
    sql("DROP TABLE things");
}

BOOST_FIXTURE_TEST_CASE(what_is_not_told_by_rows_is_everything, Notifying) {
    struct {
        char const* what;
        SqlPiece statement;
    } const table[] = {
        {"DDL", "ALTER TABLE tags ADD more INT AFTER name"},
        {"permissions", "UPDATE up_permissions SET updated_at = NOW()"},
        {"settings",
         "UPDATE strapi_core_store_settings SET value = value, environment = 'x' LIMIT 1"},
    };
    for (auto const& [what, statement] : table) {
        BOOST_TEST(is_told_after_a_while("tags.id=9001"));
        forget();
        sql(statement);
        BOOST_TEST(is_told("site"), what);
        // Rows are read as the tables are now.
        BOOST_TEST(is_told_after_a_while("tags.id=9001"), what);
    }
    sql("ALTER TABLE tags DROP more");
}

BOOST_FIXTURE_TEST_CASE(a_deploy_is_everything_and_once_more_when_the_server_has_it, Notifying) {
    await_settled();
    forget();
    auto const before = Clock::now();
    auto const file = folder / "project/src/api/tag/content-types/tag/schema.json";
    replace(file, "\"attributes\": {", "\"attributes\": { ");
    BOOST_TEST(is_told("site"));
    BOOST_TEST((Clock::now() - before < 3s));
    BOOST_TEST(eventually([&] { return times_site() >= 3; })); // each is told twice
    BOOST_TEST((Clock::now() - before > 9s));
}

BOOST_FIXTURE_TEST_CASE(a_database_that_is_killed_is_followed_further, Notifying) {
    await_settled();
    forget();
    auto const pid = [] {
        pid_t process = 0;
        std::ifstream(server::setting("SERVER_PID_FILE")) >> process;
        return process;
    };
    for (int i = 0; i < 2; ++i) {
        forget();
        sql("UPDATE tags SET weight = weight + 1 WHERE id = 9001");
        ::kill(pid(), SIGKILL);
        server::wait_until([&, process = pid()] { return ::kill(process, 0) != 0; });
        BOOST_TEST_REQUIRE(std::system(server::setting("SERVER_START").c_str()) == 0);
        owner = server::open(server::owner(), db::owner_session);
        sql("UPDATE tags SET weight = weight + 1 WHERE id = 9002");
        BOOST_TEST(is_told("tags.id=9001"));
        BOOST_TEST(is_told("tags.id=9002"));
    }
    BOOST_TEST(times_site() == 0U);
}

BOOST_FIXTURE_TEST_CASE(a_target_that_is_down_is_told_when_it_is_there_again, Notifying) {
    await_settled();
    forget();
    varnish.set({.status = 503});
    sql("UPDATE tags SET weight = weight + 1 WHERE id = 9001");
    BOOST_TEST(logs("does not take"));
    end(SIGKILL); // its state is that of before
    sql("FLUSH BINARY LOGS");
    start();
    sql("UPDATE tags SET weight = weight + 1 WHERE id = 9002");
    std::this_thread::sleep_for(2s);
    BOOST_TEST(varnish.acknowledged().empty());
    BOOST_TEST(eventually([&] { return metric("failed_total") > 0; }));
    BOOST_TEST(metric("following") == 1);
    BOOST_TEST(metric("queued_names") > 0);
    BOOST_TEST(metric("lag_seconds") > 0);
    varnish.set({});
    BOOST_TEST(is_told("tags.id=9001"));
    BOOST_TEST(is_told("tags.id=9002"));
    BOOST_TEST(times_site() == 0U);
    BOOST_TEST(eventually([&] { return metric("sent_total") > 0 && metric("lag_seconds") == 0; }));
}

BOOST_AUTO_TEST_SUITE_END()
