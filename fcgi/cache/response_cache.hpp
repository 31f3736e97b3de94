#pragma once

#include "db/schema/permissions.hpp"
#include "fcgi/cache/freshness.hpp"
#include "parser/base/client_hash.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fcgi {

// What is known of a response with status 200 and a body of JSON.
struct ResponseFacts {
    ReadOrigin origin;
    // These are held so that no others can get their address, which is part of the key.
    std::shared_ptr<db::Permissions const> permissions;
    std::string entity_tag;
    std::optional<std::string_view> cache_directives; // points into the options
    std::string type;                                 // UID, for metrics
    // Its headers besides those that all have.
    std::vector<std::pair<std::string_view, std::string>> headers = {};
    // As in Representation::tag_names; null: caches in front are not told.
    std::unique_ptr<std::string const> tag_names = {};
};

// A cache entry. It does not change, except that its packed form is added when it turns out to be
// wanted. Its bytes count as held for as long as it lives. Any thread.
class CacheEntry {
  public:
    CacheEntry(ResponseFacts facts, std::string_view body, std::size_t key_bytes,
               std::atomic<std::uint64_t>& held);
    CacheEntry(CacheEntry const&) = delete;
    ~CacheEntry();

    ResponseFacts const& facts() const { return facts_; }
    std::string const& body() const { return body_; }

    // Returns the body in gzip. Null: not made yet.
    std::string const* packed() const { return packed_; }
    // Notes that the packed form would have been sent. Returns true the second time: then making it
    // is worth while, for a thread that has a few milliseconds.
    bool wants_packing() { return wishes_++ == 1; }

  private:
    friend class ResponseCache;
    void pack();
    void hold(std::size_t bytes);

    ResponseFacts const facts_;
    std::string const body_;
    std::atomic<std::uint64_t>& held_;
    std::atomic<std::size_t> bytes_ = 0; // its part of `held_`
    std::atomic<unsigned> wishes_ = 0;
    std::atomic<bool> is_being_packed_ = false;
    std::atomic<std::string const*> packed_ = nullptr; // owned
};

// Holds the responses that were asked for last, as many as fit into `bytes`. Removed entries count
// until the last client has them, so that no client, slow or not, makes the cache hold more. Any
// thread.
class ResponseCache {
  public:
    using Pointer = std::shared_ptr<CacheEntry>;

    explicit ResponseCache(std::size_t bytes);
    ~ResponseCache();

    // Returns null if it is not there.
    Pointer find(std::string_view key);
    // Stores a response, unless it takes more than a sixteenth of all bytes, or was read in an
    // older snapshot than the one that is there. Returns null if it takes more.
    Pointer store(std::string key, ResponseFacts facts, std::string_view body);

    // Makes the packed form, if it was wished for twice, and no thread does so yet.
    void pack(CacheEntry& entry);

    // From now on `held`, which outlives this, counts what is held. Call before any use.
    void count_in(std::atomic<std::uint64_t>& held) { held_ = &held; }
    std::uint64_t held() const { return *held_; }

  private:
    struct Shard;

    Shard& shard_of(std::size_t hash);
    bool make_room();

    std::size_t const most_;
    std::atomic<std::uint64_t> uncounted_ = 0;
    std::atomic<std::uint64_t>* held_ = &uncounted_;
    std::unique_ptr<Shard[]> const shards_;
    std::atomic<std::size_t> next_to_leave_ = 0; // the shard that gives one up next
};

// Caches how many entries satisfy a condition, by the statement that counts them. All pages, sorts
// and fields of a list have one total, and it changes less often than they do: an edit of an entry
// that does not touch the condition leaves it as it is. Any thread.
class TotalCache {
  public:
    using Total = Cached<std::uint64_t>;

    // Returns none if the total is not known, or may have changed.
    std::optional<Total> find(std::string const& key, Freshness const& fresh);
    void store(std::string const& key, Total total);

  private:
    static constexpr std::size_t most_bytes = 1024 * 1024; // of keys; then all are dropped

    std::mutex mutex_;
    std::unordered_map<std::string, Total, parser::ClientHash, std::equal_to<>> totals_;
    std::size_t bytes_ = 0;
};

} // namespace fcgi
