#include "tests/notify/fixture.hpp"

#include "tests/fastcgi/process.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace notifying {

namespace fs = std::filesystem;
using db::RowTag;
using db::SqlPiece;
using stand_in::eventually;
using stand_in::StandIn;
using Aspect = RowTag::Aspect;

namespace {

constexpr auto secret = "a secret of sixteen bytes or more";

fs::path new_folder() {
    std::string name = fs::temp_directory_path() / "notify.XXXXXX";
    BOOST_TEST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    return name;
}

// How many have the name: Varnish gets it in a header, the others in JSON.
std::size_t count(std::vector<Listener::Received> const& requests, std::string const& name) {
    return static_cast<std::size_t>(std::ranges::count_if(requests, [&](auto const& request) {
        auto const header = request.headers.find("xkey-purge");
        if (header == request.headers.end())
            return request.body.find('"' + name + '"') != std::string::npos;
        std::istringstream words(header->second);
        std::istream_iterator<std::string> const first(words), last;
        return std::find(first, last, name) != last;
    }));
}

// The database's URL, by another socket of it.
std::string by(std::string const& socket, std::string const& url) {
    return socket.empty() ? url : url.substr(0, url.find("socket=")) + "socket=" + socket;
}

} // namespace

Program::Program(std::vector<std::string> words, fs::path const& log) {
    process_ = ::fork();
    if (process_ != 0) return;
    auto const null = ::open("/dev/null", O_RDONLY);
    auto const file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(null, 0);
    ::dup2(file, 1);
    ::dup2(file, 2);
    become(words);
}

Program::~Program() {
    if (process_ > 0) end(SIGTERM);
}

void Program::signal(int number) const {
    ::kill(process_, number);
}

int Program::end(int signal) {
    int status = 0;
    ::kill(process_, signal);
    ::waitpid(std::exchange(process_, -1), &status, 0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void Listener::go_down() {
    port_ = server_->port();
    forgotten_ = 0;
    server_.reset();
}

void Listener::come_back() {
    server_ = std::make_unique<StandIn>(Behaviour(), port_);
}

void Listener::forget() {
    forgotten_ = server_->received().size();
}

std::vector<Listener::Received> Listener::received() const {
    auto requests = server_ ? server_->received() : std::vector<Received>();
    requests.erase(requests.begin(), requests.begin() + static_cast<std::ptrdiff_t>(forgotten_));
    return requests;
}

std::vector<Listener::Received> Listener::acknowledged() const {
    auto requests = received();
    std::erase_if(requests, [](auto const& request) { return !request.acknowledged; });
    return requests;
}

std::size_t Listener::attempts(std::string const& name) const {
    return count(received(), name);
}

std::size_t Listener::times(std::string const& name) const {
    return count(acknowledged(), name);
}

Notifying::Notifying(std::string const& socket)
    : folder(new_folder()),
      database(by(socket, server::setting("POPULATE_TEST_DATABASE"))),
      names(secret) {
    write_secret("secret", secret);
    write_secret("signature", "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=");
    std::ofstream(folder / "cdn") << "POST http://" << cdn.address() << "/purge\n\n"
                                  << R"({"tags":[{names json 1000}]})";
    std::ofstream(folder / "description") << "{}";
    fs::copy(server::setting("POPULATE_TEST_SCHEMA"), folder / "project",
             fs::copy_options::recursive);
    sql(SqlPiece("DELETE FROM tags WHERE id > 9000"));
    sql(SqlPiece("INSERT INTO tags (id, name, weight) VALUES (9001, 'one', 1), (9002, 'two', 2)"));
    start();
    BOOST_TEST(is_told("site"));
}

Notifying::~Notifying() {
    program.reset();
    fs::remove_all(folder);
}

void Notifying::write_secret(std::string const& name, std::string const& text) const {
    std::ofstream(folder / name) << text << '\n';
    ::chmod((folder / name).c_str(), 0600);
}

void Notifying::start() {
    program.emplace(
        std::vector<std::string>{
            PROGRAM, "notify", "--schema=" + (folder / "project").string(),
            "--description=" + (folder / "description").string(), "--database=" + database,
            "--cache-user=" + server::setting("CACHE_USER"),
            "--cache-password-file=" + server::setting("CACHE_PASSWORD_FILE"),
            "--surrogate-key-secret-file=" + (folder / "secret").string(),
            "--notify-target=varnish=http://" + varnish.address() + "/,webhook=http://" +
                site.address() + "/changed,template=" + (folder / "cdn").string(),
            "--notify-secret-file=" + (folder / "signature").string(),
            "--notify-state=" + state.string(), "--notify-metrics-file=" + metrics.string()},
        folder / "log");
}

std::string Notifying::log() const {
    return text_of(folder / "log").substr(forgotten_log);
}

bool Notifying::logs(std::string const& text) const {
    return eventually([&] { return log().find(text) != std::string::npos; });
}

void Notifying::forget() {
    for (auto* const listener : {&varnish, &site, &cdn})
        listener->forget();
    forgotten_log = text_of(folder / "log").size();
}

bool Notifying::is_told(std::string const& what) {
    bool const found = eventually([&] { return varnish.times(name_of(what)) > 0; });
    if (!found) BOOST_TEST_MESSAGE(log());
    return found;
}

bool Notifying::is_told_after_a_while(std::string const& what) {
    forget();
    return eventually([&] {
        sql(SqlPiece("UPDATE tags SET weight = weight + 1 WHERE id = 9001"));
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        return varnish.times(name_of(what)) > 0;
    });
}

std::string Notifying::name_of(std::string const& what) const {
    if (what == "site") return names.of_all();
    auto const end = what.find_first_of("+-#.");
    auto const name = what.substr(0, end);
    auto const* const table = changes.table(name);
    if (end == what.npos) return names.of(*table);
    auto const column_of = [&](std::string const& column) {
        return relations.find(db::table_name(name))->columns.find(column)->second;
    };
    if (what[end] == '+') return names.of({table, Aspect::inserted});
    if (what[end] == '-') return names.of({table, Aspect::deleted});
    if (what[end] == '#') return names.of({table, Aspect::column, column_of(what.substr(end + 1))});
    auto const equals = what.find('=');
    auto const column = column_of(what.substr(end + 1, equals - end - 1));
    return names.of(
        {table, Aspect::value, column, db::tag_value(std::stoull(what.substr(equals + 1)))});
}

double Notifying::metric(std::string const& name) const {
    std::ifstream file(metrics);
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("populate_notify_" + name) &&
            (line.find('{') == line.npos || line.find("\"varnish") != line.npos))
            return std::stod(line.substr(line.rfind(' ')));
    return -1;
}

void Notifying::await_settled() const {
    BOOST_TEST(eventually([&] {
        auto const text = text_of(state);
        return text.find("\"columns\":\"\"") == text.npos && text.find("\"columns\":") != text.npos;
    }));
}

std::string text_of(fs::path const& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

void replace(fs::path const& path, std::string const& old, std::string const& by) {
    auto text = text_of(path);
    auto const found = text.find(old);
    BOOST_TEST_REQUIRE(found != text.npos);
    std::ofstream(path) << text.replace(found, old.size(), by);
}

} // namespace notifying
