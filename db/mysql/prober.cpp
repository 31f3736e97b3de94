#include "db/mysql/prober.hpp"

#include "db/mysql/wire.hpp"
#include "parser/base/signals.hpp"

#include <algorithm>
#include <charconv>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace db {

namespace {

using namespace std::chrono_literals;
using Time = Wire::Clock::time_point;

constexpr std::chrono::milliseconds longest_pause = 2s;

struct Failure {
    std::string why;
    bool is_silent; // the host did not answer, or is not there
};
using ProbeResult = std::variant<HostReport, Failure>;

using Words = std::map<std::string, std::string, std::less<>>;

std::string const& word(Words const& words, std::string_view name) {
    static std::string const none;
    auto const found = words.find(name);
    return found == words.end() ? none : found->second;
}

bool is_off(std::string_view text) {
    return text == "0" || text == "OFF";
}

// Asks one host, for as long as its connection lasts.
class Probe {
  public:
    Probe(Interrupter& interrupter, DatabaseUrl const& url) : wire_(interrupter), url_(url) {}

    // Returns nullopt if it connected.
    std::optional<Failure> connect(Time by);
    ProbeResult ask(Time by);

  private:
    enum class Flavor { mariadb, mysql, galera };

    Failure failure() const;
    ProbeResult ask_replica(Time asked, Time by);
    ProbeResult ask_node(Time asked, Time by);

    Wire wire_;
    DatabaseUrl const& url_;
    Flavor flavor_ = Flavor::mariadb;
};

// An error that the server sent counts as a reply.
Failure Probe::failure() const {
    auto const code = wire_.error_code();
    return {"failed: " + wire_.error(), code == 0 || (code >= 2000 && code < 3000)};
}

std::optional<Failure> Probe::connect(Time by) {
    auto const silence = std::chrono::ceil<std::chrono::seconds>(by - Wire::Clock::now());
    if (!wire_.open(url_, by, silence)) return failure();
    auto rows =
        wire_.query("SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'wsrep_on')", by);
    if (!rows) return failure();
    Words words;
    while (rows->next())
        words.emplace(rows->text(0), rows->text(1));
    flavor_ = word(words, "version").find("MariaDB") == std::string::npos ? Flavor::mysql
              : word(words, "wsrep_on") == "ON"                           ? Flavor::galera
                                                                          : Flavor::mariadb;
    // The node has to report how far it is, not to wait until it is further.
    if (flavor_ == Flavor::galera && !wire_.query("SET SESSION wsrep_sync_wait = 0", by))
        return failure();
    return std::nullopt;
}

ProbeResult Probe::ask(Time by) {
    auto const asked = Wire::Clock::now();
    return flavor_ == Flavor::galera ? ask_node(asked, by) : ask_replica(asked, by);
}

ProbeResult Probe::ask_replica(Time asked, Time by) {
    bool const is_mysql = flavor_ == Flavor::mysql;
    // What MySQL executes with `gtid_mode` OFF is not in its set.
    auto rows = wire_.query(is_mysql ? "SELECT @@GLOBAL.read_only, IF(@@GLOBAL.gtid_mode = 'ON',"
                                       " @@GLOBAL.gtid_executed, '')"
                                     : "SELECT @@GLOBAL.read_only, CONCAT(@@GLOBAL.gtid_binlog_pos,"
                                       " ',', @@GLOBAL.gtid_slave_pos)",
                            by);
    if (!rows) return failure();
    if (!rows->next()) return Failure{"does not report which transactions it has", false};
    auto transactions = is_mysql ? TransactionSet::of_mysql(rows->text(1))
                                 : TransactionSet::of_mariadb(rows->text(1));
    if (!transactions) return Failure{"reports its transactions in an unknown form", false};
    return HostReport{asked, is_off(rows->text(0)), *std::move(transactions)};
}

ProbeResult Probe::ask_node(Time asked, Time by) {
    if (!wire_.query("DO 1", by)) return failure();
    auto rows = wire_.query(
        "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_cluster_status',"
        " 'wsrep_local_state', 'wsrep_local_state_comment', 'wsrep_cluster_state_uuid',"
        " 'wsrep_last_committed')",
        by);
    if (!rows) return failure();
    Words words;
    while (rows->next())
        words.emplace(rows->text(0), rows->text(1));
    if (word(words, "wsrep_ready") != "ON") return Failure{"is not ready", false};
    if (auto const& status = word(words, "wsrep_cluster_status"); status != "Primary")
        return Failure{"is " + status + ", not a member of the primary component", false};
    constexpr std::string_view synced = "4";
    if (word(words, "wsrep_local_state") != synced)
        return Failure{"is " + word(words, "wsrep_local_state_comment") + ", not Synced", false};
    auto const& committed = word(words, "wsrep_last_committed");
    std::uint64_t number = 0;
    std::from_chars(committed.data(), committed.data() + committed.size(), number);
    return HostReport{asked, true,
                      TransactionSet::of_galera(word(words, "wsrep_cluster_state_uuid"), number)};
}

} // namespace

Prober::Prober(Hosts& hosts) : hosts_(hosts), interrupter_(std::make_unique<Interrupter>()) {
}

Prober::~Prober() {
    interrupter_->interrupt();
    hosts_.end_reports();
    for (auto& thread : threads_)
        thread.join();
}

void Prober::start() {
    if (hosts_.is_alone()) return;
    hosts_.begin_reports();
    for (auto const& host : hosts_.all()) {
        if (std::ranges::count(asked_, host) > 0) continue;
        asked_.push_back(host);
        threads_.emplace_back([this, host] { run(*host); });
    }
}

void Prober::run(Host& host) {
    parser::block_all_signals();
    std::unique_ptr<Probe> probe;
    auto pause = 0ms;
    auto asked = Wire::Clock::now();
    do {
        asked = Wire::Clock::now();
        auto const by = asked + hosts_.rules().connect_timeout;
        std::optional<Failure> failure;
        try {
            if (!probe) {
                probe = std::make_unique<Probe>(*interrupter_, host.url());
                failure = probe->connect(by);
            }
            if (!failure) {
                auto result = probe->ask(by);
                if (auto* const report = std::get_if<HostReport>(&result))
                    hosts_.report(host, std::move(*report));
                else
                    failure = std::get<Failure>(std::move(result));
            }
        } catch (std::exception const& exception) { // no memory
            failure = Failure{exception.what(), false};
        }
        pause = failure ? std::min(std::max(2 * pause, hosts_.interval()), longest_pause)
                        : hosts_.interval();
        if (failure) {
            probe.reset();
            hosts_.fail(host, std::move(failure->why), failure->is_silent);
        }
    } while (hosts_.wait(host, asked, asked + pause));
}

} // namespace db
