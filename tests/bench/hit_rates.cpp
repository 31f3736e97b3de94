#include "db/mysql/connection.hpp"
#include "tests/cache/metrics.hpp"
#include "tests/fastcgi/client.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

// How many of the requests for the example, by how popular URLs are (Zipf), are answered by what is
// kept, while entries of its types are written, by how popular types are.
//
//     hit_rates SOCKET METRICS OWNER-URL URLS REQUESTS-A-SECOND WRITES-A-SECOND SECONDS VIEWS MIX
//
// With VIEWS 1 each request for one article is also a write: it counts a view. MIX is `types`, URLs
// of any type, or `site`, the pages of a site and the work of its editors. Prints the share.

namespace {

using Clock = std::chrono::steady_clock;

struct Type {
    char const* path;
    char const* table;
};
constexpr Type types[] = {
    {"articles", "articles"},   {"products", "products"},     {"tags", "tags"},
    {"authors", "authors"},     {"categories", "categories"}, {"pages", "pages"},
    {"events", "events"},       {"comments", "comments"},     {"nodes", "nodes"},
    {"reactions", "reactions"}, {"profiles", "profiles"},     {"scalars", "ks_scalars"}};
constexpr std::size_t list_percent = 60;
constexpr unsigned clients = 8;

class Zipf {
  public:
    explicit Zipf(std::size_t size, double exponent = 1) {
        for (std::size_t i = 1; i <= size; ++i)
            sums_.push_back((sums_.empty() ? 0 : sums_.back()) +
                            std::pow(static_cast<double>(i), -exponent));
    }
    std::size_t operator()(std::mt19937_64& random) const {
        std::uniform_real_distribution<double> any(0, sums_.back());
        return static_cast<std::size_t>(std::ranges::upper_bound(sums_, any(random)) -
                                        sums_.begin()) %
               sums_.size();
    }

  private:
    std::vector<double> sums_;
};

// The same in each run: of any type, entries with their relations and lists of 25.
std::vector<std::string> make_urls(std::size_t count) {
    std::mt19937_64 random(7);
    std::vector<std::string> urls;
    for (std::size_t i = 0; i < count; ++i) {
        auto const path = std::string("/api/") + types[random() % std::size(types)].path;
        auto const number = std::to_string(i);
        urls.push_back(random() % 100 < list_percent
                           ? path + "?pagination[pageSize]=25&populate=*&filters[id][$gt]=" +
                                 std::to_string(random() % 40) + "&n=" + number
                           : path + '/' + std::to_string(1 + random() % 9) +
                                 "?populate=*&n=" + number);
    }
    return urls;
}

class Owner {
  public:
    explicit Owner(std::string const& url)
        : connection_(std::move(*db::Connection::open(db::parse_database_url(url).value().first(),
                                                      db::owner_session))) {}
    void write(char const* table, std::uint64_t id) {
        db::SqlText sql(db::SqlPiece("UPDATE "));
        sql.name(table) << db::SqlPiece(" SET updated_at = NOW(6) WHERE id = ");
        run(sql.integer(id));
    }
    std::vector<std::string> ask(db::SqlText const& sql) {
        std::vector<std::string> found;
        auto rows = connection_->query(sql);
        while (rows && rows->next())
            found.emplace_back(rows->text(0));
        return found;
    }
    void count_view(std::uint64_t id) {
        db::SqlText sql(db::SqlPiece(
            "UPDATE articles SET view_count = COALESCE(view_count, 0) + 1 WHERE id = "));
        run(sql.integer(id));
    }

    void run(db::SqlText const& sql) {
        if (auto const done = connection_->command(sql); !done)
            std::cerr << done.error().cause << '\n';
    }

  private:
    std::unique_ptr<db::Connection> connection_;
};

using Words = std::vector<std::string>;

// A site of the grown example: 55 % of its URLs are pages of an article, found by slug, 15 % of a
// product, some of an author; the others are lists of all articles, of a category and of an author.
class Site {
  public:
    explicit Site(std::string const& owner, std::size_t count) : owner_(owner) {
        std::string const shown =
            "&populate[author][populate]=avatar&populate[category][fields]=name"
            "&populate[cover]=*";
        std::mt19937_64 random(7);
        for (std::size_t i = 0; i < count * 55 / 100 && i < slugs_.size(); ++i)
            urls_.push_back("/api/articles?filters[slug][$eq]=" + slugs_[i] + shown +
                            "&populate[tags][fields]=name&populate[seo]=*");
        for (std::size_t i = 0; i < count * 15 / 100 && i < products_.size(); ++i)
            urls_.push_back("/api/products/" + products_[i] +
                            "?populate[images]=*&populate[categories][fields]=name"
                            "&populate[variants]=*");
        for (std::size_t i = 0; i < count / 60 && i < authors_.size(); ++i)
            urls_.push_back("/api/authors/" + authors_[i] + "?populate=avatar");
        auto const list =
            "/api/articles?pagination[pageSize]=10&fields[0]=title&fields[1]=slug" + shown;
        for (std::size_t i = 0; urls_.size() < count; ++i) {
            auto const page = "&pagination[page]=" + std::to_string(1 + i / 3);
            std::string const filters[] = {
                page,
                "&filters[category][id]=" + categories_[i % categories_.size()] + "&n=" + page,
                "&filters[author][id]=" + authors_[i % authors_.size()] + "&n=" + page};
            urls_.push_back(list + filters[i % 3]);
        }
        std::ranges::shuffle(urls_, random);
    }

    std::vector<std::string> const& urls() const { return urls_; }

    // 70 % edits, 12 % links, 8 % components, 5 % media, 5 % counters.
    void write(std::mt19937_64& random) {
        auto const percent = random() % 100;
        if (percent < 43) return set("articles", "title", articles_, random);
        if (percent < 57) return set("products", "name", products_, random);
        if (percent < 61) return set("authors", "name", authors_, random);
        if (percent < 63) return set("categories", "name", categories_, random);
        if (percent < 65) return set("tags", "name", tags_, random);
        if (percent < 70) return publish_another();
        if (percent < 82) return set("articles_tags_links", "article_order", links_, random);
        if (percent < 90) return set("components_shared_seos", "keywords", seos_, random);
        if (percent < 95) return set("files", "caption", files_, random);
        set("articles", "view_count", articles_, random);
    }

  private:
    void set(char const* table, char const* column, Words const& ids, std::mt19937_64& random) {
        db::SqlText sql(db::SqlPiece("UPDATE "));
        sql.name(table) << db::SqlPiece(" SET ");
        sql.name(column) << db::SqlPiece(" = ");
        sql.integer(std::uint64_t{++writes_}) << db::SqlPiece(" WHERE id = ");
        owner_.run(sql.integer(std::uint64_t{std::stoul(ids[random() % ids.size()])}));
    }
    void publish_another() {
        db::SqlText sql(db::SqlPiece("INSERT INTO articles (title, slug, locale, published_at)"
                                     " VALUES ('another', "));
        owner_.run(sql.text("another-" + std::to_string(Clock::now().time_since_epoch().count()))
                   << db::SqlPiece(", 'en', NOW(6))"));
    }

    Owner owner_;
    Words const slugs_ = owner_.ask(db::SqlPiece("SELECT slug FROM articles WHERE published_at IS "
                                                 "NOT NULL AND locale = 'en' AND slug > ''"));
    Words const articles_ = owner_.ask(db::SqlPiece("SELECT id FROM articles"));
    Words const products_ = owner_.ask(db::SqlPiece("SELECT id FROM products"));
    Words const authors_ = owner_.ask(db::SqlPiece("SELECT id FROM authors"));
    Words const categories_ = owner_.ask(db::SqlPiece("SELECT id FROM categories"));
    Words const tags_ = owner_.ask(db::SqlPiece("SELECT id FROM tags"));
    Words const files_ = owner_.ask(db::SqlPiece("SELECT id FROM files"));
    Words const links_ = owner_.ask(db::SqlPiece("SELECT id FROM articles_tags_links"));
    Words const seos_ = owner_.ask(db::SqlPiece("SELECT id FROM components_shared_seos"));
    std::vector<std::string> urls_;
    std::uint64_t writes_ = 0;
};

std::chrono::nanoseconds every(double a_second) {
    return std::chrono::nanoseconds(std::llround(1e9 / a_second));
}

struct Plan {
    std::string socket, owner;
    std::vector<std::string> urls;
    double requests, writes;
    bool counts_views;
    Site* site; // null: the URLs are of any type
};

void read(std::stop_token const& stopped, Plan const& plan, unsigned number) {
    std::mt19937_64 random(number);
    Zipf const popular(plan.urls.size(), plan.site ? 0.9 : 1);
    auto client = fastcgi::Client::connect("unix:" + plan.socket);
    Owner owner(plan.owner);
    std::string const article = "/api/articles/";
    for (auto next = Clock::now(); !stopped.stop_requested();) {
        auto const& url = plan.urls[popular(random)];
        auto const answer = client.ask(fastcgi::get(url));
        if (answer.status != 200) std::cerr << url << ": " << answer.status << '\n';
        if (plan.counts_views && url.starts_with(article))
            owner.count_view(std::strtoull(url.c_str() + article.size(), nullptr, 10));
        next += every(plan.requests / clients);
        std::this_thread::sleep_until(next);
    }
}

void write(std::stop_token const& stopped, Plan const& plan) {
    std::mt19937_64 random(99);
    Zipf const popular(std::size(types));
    Owner owner(plan.owner);
    for (auto next = Clock::now() + every(plan.writes) / 2; !stopped.stop_requested();) {
        if (Clock::now() >= next && plan.site) {
            plan.site->write(random);
            next += every(plan.writes);
        } else if (Clock::now() >= next) {
            owner.write(types[popular(random)].table, 1 + random() % 20);
            next += every(plan.writes);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 10) {
        std::cerr << "hit_rates SOCKET METRICS OWNER-URL URLS REQUESTS WRITES SECONDS VIEWS MIX\n";
        return 64;
    }
    auto const count = std::stoul(argv[4]);
    std::optional<Site> site;
    if (std::string_view(argv[9]) == "site") site.emplace(argv[3], count);
    Plan const plan{argv[1],
                    argv[3],
                    site ? site->urls() : make_urls(count),
                    std::stod(argv[5]),
                    std::stod(argv[6]),
                    std::string_view(argv[8]) == "1",
                    site ? &*site : nullptr};
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < clients; ++i)
        threads.emplace_back([&, i](std::stop_token stopped) { read(stopped, plan, i); });
    threads.emplace_back([&](std::stop_token stopped) { write(stopped, plan); });
    std::chrono::duration<double> const half(std::stod(argv[7]) / 2);
    std::this_thread::sleep_for(half); // warm
    auto const before = cache_test::read_metrics(argv[2]);
    std::this_thread::sleep_for(half);
    auto const after = cache_test::read_metrics(argv[2]);
    threads.clear();
    double all = 0;
    for (auto const* use : {"hit", "miss", "table", "all_tables", "epoch", "bypass"})
        all += cache_test::uses(after, use) - cache_test::uses(before, use);
    double const hits = cache_test::uses(after, "hit") - cache_test::uses(before, "hit");
    std::printf("%.3f\n", hits / std::max(all, 1.0));
}
