#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace db {

// The transactions that a server has, by which servers of the same data can be compared: offsets in
// binlogs differ from server to server, and these do not.
class Progress {
  public:
    Progress(); // no transactions

    // Reads `@@gtid_binlog_pos` or `@@gtid_slave_pos` of MariaDB, or both with a comma between:
    // `0-1-100,1-7-12`. A domain's numbers only grow, so the last one stands for all before.
    static std::optional<Progress> of_mariadb(std::string_view positions);
    // Reads `@@gtid_executed` of MySQL: `3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:7,…`, also with
    // tags (since 8.3), `…:1-5:backup:1-3`.
    static std::optional<Progress> of_mysql(std::string_view executed);
    // Returns the progress of a Galera node: `cluster` is its `wsrep_cluster_state_uuid`, and
    // `last_committed` its `wsrep_last_committed`.
    static Progress of_galera(std::string_view cluster, std::uint64_t last_committed);

    bool includes(Progress const& other) const;
    void add(Progress const& other);

    bool operator==(Progress const& other) const;

  private:
    struct Numbers;
    explicit Progress(Numbers numbers);

    std::shared_ptr<Numbers const> numbers_; // never null
};

} // namespace db
