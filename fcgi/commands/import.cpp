#include "db/import/import.hpp"
#include "fcgi/answer/service.hpp"
#include "fcgi/commands/commands.hpp"

#include <chrono>
#include <cstdio>
#include <iostream>

#include <unistd.h>

namespace fcgi {

namespace {

// A line on standard error that grows; only people see it.
class ProgressBar {
  public:
    void show(double share, std::size_t entries) {
        int const percent = static_cast<int>(share * 100);
        if (!is_terminal_ || percent == shown_) return;
        shown_ = percent;
        int const filled = percent * width / 100;
        std::fprintf(stderr, "\r[%.*s%*s] %3d %%", filled, bar, width - filled, "", percent);
        if (entries == 0) {
            begun_ = Clock::now();
            return;
        }
        std::chrono::duration<double> const time = Clock::now() - begun_;
        std::fprintf(stderr, ", %.0f entries/s ", static_cast<double>(entries) / time.count());
    }
    // Makes room for a line; the next show() draws it anew below.
    void clear() {
        if (shown_ >= 0) std::fputs("\r\033[K", stderr);
        shown_ = -1;
    }
    ~ProgressBar() {
        if (shown_ >= 0) std::fputc('\n', stderr);
    }

  private:
    using Clock = std::chrono::steady_clock;

    static constexpr char bar[] = "########################################";
    static constexpr int width = sizeof bar - 1;
    bool const is_terminal_ = isatty(STDERR_FILENO) == 1;
    int shown_ = -1;
    Clock::time_point begun_ = Clock::now(); // with the entries
};

parser::Result<db::ImportCount> import(db::Connection& connection, db::Schema& schema,
                                       std::string const& folder, db::ImportOptions const& how) {
    ProgressBar bar;
    db::ImportObserver observer;
    observer.progress = [&bar](double share, std::size_t entries) { bar.show(share, entries); };
    observer.mistake = [&bar](std::string const& mistake) {
        bar.clear();
        std::cerr << mistake << '\n';
    };
    return db::import_folder(connection, schema, folder, how, observer);
}

int run(std::string const& folder, db::ImportOptions const& how, Options const& options) {
    auto const connection = open_as_owner(options);
    if (!connection) return fail(connection.error());
    auto const schema = read_schema(options, **connection);
    if (!schema) return fail(schema.error());
    auto const count = import(**connection, **schema, folder, how);
    if (count && count->is_in_doubt)
        return fail("the connection was lost while all of it was being stored, which may have "
                    "succeeded; the same import again says what is there",
                    exit_database);
    if (!count || count->mistakes > 0) {
        int const code = count ? exit_data : fail(count.error());
        std::cerr << "nothing was imported\n";
        return code;
    }
    char const* const tense = how.is_trial ? " to be " : " ";
    std::cout << count->added << tense << "added, ";
    if (how.is_update)
        std::cout << count->changed << tense << "changed, " << count->removed << tense
                  << "removed, ";
    std::cout << count->skipped << " there already\n";
    return exit_ok;
}

} // namespace

Run declare_import(CommandLine command) {
    auto const folders = std::make_shared<std::vector<std::string>>();
    auto const how = std::make_shared<db::ImportOptions>();
    command.words("folder", *folders, "folder with a file <uid>.ndjson or <uid>.csv for each type");
    command.flag("--update", how->is_update, "change and remove what is there, as the folder says");
    command.flag("--dry-run", how->is_trial, "say what would happen, and store nothing");
    return [folders, how](Options const& options) { return run(folders->front(), *how, options); };
}

} // namespace fcgi
