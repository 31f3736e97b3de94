#include "fixture.hpp"
#include "load.hpp"

#include "tests/fastcgi/service_manager.hpp"

#include <array>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// The process: signals, limits of the system, and many clients at once.

using namespace faults;
using fastcgi::Client;

BOOST_AUTO_TEST_SUITE(processes)

namespace {

std::vector<std::string> const uris{
    "/api/articles?fields=title&pagination[pageSize]=5&populate[category][fields]=name",
    "/api/categories?fields=name",
    "/api/articles/1?populate=*",
    "/api/nodes?fields=id&populate=parent",
};

ApplicationSettings with(std::vector<std::string> options, ProcessSettings process = {}) {
    return {.database = server::setting("POPULATE_TEST_DATABASE"),
            .options = std::move(options),
            .process = std::move(process),
            .is_patient = true};
}

// A copy of the example's schema, to be changed.
struct Schema {
    Schema() {
        std::filesystem::remove_all(folder);
        std::filesystem::copy(PROJECTS "/ks", folder, std::filesystem::copy_options::recursive);
    }
    ~Schema() { std::filesystem::remove_all(folder); }

    // Puts `text` in the place of what the file of tags holds; empty: what it held at first.
    void write_tag(std::string const& text) const {
        std::ofstream(file) << (text.empty() ? original : text);
    }
    static std::string read(std::filesystem::path const& path) {
        std::ifstream stream(path);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    std::filesystem::path folder = database_folder() + "/project";
    std::filesystem::path file = folder / "src/api/tag/content-types/tag/schema.json";
    std::string original = read(PROJECTS "/ks/src/api/tag/content-types/tag/schema.json");
};

// A socket that the test listens at, as a service manager does, for processes that share it.
struct SharedSocket {
    SharedSocket() : fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un where{};
        where.sun_family = AF_UNIX;
        path.copy(where.sun_path, sizeof where.sun_path - 1);
        BOOST_REQUIRE(::bind(fd, reinterpret_cast<sockaddr*>(&where), sizeof where) == 0);
        BOOST_REQUIRE(::listen(fd, 4096) == 0);
    }
    ~SharedSocket() {
        ::close(fd);
        ::unlink(path.c_str());
    }

    std::unique_ptr<ApplicationProcess> start() const {
        auto settings = with({"--listen=fd:0"}, {.stdin_fd = fd});
        settings.address = "unix:" + path;
        auto process = std::make_unique<ApplicationProcess>(settings);
        BOOST_TEST(
            eventually([&] { return process->log().find("serving at") != std::string::npos; }));
        return process;
    }

    std::string path = database_folder() + "/shared.sock";
    int fd;
};

// Clients at `address`, and that none of them sees a failure.
struct UnfailingLoad {
    explicit UnfailingLoad(std::string const& address,
                           Ask (&connect)(std::string const&) = ask_socket)
        : load(requests_with_responses(uris, connect(address)), 4,
               [address, &connect] { return connect(address); }) {
        wait_for_responses();
    }
    ~UnfailingLoad() {
        wait_for_responses();
        load.stop();
        BOOST_TEST(load.wrong() == 0U, load.first_wrong());
        BOOST_TEST(load.refused() == 0U);
    }

    void wait_for_responses() {
        BOOST_TEST(
            eventually([this, enough = load.right() + 50] { return load.right() > enough; }));
    }

    Load load;
};

} // namespace

BOOST_AUTO_TEST_CASE(the_service_manager_is_told_whether_there_is_a_database) {
    ServiceManager const manager;
    auto const socket = database_folder() + "/chaos.sock";
    ChaosProxy proxy(socket, server::setting("POPULATE_TEST_SOCKET"));
    ApplicationProcess application(
        {.database = reader_through(socket),
         .options = {"--acquire-timeout=0.5"},
         .process = {.environment = {manager.variable(), "WATCHDOG_USEC=2000000"}}});
    auto const serving = "STATUS=serving at " + application.address();
    BOOST_TEST(manager.hears(serving));
    BOOST_TEST(application.responds(usual_request, 200), application.log());
    proxy.set({.refuse = true});
    proxy.close_connections();
    BOOST_TEST(application.get(usual_request).status == 502);
    BOOST_TEST(manager.hears("STATUS=no connection to the database since 2"));
    for (int i = 0; i < 3; ++i) // for longer than whoever hangs is left alone
        BOOST_TEST(manager.hears("WATCHDOG=1"));
    proxy.set({});
    {
        Load const load({{usual_request, {}}}, 1,
                        [&] { return ask_socket_anew(application.address()); });
        BOOST_TEST(manager.hears(serving), application.log());
    }
    BOOST_TEST(eventually(
        [&] { return application.log().find("the database answers again") != std::string::npos; }));
    application.signal(SIGTERM);
    BOOST_TEST(manager.hears("STATUS=draining"));
    BOOST_TEST(application.exit_code().value_or(-1) == 0);
}

BOOST_AUTO_TEST_CASE(a_reload_under_load_fails_no_request) {
    Schema const schema;
    auto settings = with({});
    settings.schema = schema.folder;
    ApplicationProcess application(settings);
    auto const shows_weight = [&] {
        return application.get("/api/tags").body.find("\"weight\"") != std::string::npos;
    };
    BOOST_TEST(shows_weight());
    UnfailingLoad const load(application.address());

    auto hidden = schema.original;
    auto const weight = hidden.find("\"type\"", hidden.find("\"weight\""));
    schema.write_tag(hidden.insert(weight, "\"private\": true, "));
    application.signal(SIGHUP);
    BOOST_TEST(eventually([&] { return !shows_weight(); }));

    schema.write_tag("{garbage");
    application.signal(SIGHUP);
    BOOST_TEST(eventually(
        [&] { return application.log().find("kept the old schema") != std::string::npos; }));
    BOOST_TEST(!shows_weight());

    schema.write_tag("");
    application.signal(SIGHUP);
    BOOST_TEST(eventually(shows_weight));
}

BOOST_AUTO_TEST_CASE(a_reload_of_a_program_that_starts_does_not_end_it) {
    auto const socket = database_folder() + "/start.sock";
    ChaosProxy proxy(socket, server::setting("POPULATE_TEST_SOCKET"));
    proxy.set({.hold_replies = true}); // it starts for as long as that
    ApplicationProcess const application({.database = reader_through(socket)});
    auto const client = application.connect();
    application.signal(SIGHUP);
    proxy.heal();
    BOOST_TEST(eventually([&] { return application.log().find("reloaded") != std::string::npos; }));
    BOOST_TEST(application.responds("/api/tags", 200));
}

BOOST_AUTO_TEST_CASE(openapi_documents_stay_until_a_schema_file_changes) {
    Schema const schema;
    auto settings = with({"--openapi-route=true", "--permission-ttl=0.1"});
    settings.schema = schema.folder;
    ApplicationProcess application(settings);
    constexpr std::array paths{"/_openapi", "/_openapi/flat"};
    auto const names_weight = [](std::string const& document) {
        auto const names = document.find("\"TagField\":{\"enum\":[");
        BOOST_TEST_REQUIRE(names != std::string::npos);
        return document.substr(names, document.find(']', names) - names).find("\"weight\"") !=
               std::string::npos;
    };
    std::vector<std::string> tags;
    for (auto const path : paths) {
        auto const document = application.get(path);
        BOOST_TEST_REQUIRE(document.status == 200);
        BOOST_TEST(names_weight(document.body));
        tags.push_back(document.header("ETag"));
    }
    std::this_thread::sleep_for(200ms); // what the permissions are is read again
    for (std::size_t i = 0; i < paths.size(); ++i)
        BOOST_TEST(application.get(paths[i], {{"HTTP_IF_NONE_MATCH", tags[i]}}).status == 304);

    auto hidden = schema.original;
    auto const weight = hidden.find("\"type\"", hidden.find("\"weight\""));
    schema.write_tag(hidden.insert(weight, "\"private\": true, "));
    application.signal(SIGHUP);
    for (std::size_t i = 0; i < paths.size(); ++i)
        BOOST_TEST(eventually([&] {
            auto const now = application.get(paths[i], {{"HTTP_IF_NONE_MATCH", tags[i]}});
            return now.status == 200 && !names_weight(now.body);
        }));
}

BOOST_AUTO_TEST_CASE(one_of_two_processes_is_replaced_under_load_and_no_request_fails) {
    SharedSocket const shared;
    auto first = shared.start();
    auto second = shared.start();
    UnfailingLoad load("unix:" + shared.path);
    UnfailingLoad anew("unix:" + shared.path, ask_socket_anew);
    for (int round = 0; round < 20; ++round) {
        first->signal(SIGTERM);
        BOOST_TEST(first->exit_code().value_or(-1) == 0);
        load.wait_for_responses();
        first = shared.start();
        std::swap(first, second);
    }
}

BOOST_AUTO_TEST_CASE(what_keeps_it_from_starting_is_said) {
    auto nowhere = with({});
    nowhere.address = "unix:/nowhere/at/all.sock";
    ApplicationProcess no_folder(nowhere);
    BOOST_TEST(no_folder.exit_code().value_or(-1) == 73);
    BOOST_TEST(no_folder.log().find("/nowhere/at/all.sock") != std::string::npos);
    auto other = with({});
    other.schema = "/nowhere";
    ApplicationProcess no_schema(other);
    BOOST_TEST(no_schema.exit_code().value_or(-1) == 78);
    BOOST_TEST(no_schema.log().find("/nowhere") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_list_of_processes_shows_no_password) {
    ApplicationProcess const application(with({}));
    BOOST_TEST(application.responds(usual_request, 200));
    std::ifstream file("/proc/" + std::to_string(application.id()) + "/cmdline");
    std::string const line{std::istreambuf_iterator<char>(file), {}};
    BOOST_TEST(line.find("--database=mysql://populate:") != line.npos, line);
    BOOST_TEST(line.find(":populate@") == line.npos, line);
}

BOOST_AUTO_TEST_CASE(a_thousand_connections_on_eight_workers_are_all_answered) {
    ApplicationProcess const application(with({"--workers=8"}));
    auto const expected = requests_with_responses({uris[0]}, ask_socket(application.address()));
    auto const baseline = application.open_files();
    {
        std::vector<Client> clients;
        for (int i = 0; i < 1000; ++i)
            clients.push_back(application.connect());
        for (auto& client : clients)
            client.send(fastcgi::request(fastcgi::get(uris[0])));
        for (auto& client : clients)
            BOOST_REQUIRE((client.read_response().body == expected[0].body));
    }
    // Besides clients only database connections keep descriptors.
    BOOST_TEST(eventually([&] { return application.open_files() <= baseline + 8; }));
}

BOOST_AUTO_TEST_CASE(with_64_descriptors_it_serves_whoever_asks_beside_300_who_do_not) {
    ApplicationProcess const application(with({"--workers=4"}, {.max_files = 64}));
    BOOST_TEST(application.responds(uris[0], 200));
    std::vector<Client> clients;
    for (int i = 0; i < 300; ++i)
        clients.push_back(application.connect());
    for (auto const& uri : uris)
        BOOST_TEST(application.get(uri).status == 200, uri);
    BOOST_TEST(application.log().find("closed idle connections") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(with_64_descriptors_half_requests_cost_others_no_time) {
    ApplicationProcess const application(
        with({"--workers=4", "--read-timeout=60"}, {.max_files = 64}));
    BOOST_TEST(application.responds(uris[0], 200));
    auto const request = fastcgi::request(fastcgi::get(uris[0]));
    std::vector<Client> clients;
    for (int i = 0; i < 300; ++i) {
        clients.push_back(application.connect());
        clients.back().send(request.substr(0, request.size() / 2));
    }
    auto const before = std::chrono::steady_clock::now();
    for (int i = 0; i < 20; ++i)
        BOOST_TEST(application.get(uris[0]).status == 200);
    BOOST_TEST((std::chrono::steady_clock::now() - before < std::chrono::seconds(30)));
}

BOOST_AUTO_TEST_CASE(a_log_that_cannot_be_written_changes_nothing) {
    auto const closed = [] {
        ::close(STDOUT_FILENO);
        ::dup2(::open("/dev/full", O_WRONLY), STDERR_FILENO);
    };
    ApplicationProcess application(with({}, {.before_start = closed}));
    BOOST_TEST(application.responds(uris[0], 200));
    application.signal(SIGHUP); // has something to say
    BOOST_TEST(application.get("/api/articles?fields=nope").status == 400);
    BOOST_TEST(application.responds(uris[0], 200));
    BOOST_TEST(application.log().empty());
}

BOOST_AUTO_TEST_CASE(threads_need_two_megabytes_of_stack_at_most) {
    auto const small_stack = [] {
        rlimit const bytes{2 * 1024 * 1024, 2 * 1024 * 1024};
        ::setrlimit(RLIMIT_STACK, &bytes);
    };
    ApplicationProcess const application(
        with({}, {.before_start = sanitized ? std::function<void()>() : small_stack}));
    BOOST_TEST(application.responds(uris[0], 200));
    std::string deep = "/api/nodes?fields=id&populate=parent";
    for (int i = 0; i < 498; ++i)
        deep += ".parent";
    BOOST_TEST(application.get(deep).status == 200);
    std::string nested = "/api/articles?filters";
    for (int i = 0; i < 2000; ++i)
        nested += "[$not]";
    BOOST_TEST(application.get(nested + "[id]=1").status == 400);
}

BOOST_AUTO_TEST_CASE(the_largest_response_fits_in_256_mebibytes) {
    auto const owner = server::open_owner();
    server::command(*owner, db::SqlPiece("UPDATE ks_scalars SET a_text = REPEAT('x', 16000000)"
                                         " WHERE id IN (1, 2)"));
    auto const little_memory = [] {
        rlimit const bytes{256 * 1024 * 1024, 256 * 1024 * 1024};
        ::setrlimit(RLIMIT_AS, &bytes);
    };
    ApplicationProcess const application(with(
        {"--workers=1"}, {.before_start = sanitized ? std::function<void()>() : little_memory}));
    auto const large = "/api/scalars?fields=a_text&filters[id][$in][0]=1&filters[id][$in][1]=2";
    for (int i = 0; i < 3; ++i) {
        auto const response = application.get(large);
        BOOST_TEST(response.status == 200, response.body.substr(0, 200));
        BOOST_TEST((response.status != 200 || response.body.size() > 32'000'000));
    }
    BOOST_TEST(application.responds(uris[0], 200));
}

BOOST_AUTO_TEST_SUITE_END()
