#pragma once

#include "db/binlog/tag_names.hpp"
#include "db/binlog/transactions.hpp"
#include "fcgi/answer/read_schema.hpp"
#include "fcgi/notify/delivery.hpp"
#include "fcgi/notify/state_file.hpp"
#include "fcgi/notify/target.hpp"
#include "fcgi/notify/translator.hpp"
#include "fcgi/options/options.hpp"
#include "parser/base/error.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fcgi::notify {

// Reads the binlog and tells targets what changed, until it is stopped. What cannot be told row by
// row is told as `site`: everything may have changed.
class Notifier {
  public:
    Notifier(Options const& options, std::vector<Target> targets, StateFile file);
    Notifier(Notifier const&) = delete;

    // Returns soon after stop().
    void run();
    // Any thread.
    void stop();

  private:
    using Clock = std::chrono::steady_clock;

    // Something that is tried again after growing pauses. Its trouble is logged when it is another.
    struct Attempts {
        Clock::time_point due{};
        std::chrono::milliseconds pause{0};
        std::string trouble;

        void note(std::string_view doing, parser::Error const& error);
    };

    void load_state();
    void follow();
    void read_on();
    void take(db::Transaction const& transaction);
    void read_columns();
    void look_at_files();
    void add(Batch batch);
    void add_site(std::string_view why);
    void add_site_twice(std::string_view why);
    void owe_site();
    void settle();
    void write_state(bool is_last);
    void write(State state);
    void write_metrics();
    std::string fingerprint() const;
    bool is_stopped();
    void pause();

    Options const& options_;
    db::TagNames names_;
    StateFile const file_;
    db::TransactionReader reader_;
    Translator translator_;
    ProjectFiles files_;
    db::ProjectStamp stamp_; // of the files that were read, or told to have changed
    // The texts of the files that settings name: templates, and default parameters, by which the
    // server responds otherwise.
    std::string const setting_files_;

    Attempts following_, reading_;
    bool is_following_ = false;
    std::optional<State> loaded_;       // from the file, until it is used
    std::optional<db::LogPlace> place_; // where to read on
    std::string gap_;                   // why there is no such place
    // The columns have to be read, at this time. Until then any change is told as `site`.
    std::optional<Clock::time_point> stale_until_ = Clock::time_point();
    std::optional<Clock::time_point> site_again_; // when to tell it once more
    // What the next state is of. Empty while there is more to do than to read on from its place.
    std::string settled_;

    struct Added {
        std::uint64_t number; // of the batch, counted from 1
        State state;          // once it is delivered
    };
    std::deque<Added> states_;
    std::uint64_t added_ = 0;
    std::optional<State> written_;
    Clock::time_point written_at_{};
    Clock::time_point counted_at_{};

    std::mutex mutex_; // guards the next two
    std::condition_variable stopped_;
    bool stops_ = false;

    Delivery delivery_; // the last member: its threads end first
};

} // namespace fcgi::notify
