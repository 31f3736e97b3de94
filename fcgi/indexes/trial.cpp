#include "fcgi/indexes/trial.hpp"

#include "db/execute.hpp"
#include "db/indexes/existing.hpp"
#include "fcgi/indexes/online.hpp"
#include "fcgi/indexes/shapes.hpp"
#include "fcgi/options/failure.hpp"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <optional>
#include <ranges>
#include <sstream>
#include <vector>

namespace fcgi {

namespace {

using parser::Result;
using Milliseconds = std::chrono::duration<double, std::milli>;
using Time = std::optional<Milliseconds>; // absent: the statements failed

// Which form of a statement is quickest is learned from the first (db/form_choice.hpp).
constexpr int reads_of_each = 5;
constexpr int rows_deleted = 1'000;

// The time of all statements of a plan that is read once.
Time read(Service& service, db::SelectedPlan const& plan) {
    Options const& options = service.options();
    auto connection =
        service.pool().acquire({options.limits.acquire, std::chrono::steady_clock::now()});
    if (!connection) return std::nullopt;
    auto const method = db::method_for(plan, options.statement_forms);
    if (!connection->begin(db::Extent::snapshot)) return std::nullopt;
    parser::MemoryShare memory;
    std::vector<db::SentStatement> sent;
    auto const result = db::execute(plan, method, **connection,
                                    {.limits = options.limits,
                                     .deadline = {},
                                     .memory = memory,
                                     .forms = options.statement_forms},
                                    sent);
    if (!result) return std::nullopt;
    std::chrono::nanoseconds time{0};
    for (db::SentStatement const& statement : sent)
        time += statement.duration;
    return time;
}

Time least(Time left, Time right) {
    if (!left || !right) return left ? left : right;
    return std::min(*left, *right);
}

Time measure(Service& service, db::SelectedPlan const& plan) {
    Time time;
    for (int i = 0; i < reads_of_each; ++i)
        time = least(time, read(service, plan));
    return time;
}

std::string shown(Time time) {
    if (!time) return "failed";
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << time->count();
    return text.str();
}

// What the server counts of a table's indexes, after it has counted anew.
Result<std::uint64_t> index_bytes(db::Connection& connection, std::string const& table) {
    db::SqlText analyze("ANALYZE TABLE ");
    if (auto done = connection.query(analyze.name(table)); !done) return done.error();
    auto const sizes = db::read_table_sizes(connection);
    if (!sizes) return sizes.error();
    auto const size = sizes->find(table);
    return size == sizes->end() ? 0 : size->second.index_bytes;
}

// Returns how long it takes to delete some rows of this table alone, which come back.
Result<Milliseconds> deletion_time(db::Connection& connection, std::string const& table) {
    if (auto set = connection.command(db::SqlPiece("SET SESSION foreign_key_checks = 0")); !set)
        return set.error();
    Time time;
    for (int i = 0; i < reads_of_each; ++i) {
        if (auto begun = connection.command(db::SqlPiece("START TRANSACTION")); !begun)
            return begun.error();
        db::SqlText sql("DELETE FROM ");
        sql.name(table);
        auto const start = std::chrono::steady_clock::now();
        if (auto done = connection.command(sql.limit(rows_deleted)); !done) return done.error();
        time = least(time, std::chrono::steady_clock::now() - start);
        if (auto done = connection.command(db::SqlPiece("ROLLBACK")); !done) return done.error();
    }
    if (auto set = connection.command(db::SqlPiece("SET SESSION foreign_key_checks = 1")); !set)
        return set.error();
    return *time;
}

// Creates indexes on a copy, and drops them at its end. It has a connection only while it changes
// something: a watchdog would take it for one of the pool's (db/mysql/watchdog.hpp).
class TriedIndexes {
  public:
    explicit TriedIndexes(Options const& on_copy) : on_copy_(on_copy) {}
    ~TriedIndexes();
    TriedIndexes(TriedIndexes const&) = delete;
    TriedIndexes& operator=(TriedIndexes const&) = delete;

    // Prints what it took.
    Result<void> create(db::Index const& index);
    Result<void> drop_all();
    Result<void> create_all_again();

  private:
    Options const& on_copy_;
    std::vector<db::Index> known_;
    std::size_t existing_ = 0; // the first of these
};

TriedIndexes::~TriedIndexes() {
    if (drop_all()) return;
    for (db::Index const& index : known_ | std::views::take(existing_))
        tell("could not be dropped from the copy: " + name_of(index));
}

Result<void> TriedIndexes::create(db::Index const& index) {
    auto const connection = open_for_changes(on_copy_);
    if (!connection) return connection.error();
    auto const before = index_bytes(**connection, index.table);
    if (!before) return before.error();
    auto const deletion_before = deletion_time(**connection, index.table);
    if (!deletion_before) return deletion_before.error();
    auto const begun = std::chrono::steady_clock::now();
    if (auto done = (*connection)->command(db::creation_of(index)); !done) return done;
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - begun;
    known_.push_back(index);
    ++existing_;
    auto const after = index_bytes(**connection, index.table);
    if (!after) return after.error();
    auto const deletion_after = deletion_time(**connection, index.table);
    if (!deletion_after) return deletion_after.error();
    constexpr double mebibyte = 1024 * 1024;
    auto const bytes = static_cast<double>(std::max(*after, *before) - *before);
    std::cout << name_of(index) << " on " << index.table << ": created in " << std::fixed
              << std::setprecision(1) << seconds.count() << " s, " << bytes / mebibyte
              << " MiB; deleting " << rows_deleted << " rows takes " << shown(*deletion_after)
              << " ms, before " << shown(*deletion_before) << " ms\n"
              << std::flush;
    return {};
}

Result<void> TriedIndexes::drop_all() {
    if (existing_ == 0) return {};
    auto const connection = open_for_changes(on_copy_);
    if (!connection) return connection.error();
    for (; existing_ > 0; --existing_) {
        db::Index const& index = known_[existing_ - 1];
        auto done = (*connection)->command(db::removal_of(index.table, name_of(index)));
        if (!done) return done;
    }
    return {};
}

Result<void> TriedIndexes::create_all_again() {
    auto const connection = open_for_changes(on_copy_);
    if (!connection) return connection.error();
    for (; existing_ < known_.size(); ++existing_)
        if (auto done = (*connection)->command(db::creation_of(known_[existing_])); !done)
            return done;
    return {};
}

// Fails if the copy is the database that the configuration names, on any of its hosts, or if that
// cannot be known.
Result<void> expect_copy(Options const& on_copy, Options const& options) {
    auto const copy = open_for_changes(on_copy);
    if (!copy) return copy.error();
    auto const server_of_copy = (*copy)->server();
    if (!server_of_copy) return server_of_copy.error();
    if (options.database.empty()) return {};
    for (db::DatabaseUrl const& url : options.database_hosts.urls) {
        auto const served = db::Connection::open(url, {});
        if (!served) return served.error();
        auto const server = (*served)->server();
        if (!server) return server.error();
        if (*server == *server_of_copy && url.name == on_copy.database_hosts.first().name)
            return parser::Error{
                parser::ErrorKind::configuration,
                "--on: expected a copy of the database, received the one that is served"};
    }
    return {};
}

struct Measured {
    Shape const& shape;
    Time before = {}, after = {};

    // A millisecond is within what statements take from one time to the next.
    bool is_slower() const {
        constexpr double tolerated = 1.12;
        constexpr Milliseconds noise{1};
        if (!before || !after) return before && !after;
        return *after > *before * tolerated && *after > *before + noise;
    }
};

// Something else may have disturbed those that are slower: they are measured again, in turns.
Result<void> make_sure(Service& service, TriedIndexes& indexes, std::vector<Measured>& measured) {
    constexpr int turns = 3;
    for (int turn = 0; turn < turns; ++turn) {
        std::vector<Measured*> slower;
        for (Measured& one : measured)
            if (one.is_slower()) slower.push_back(&one);
        if (slower.empty()) break;
        if (auto done = indexes.drop_all(); !done) return done;
        for (Measured* one : slower)
            one->before = least(one->before, measure(service, *one->shape.plan));
        if (auto done = indexes.create_all_again(); !done) return done;
        for (Measured* one : slower)
            one->after = least(one->after, measure(service, *one->shape.plan));
    }
    return {};
}

void print(std::vector<Measured> const& measured) {
    std::cout << std::setw(8) << "asked" << std::setw(11) << "before ms" << std::setw(11)
              << "after ms" << "  request\n";
    for (Measured const& one : measured)
        std::cout << std::setw(8) << one.shape.asked << std::setw(11) << shown(one.before)
                  << std::setw(11) << shown(one.after) << "  " << one.shape.target
                  << (one.is_slower() ? "  (slower)" : "") << '\n';
    std::cout << std::flush;
}

int run_trial(Service& service, TrialArguments const& arguments,
              std::vector<db::Index> const& indexes) {
    auto const requests = read_requests(service, arguments.log);
    if (!requests) return fail(requests.error());
    std::vector<Measured> measured;
    for (Shape const& shape : requests->shapes)
        measured.push_back({shape, measure(service, *shape.plan)});
    TriedIndexes tried(service.options());
    for (db::Index const& index : indexes)
        if (auto created = tried.create(index); !created) return fail(created.error());
    for (Measured& one : measured)
        one.after = measure(service, *one.shape.plan);
    if (auto done = make_sure(service, tried, measured); !done) return fail(done.error());
    print(measured);
    auto const slower = std::ranges::count_if(measured, &Measured::is_slower);
    if (slower > 0)
        return fail("slower by more than 12 %: " + std::to_string(slower) +
                        "; try a file without the index that these requests use now",
                    exit_failed);
    tell("next: populate-fcgi indexes apply --file " + arguments.file);
    return exit_ok;
}

} // namespace

int try_indexes(TrialArguments const& arguments, Options const& options) {
    auto const hosts = db::parse_database_url(arguments.on);
    if (!hosts) return fail("--on: " + hosts.error().message, exit_configuration);
    auto const indexes = db::read_index_file(arguments.file);
    if (!indexes) return fail(indexes.error().message, exit_data);
    Options on_copy = options;
    on_copy.database = arguments.on;
    on_copy.database_hosts = *hosts;
    on_copy.cache.reset(); // nothing is followed
    if (auto copied = expect_copy(on_copy, options); !copied) return fail(copied.error());
    auto const service = Service::create(on_copy);
    if (!service) return fail(service.error());
    return run_trial(**service, arguments, *indexes);
}

} // namespace fcgi
