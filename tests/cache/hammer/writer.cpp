#include "writer.hpp"

#include <thread>

namespace hammer {

using db::SqlPiece;
using db::SqlText;

namespace {

// So that sessions get the settings of the server that came later.
constexpr unsigned transactions_of_a_session = 300;

std::string table_of(std::size_t cell) {
    auto const type = cell % values / entries;
    std::string const name(types[type]);
    return is_link(cell) ? name + "s_next_links" : name + 's';
}

} // namespace

Writer::Writer(Run& run, unsigned number)
    : run_(run),
      number_(number),
      session_(db::parse_database_url(run.options.writable[number % run.options.writable.size()])
                   .value()
                   .first()),
      random_(number + 1) {
}

void Writer::work(std::stop_token const& stopped) {
    for (unsigned left = transactions_of_a_session; !stopped.stop_requested(); --left) {
        changes_.clear();
        switch (random(4) == 0 ? link() : transaction()) {
        case Outcome::committed:
            for (auto const& [cell, number] : changes_)
                run_.acknowledged.note(cell, number);
            for (auto const& [cell, number] : changes_)
                if (!is_link(cell)) note_totals(cell / entries);
            ++run_.writes;
            break;
        case Outcome::rolled_back:
            ++run_.rolled_back;
            break;
        case Outcome::unknown:
            ++run_.unknown;
            break;
        }
        if (left == 0) {
            session_.close();
            left = transactions_of_a_session;
        }
        pause();
    }
}

// One to three numbers, in a transaction of their own unless it is one alone.
Writer::Outcome Writer::transaction() {
    auto const count = 1 + random(3);
    bool const begins = count > 1;
    if (begins && !session_.run(SqlPiece("BEGIN"))) return Outcome::unknown;
    for (std::uint64_t i = 0; i < count; ++i) {
        auto const cell = own_cell();
        if (!write({cell, ++run_.issued[cell]})) return Outcome::unknown;
    }
    if (!begins) return Outcome::committed;
    bool const gives_up = random(16) == 0;
    if (!session_.run(gives_up ? SqlPiece("ROLLBACK") : SqlPiece("COMMIT")))
        return Outcome::unknown;
    return gives_up ? Outcome::rolled_back : Outcome::committed;
}

// Numbers only grow, and so do these totals.
void Writer::note_totals(std::size_t type) {
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
        std::uint64_t total = 0;
        for (std::size_t id = 1; id <= entries; ++id)
            total += run_.acknowledged.known(cell(type, id), Clock::now()) > thresholds[i];
        run_.acknowledged.note(total_cell(type, i), total);
    }
}

// Writes to a link table alone.
Writer::Outcome Writer::link() {
    auto const cell = own_cell() + values;
    return write({cell, ++run_.issued[cell]}) ? Outcome::committed : Outcome::unknown;
}

std::size_t Writer::own_cell() {
    auto const each = entries / run_.options.writers;
    return cell(random(types.size()), 1 + random(each) * run_.options.writers + number_);
}

bool Writer::write(Change const& change) {
    changes_.push_back(change);
    std::uint64_t const id = change.cell % entries + 1;
    auto const type = change.cell % values / entries;
    SqlText sql(SqlPiece("UPDATE "));
    sql.name(table_of(change.cell)) << SqlPiece(" SET ");
    if (is_link(change.cell))
        sql.name(std::string(types[(type + 1) % types.size()]) + "_id") << SqlPiece(" = ");
    else
        sql << SqlPiece("v = ");
    sql.integer(is_link(change.cell) ? linked(change.number) : change.number)
        << SqlPiece(" WHERE ");
    sql.name(is_link(change.cell) ? std::string(types[type]) + "_id" : "id") << SqlPiece(" = ");
    return session_.run(sql.integer(id));
}

void Writer::pause() {
    auto const most = static_cast<std::uint64_t>(2 * run_.options.pause.count());
    if (most > 0) std::this_thread::sleep_for(std::chrono::microseconds(random(most)));
}

} // namespace hammer
