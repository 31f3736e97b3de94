#pragma once

#include "db/schema/permissions.hpp"
#include "fcgi/cache/freshness.hpp"
#include "parser/base/client_hash.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <boost/multi_index/hashed_index.hpp>
#include <boost/multi_index/member.hpp>
#include <boost/multi_index/sequenced_index.hpp>
#include <boost/multi_index_container.hpp>

namespace fcgi {

// What is known of an answer with status 200 and a body of JSON.
struct AnswerFacts {
    Origin origin;
    // Held, so that no others can come to have their address, which is part of the key.
    std::shared_ptr<db::Permissions const> permissions;
    std::string entity_tag;
    std::optional<std::string_view> cache_directives; // into the options
    std::string type;                                 // UID, for metrics
};

// One that is kept. Nobody changes it, but that its packed form is added when it turns out to be
// wanted. Its bytes count as held for as long as it lives. Any thread.
class KeptAnswer {
  public:
    KeptAnswer(AnswerFacts facts, std::string_view body, std::size_t key_bytes,
               std::atomic<std::uint64_t>& held);
    KeptAnswer(KeptAnswer const&) = delete;
    ~KeptAnswer();

    AnswerFacts const& facts() const { return facts_; }
    std::string const& body() const { return body_; }

    // The body in gzip. Null: not made yet.
    std::string const* packed() const { return packed_; }
    // It would have been sent. True for the second time: then making it is worth while, for a
    // thread that has a few milliseconds.
    bool wants_packing() { return wishes_++ == 1; }

  private:
    friend class AnswerCache;
    void pack();
    void hold(std::size_t bytes);

    AnswerFacts const facts_;
    std::string const body_;
    std::atomic<std::uint64_t>& held_;
    std::atomic<std::size_t> bytes_ = 0; // its part of them
    std::atomic<unsigned> wishes_ = 0;
    std::atomic<bool> is_being_packed_ = false;
    std::atomic<std::string const*> packed_ = nullptr; // owned
};

// The answers that were asked for last, as many as fit into `bytes`. Those that are here no more
// count until the last client has them, so that no client, slow or not, makes it hold more. Any
// thread.
class AnswerCache {
  public:
    using Pointer = std::shared_ptr<KeptAnswer>;

    explicit AnswerCache(std::size_t bytes) : most_(bytes) {}

    // Null: not there.
    Pointer find(std::string_view key);
    // Keeps an answer, unless it takes more than a sixteenth of all bytes, or was read in an older
    // snapshot than the one that is there.
    void keep(std::string key, AnswerFacts facts, std::string_view body);

    // Makes the packed form, if it was wished for, and nobody does so yet.
    void pack(KeptAnswer& answer);

    // From now on it is counted there what it holds, which outlives it. Before any use.
    void count_in(std::atomic<std::uint64_t>& held) { held_ = &held; }
    std::uint64_t held() const { return *held_; }

  private:
    struct Entry {
        std::string key;
        Pointer answer;
    };
    struct ByKey {};
    struct ByAge {};
    using Entries = boost::multi_index_container<
        Entry, boost::multi_index::indexed_by<
                   boost::multi_index::hashed_unique<
                       boost::multi_index::tag<ByKey>,
                       boost::multi_index::member<Entry, std::string, &Entry::key>,
                       parser::ClientHash, std::equal_to<>>,
                   boost::multi_index::sequenced<boost::multi_index::tag<ByAge>>>>;
    struct Shard {
        std::mutex mutex;
        Entries entries; // who was asked for last is last
    };

    Shard& shard_of(std::size_t hash);
    bool make_room();

    std::size_t const most_;
    std::atomic<std::uint64_t> uncounted_ = 0;
    std::atomic<std::uint64_t>* held_ = &uncounted_;
    std::array<Shard, 16> shards_;
    std::atomic<std::size_t> next_to_leave_ = 0; // the shard that gives one up next
};

} // namespace fcgi
