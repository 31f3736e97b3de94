#include "db/import/import.hpp"
#include "fcgi/answer/service.hpp"
#include "fcgi/commands/commands.hpp"

#include <cstdio>
#include <iostream>

#include <unistd.h>

namespace fcgi {

namespace {

// A line on standard error that grows; only people see it.
class ProgressBar {
  public:
    void show(double share) {
        int const percent = static_cast<int>(share * 100);
        if (!is_terminal_ || percent == shown_) return;
        shown_ = percent;
        int const filled = percent * width / 100;
        std::fprintf(stderr, "\r[%.*s%*s] %3d %%", filled, bar, width - filled, "", percent);
    }
    ~ProgressBar() {
        if (shown_ >= 0) std::fputc('\n', stderr);
    }

  private:
    static constexpr char bar[] = "########################################";
    static constexpr int width = sizeof bar - 1;
    bool const is_terminal_ = isatty(STDERR_FILENO) == 1;
    int shown_ = -1;
};

parser::Result<db::ImportCount> import(db::Connection& connection, db::Schema& schema,
                                       std::string const& folder) {
    ProgressBar bar;
    return db::import_folder(connection, schema, folder, [&bar](double share) { bar.show(share); });
}

int run(std::string const& folder, Options const& options) {
    auto const connection = open_as_owner(options);
    if (!connection) return fail(connection.error());
    auto const schema = read_schema(options, **connection);
    if (!schema) return fail(schema.error());
    auto const count = import(**connection, **schema, folder);
    if (!count) {
        int const code = fail(count.error());
        std::cerr << "nothing was imported\n";
        return code;
    }
    std::cout << count->added << " added, " << count->skipped << " there already\n";
    return exit_ok;
}

} // namespace

Run declare_import(CommandLine command) {
    auto const folders = std::make_shared<std::vector<std::string>>();
    command.words("folder", *folders, "folder with a file <uid>.ndjson for each type");
    return [folders](Options const& options) { return run(folders->front(), options); };
}

} // namespace fcgi
