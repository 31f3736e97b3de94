#include "fcgi/check/nginx_site.hpp"
#include "fcgi/check/setup_plan.hpp"
#include "fcgi/commands/commands.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/options.hpp"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

constexpr int interrupts[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
constexpr int not_found = 127, killed = 128;

// Returns the process, or 0 if there is no such program.
pid_t start(std::vector<std::string> const& words, posix_spawn_file_actions_t const* streams) {
    std::vector<char*> arguments;
    for (std::string const& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    sigset_t ends;
    sigemptyset(&ends);
    for (int const signal : interrupts)
        sigaddset(&ends, signal);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &ends);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    pid_t child = 0;
    int const error =
        ::posix_spawnp(&child, arguments[0], streams, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    return error == 0 ? child : 0;
}

int wait_for(pid_t child) {
    if (child == 0) return not_found;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return not_found;
    return WIFEXITED(status) ? WEXITSTATUS(status) : killed + WTERMSIG(status);
}

// From now on a signal that would end this process ends only the program that it runs, so that it
// can undo what it has done.
void outlive_interrupts() {
    for (int const signal : interrupts)
        std::signal(signal, SIG_IGN);
}

// Runs a program, found as the shell finds it, with the same standard streams, and waits for it.
// Returns its exit code; 127 if there is no such program, 128 and more if it was killed.
int run_program(std::vector<std::string> const& words) {
    std::cout.flush();
    return wait_for(start(words, nullptr));
}

// Runs a program likewise, but for its output, which it returns, and its errors, which are dropped.
std::string output_of(std::vector<std::string> const& words) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return {};
    posix_spawn_file_actions_t streams;
    posix_spawn_file_actions_init(&streams);
    posix_spawn_file_actions_adddup2(&streams, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t const child = start(words, &streams);
    posix_spawn_file_actions_destroy(&streams);
    ::close(ends[1]);
    std::string output;
    char buffer[4096];
    for (ssize_t size; (size = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        output.append(buffer, static_cast<std::size_t>(size));
    ::close(ends[0]);
    wait_for(child);
    return output;
}

constexpr auto usual_prefix = "/api"; // in the files for nginx

// Returns false if every value that is set is the wanted one.
bool print_differences(SetupPlan const& plan) {
    bool any = false;
    for (std::string const& name : plan.changes) {
        auto const before = plan.settings.value(name);
        if (before.empty()) continue;
        any = true;
        std::cout << plan.path.string() << " has " << shown_setting(name, before)
                  << ", which would become " << shown_setting(name, plan.wanted.at(name)) << '\n';
    }
    return any;
}

// `done` says whether the plan has been carried out.
void print(SetupPlan const& plan, bool done) {
    auto const statements = plan.account ? plan.account->statements() : std::vector<db::SqlText>();
    if (!statements.empty()) std::cout << (done ? "created" : "to create") << " in the database:\n";
    for (db::SqlText const& statement : statements)
        std::cout << "    " << statement.str() << ";\n";
    if (!plan.changes.empty())
        std::cout << (done ? "set" : "to set") << " in " << plan.path.string() << ":\n";
    for (std::string const& name : plan.changes)
        std::cout << "    " << shown_setting(name, plan.wanted.at(name)) << '\n';
    if (statements.empty() && plan.changes.empty())
        std::cout << "account and settings are already as they should be\n";
    if (plan.account && !plan.cms_user.empty())
        std::cout << "populate-fcgi uses only that account; the CMS continues to use "
                  << plan.cms_user << '\n';
}

// Runs `check` as the account that serves, with these settings and without our variables.
int check_as(std::string const& user, fs::path const& settings) {
    std::error_code error;
    auto const program = fs::read_symlink("/proc/self/exe", error);
    return run_program(
        {"runuser", "-u", user, "--", "env", "-i", program, "check", "--config", settings});
}

// Carries out all of the plan, or nothing.
int make(SetupPlan& plan, SetupOrder const& order) {
    for (std::string const& name : plan.changes)
        if (auto const& value = plan.wanted.at(name); value.empty())
            plan.settings.remove(name);
        else if (auto done = plan.settings.set(name, value); !done)
            return fail(done.error());
    outlive_interrupts();
    auto const take_back = [&](int status) {
        auto const done = plan.account ? plan.account->take_back() : parser::Result<void>();
        if (!done) return fail(done.error());
        std::cerr << "nothing was changed\n";
        return status;
    };
    std::optional<StagedFile> file;
    if (!plan.changes.empty()) {
        auto written = StagedFile::write(plan.path, plan.settings.str(), plan.group);
        if (!written) return take_back(fail(written.error()));
        file.emplace(*std::move(written));
    }
    if (plan.account)
        if (auto done = plan.account->make(); !done) return take_back(fail(done.error()));
    int const status = check_as(order.user, file ? file->path() : plan.path);
    if (status != exit_ok && !order.may_replace) {
        std::cerr
            << "fix this and run the same command again, or use --force to continue nevertheless\n";
        return take_back(status);
    }
    if (file)
        if (auto done = file->put_in_place(); !done) return take_back(fail(done.error()));
    return exit_ok;
}

// The service reads only the settings of the package.
int start(SetupPlan const& plan, SetupOrder const& order, Options const& options) {
    if (!options.written.at("config").empty()) {
        std::cout << "to serve with these settings, run this as " << order.user
                  << ": populate-fcgi serve --config " << plan.path.string() << '\n';
        return exit_ok;
    }
    std::error_code error;
    if (!fs::is_directory("/run/systemd/system", error)) {
        std::cout << "to serve, run this where systemd is the init system: systemctl enable --now "
                     "populate-fcgi.socket\n";
        return exit_ok;
    }
    if (run_program({"systemctl", "--quiet", "enable", "--now", "populate-fcgi.socket"}) != 0)
        return fail("the settings are written, but the service cannot be started; see systemctl "
                    "status populate-fcgi.socket",
                    exit_failed);
    // With the CMS's settings of now, which may be others even if ours are not.
    run_program({"systemctl", "--quiet", "try-restart", "populate-fcgi.service"});
    std::cout << "populate-fcgi.socket is running and starts at each boot\n";
    return exit_ok;
}

void print_location(CmsLocation const& location) {
    std::cout << "which is `" << location.name << "` at " << location.file << ':' << location.line
              << '\n';
    for (std::size_t const line : location.rewrites)
        std::cout << "(before its rewrite at line " << line << ")\n";
    for (std::size_t const line : location.ifs)
        std::cout << "(its if at line " << line
                  << " must not match reads of the API, or nginx does not ask populate-fcgi)\n";
}

void print_web_server(SetupPlan const& plan, std::string const& prefix) {
    std::cout << "\nTo let nginx pass requests to it, type\n";
    if (prefix == usual_prefix)
        std::cout << "    sudo ln -s /usr/share/populate-fcgi/nginx/http.conf "
                     "/etc/nginx/conf.d/populate-fcgi.conf\n";
    else
        std::cout << "    sudo cp /usr/share/populate-fcgi/nginx/http.conf "
                     "/etc/nginx/conf.d/populate-fcgi.conf\n"
                     "write "
                  << prefix << " in place of /api in that file, ";
    constexpr auto reload = "    sudo nginx -t && sudo systemctl reload nginx\n";
    std::cout << "put this line at the end of the location that passes " << prefix
              << " to the CMS\n"
                 "    include /usr/share/populate-fcgi/nginx/reads.conf;\n";
    for (auto const& location : cms_locations(output_of({"nginx", "-T"}), plan.cms_port))
        print_location(location);
    std::cout << "and type\n" << reload << "To roll back, delete that line, and type\n" << reload;
}

void print_cache(ReaderAccount const& account) {
    if (account.logs_rows()) return;
    std::cout
        << "\nTo let it cache responses, which are never stale, make the database log rows:\n";
    if (account.is_mariadb())
        std::cout << "    [mariadbd]\n"
                     "    log_bin = binlog\n"
                     "    binlog_format = ROW\n"
                     "    binlog_expire_logs_seconds = 86400\n"
                     "    server_id = 1\n"
                     "in /etc/mysql/mariadb.conf.d/90-populate-fcgi.cnf";
    else
        std::cout << "    [mysqld]\n"
                     "    gtid_mode = ON\n"
                     "    enforce_gtid_consistency = ON\n"
                     "in /etc/mysql/mysql.conf.d/90-populate-fcgi.cnf";
    std::cout << "; for the other steps, see /usr/share/doc/populate-fcgi/docs/kept-answers.md\n";
}

// The script that lets a CMS describe itself, within walls: beside the program, or as installed.
fs::path describer() {
    std::error_code error;
    auto const folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (auto place : {"strapi", "../share/populate-fcgi/strapi"})
        if (auto file = (folder / place / "describe-site").lexically_normal();
            fs::exists(file, error))
            return file;
    return {};
}

// Lets the CMS describe itself, unless the owner names a description. What then is not known is for
// the plan to tell.
Options described(Options const& options, std::string const& project) {
    auto const program = describer();
    if (program.empty() || !options.written.at("description").empty()) return options;
    run_program({program, "--project", project});
    auto again = options.read_again();
    return again ? *std::move(again) : options;
}

int run_setup(SetupOrder const& order, Options const& given) {
    if (::geteuid() != 0)
        return fail("only root may create the account and write the settings; run: sudo "
                    "populate-fcgi setup " +
                        order.projects.front(),
                    exit_configuration);
    auto const options = described(given, order.projects.front());
    auto plan = plan_setup(order, options);
    if (!plan) return fail(plan.error());
    bool const differs = print_differences(*plan);
    if (order.is_trial) {
        print(*plan, false);
        return exit_ok;
    }
    if (differs && !order.may_replace)
        return fail("nothing was changed; use --force to replace these values", exit_configuration);
    if (int const status = make(*plan, order); status != exit_ok) return status;
    print(*plan, true);
    if (int const status = start(*plan, order, options); status != exit_ok) return status;
    print_web_server(*plan, options.prefix);
    if (plan->account) print_cache(*plan->account);
    return exit_ok;
}

} // namespace

Run declare_setup(CommandLine command) {
    auto const order = std::make_shared<SetupOrder>();
    command.words("project", order->projects, "folder of the CMS's project");
    command.option("--env-file", order->env_file, "file to read instead of the project's .env");
    command.option("--socket", order->socket, "socket of the database on this machine");
    command.option("--user", order->user, "system user that runs populate-fcgi");
    command.flag("--force", order->may_replace,
                 "replace values that are already set, and continue even if check finds problems");
    command.flag("--dry-run", order->is_trial,
                 "print what would be created and set, and change nothing");
    return [order](Options const& options) { return run_setup(*order, options); };
}

} // namespace fcgi
