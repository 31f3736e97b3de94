#pragma once

#include "fcgi/http/http_client.hpp"
#include "fcgi/notify/change_batch.hpp"
#include "fcgi/notify/target.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace fcgi::notify {

struct OutboxSettings {
    // Between attempts, from the first failure on twice as long each time.
    std::chrono::milliseconds first_pause{100};
    std::chrono::milliseconds longest_pause{30'000};
    // Everything is sent a second time then: a response that was on its way to the target when it
    // was told first may be older than the change.
    std::chrono::milliseconds second_time{1'000};
    // More names than that which wait for a target become `site`; so do more documents.
    std::size_t most_names = 10'000;
    HttpClient::ExchangeLimits limits{};
};

// Tells each target of all batches, in their order, at least once, from a thread of its own: a
// target that is down or slow delays no other. Batches that come while a request is in flight are
// sent together after it.
class Outboxes {
  public:
    // Called in the threads of targets: requests to this target fail from now on, or no longer;
    // then `why` is empty.
    using Report = std::function<void(std::string const& target, std::string const& why)>;

    Outboxes(std::vector<Target> targets, Report report, OutboxSettings const& settings = {});
    Outboxes(Outboxes const&) = delete;
    Outboxes& operator=(Outboxes const&) = delete;
    // Ends within a second, whatever the targets do. What they have not got is lost.
    ~Outboxes();

    // Never waits. One thread may call it.
    void add(ChangeBatch const& batch);

    // Returns the position of the last batch that all targets have acknowledged twice, as well as
    // all batches before it; 0 if there is none. One who continues from there misses nothing. Any
    // thread.
    std::uint64_t delivered() const;

    struct Counts {
        std::string target;
        std::uint64_t sent = 0;   // requests that succeeded
        std::uint64_t failed = 0; // requests that did not
        std::size_t queued = 0;   // names that wait or are in flight; `site` is one
        std::chrono::milliseconds lag{
            0}; // since the oldest batch that is not acknowledged was added
    };
    // Any thread.
    std::vector<Counts> counts() const;

  private:
    class Outbox;
    void thin_positions();

    Report const report_;
    OutboxSettings const settings_;
    mutable std::mutex mutex_;
    // Of batches, by their number, from the last one that is delivered on.
    mutable std::map<std::uint64_t, std::uint64_t> positions_;
    std::uint64_t added_ = 0; // the number of the last batch
    std::vector<std::unique_ptr<Outbox>> outboxes_;
};

} // namespace fcgi::notify
