#include "fcgi/cache/response_cache.hpp"

#include "fcgi/cache/gzip.hpp"

#include <utility>

#include <boost/multi_index/hashed_index.hpp>
#include <boost/multi_index/member.hpp>
#include <boost/multi_index/sequenced_index.hpp>
#include <boost/multi_index_container.hpp>

namespace fcgi {

namespace {

constexpr std::size_t shard_count = 16;

// The nodes of the containers take about so much, with what malloc adds.
constexpr std::size_t node_bytes = 512;

struct KeyedEntry {
    std::string key;
    ResponseCache::Pointer entry;
};

constexpr int key_index = 0;
constexpr int age_index = 1;
using KeyedEntries = boost::multi_index_container<
    KeyedEntry, boost::multi_index::indexed_by<
                    boost::multi_index::hashed_unique<
                        boost::multi_index::member<KeyedEntry, std::string, &KeyedEntry::key>,
                        parser::ClientHash, std::equal_to<>>,
                    boost::multi_index::sequenced<>>>;

bool is_newer(db::Tag const& one, db::Tag const& other) {
    return one.epoch != other.epoch ? one.epoch > other.epoch : one.at > other.at;
}

} // namespace

CacheEntry::CacheEntry(ResponseFacts facts, std::string_view body, std::size_t key_bytes,
                       std::atomic<std::uint64_t>& held)
    : facts_(std::move(facts)), body_(body), held_(held) {
    hold(body_.capacity() + key_bytes +
         (facts_.origin.tables ? facts_.origin.tables->capacity() * sizeof(void*) : 0) +
         facts_.origin.slots.capacity() * sizeof(db::ChangeLog::Slot) +
         (facts_.tag_names ? facts_.tag_names->capacity() + sizeof(std::string) : 0) + node_bytes);
}

CacheEntry::~CacheEntry() {
    delete packed_.load();
    held_ -= bytes_;
}

void CacheEntry::hold(std::size_t bytes) {
    bytes_ += bytes;
    held_ += bytes;
}

void CacheEntry::pack() {
    if (packed_ || wishes_ < 2 || is_being_packed_.exchange(true)) return;
    auto packed = std::make_unique<std::string const>(gzip(body_));
    hold(packed->capacity());
    packed_ = packed.release();
}

struct ResponseCache::Shard {
    std::mutex mutex;
    KeyedEntries entries; // the one that was asked for last is last
};

ResponseCache::ResponseCache(std::size_t bytes)
    : most_(bytes), shards_(std::make_unique<Shard[]>(shard_count)) {
}

ResponseCache::~ResponseCache() = default;

ResponseCache::Shard& ResponseCache::shard_of(std::size_t hash) {
    // The lowest bits are those that the container uses.
    return shards_[(hash >> 32) % shard_count];
}

ResponseCache::Pointer ResponseCache::find(std::string_view key) {
    auto const hash = parser::ClientHash()(key);
    auto const hashed = [hash](std::string_view) { return hash; }; // so that it is hashed once
    Shard& shard = shard_of(hash);
    std::lock_guard const lock(shard.mutex);
    auto& by_key = shard.entries.get<key_index>();
    auto const found = by_key.find(key, hashed, std::equal_to<>());
    if (found == by_key.end()) return nullptr;
    auto& by_age = shard.entries.get<age_index>();
    by_age.relocate(by_age.end(), shard.entries.project<age_index>(found));
    return found->entry;
}

ResponseCache::Pointer ResponseCache::store(std::string key, ResponseFacts facts,
                                            std::string_view body) {
    if (body.size() + key.size() > most_ / shard_count) return nullptr;
    auto const tag = facts.origin.moment.tag;
    auto entry = std::make_shared<CacheEntry>(std::move(facts), body, key.capacity(), *held_);
    Shard& shard = shard_of(parser::ClientHash()(key));
    Pointer replaced; // outside of the lock
    {
        std::lock_guard const lock(shard.mutex);
        auto& by_key = shard.entries.get<key_index>();
        auto const found = by_key.find(key);
        if (found != by_key.end()) {
            if (is_newer(found->entry->facts().origin.moment.tag, tag)) return entry;
            replaced = found->entry;
            by_key.erase(found);
        }
    }
    replaced.reset();
    if (!make_room()) return entry;
    std::lock_guard const lock(shard.mutex);
    shard.entries.get<age_index>().push_back({std::move(key), entry});
    return entry;
}

void ResponseCache::pack(CacheEntry& entry) {
    entry.pack();
    make_room();
}

// Returns false if nothing is left to remove, and what is still being sent takes too much.
bool ResponseCache::make_room() {
    // The last entry of a shard, which may be asked for all the time, goes if no shard has others.
    std::size_t spared = 1, skipped = 0; // shards in a row
    while (*held_ > most_) {
        if (skipped == shard_count) {
            if (spared == 0) break;
            spared = skipped = 0;
        }
        Shard& shard = shards_[next_to_leave_++ % shard_count];
        Pointer oldest; // outside of the lock
        std::lock_guard const lock(shard.mutex);
        auto& by_age = shard.entries.get<age_index>();
        bool const is_skipped = by_age.size() <= spared;
        skipped = is_skipped ? skipped + 1 : 0;
        if (is_skipped) continue;
        oldest = by_age.front().entry;
        by_age.pop_front();
    }
    return *held_ <= most_;
}

std::optional<TotalCache::Total> TotalCache::find(std::string const& key, Freshness const& fresh) {
    if (!fresh.knows_changes()) return std::nullopt;
    std::lock_guard const lock(mutex_);
    auto const found = totals_.find(key);
    if (found == totals_.end() || !fresh.holds(found->second.origin)) return std::nullopt;
    return found->second;
}

void TotalCache::store(std::string const& key, Total total) {
    std::lock_guard const lock(mutex_);
    if (bytes_ + key.size() > most_bytes) {
        totals_.clear();
        bytes_ = 0;
    }
    auto const [known, is_new] = totals_.insert_or_assign(key, std::move(total));
    if (is_new) bytes_ += key.size();
}

} // namespace fcgi
