#include "db/mysql/connection.hpp"
#include "tests/cache/metrics.hpp"
#include "tests/fastcgi/client.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// How many of the requests for the example, by how popular URLs are (Zipf), are answered from
// the cache, while entries of its types are written, by how popular types are.
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
using Statements = std::span<db::SqlPiece const>;

// What editors do, so many times in a hundred: a transaction for one of these rows, `@id`, with a
// number that nothing had before, `@n`.
struct Work {
    unsigned percent;
    db::SqlPiece ids;
    std::vector<db::SqlPiece> statements;
};

// 70 % edits, 12 % links, 8 % components, 5 % media, 5 % counters: these, and those of a version.
std::vector<Work> work_of_any_version() {
    return {
        {14, "SELECT id FROM products", {"UPDATE products SET name = @n WHERE id = @id"}},
        {4, "SELECT id FROM authors", {"UPDATE authors SET name = @n WHERE id = @id"}},
        {2, "SELECT id FROM categories", {"UPDATE categories SET name = @n WHERE id = @id"}},
        {2, "SELECT id FROM tags", {"UPDATE tags SET name = @n WHERE id = @id"}},
        {5, "SELECT id FROM files", {"UPDATE files SET caption = @n WHERE id = @id"}},
    };
}

std::vector<Work> work_of_4() {
    return {
        {43, "SELECT id FROM articles", {"UPDATE articles SET title = @n WHERE id = @id"}},
        {5,
         "SELECT 0",
         {"INSERT INTO articles (title, slug, locale, published_at)"
          " VALUES ('another', CONCAT('another-', UUID()), 'en', NOW(6))"}},
        {12,
         "SELECT id FROM articles_tags_links",
         {"UPDATE articles_tags_links SET article_order = @n WHERE id = @id"}},
        {8,
         "SELECT id FROM components_shared_seos",
         {"UPDATE components_shared_seos SET keywords = @n WHERE id = @id"}},
        {5, "SELECT id FROM articles", {"UPDATE articles SET view_count = @n WHERE id = @id"}},
    };
}

// What 5.54 does to all that the pages show of an article. `@id` is a draft.
constexpr db::SqlPiece find[] = {
    "SET @published = (SELECT published.id FROM articles AS published JOIN articles AS draft"
    " USING (document_id, locale) WHERE draft.id = @id AND published.published_at IS NOT NULL)",
    "SET @seo = (SELECT cmp_id FROM articles_cmps WHERE entity_id = @id AND field = 'seo')",
    "SET @published_seo = (SELECT cmp_id FROM articles_cmps"
    " WHERE entity_id = @published AND field = 'seo')"};
constexpr db::SqlPiece create[] = {"INSERT INTO articles (document_id, title, slug, locale)"
                                   " SELECT UUID(), 'another', CONCAT('another-', UUID()), 'en'",
                                   "SET @from = @id, @to = LAST_INSERT_ID()"};
// Gives `@to` the components, files and links of `@from`, and these the next place.
constexpr db::SqlPiece copy[] = {
    "INSERT INTO components_shared_seos (meta_title, meta_description, keywords)"
    " SELECT meta_title, meta_description, keywords FROM components_shared_seos WHERE id = @seo",
    "SET @copied_seo = LAST_INSERT_ID()",
    "INSERT INTO articles_cmps (entity_id, cmp_id, component_type, field)"
    " SELECT @to, @copied_seo, component_type, field FROM articles_cmps"
    " WHERE entity_id = @from AND field = 'seo'",
    "INSERT INTO files_related_mph (file_id, related_id, related_type, field, `order`)"
    " SELECT file_id, @copied_seo, related_type, field, `order` FROM files_related_mph"
    " WHERE related_id = @seo AND related_type = 'shared.seo'",
    "INSERT INTO files_related_mph (file_id, related_id, related_type, field, `order`)"
    " SELECT file_id, @to, related_type, field, `order` FROM files_related_mph"
    " WHERE related_id = @from AND related_type = 'api::article.article'",
    "INSERT INTO articles_category_lnk (article_id, category_id, article_ord)"
    " SELECT @to, category_id, article_ord + 1 FROM articles_category_lnk"
    " WHERE article_id = @from",
    "INSERT INTO articles_author_lnk (article_id, author_id, article_ord)"
    " SELECT @to, author_id, article_ord + 1 FROM articles_author_lnk WHERE article_id = @from",
    "INSERT INTO articles_tags_lnk (article_id, tag_id, tag_ord, article_ord)"
    " SELECT @to, tag_id, tag_ord, article_ord + 1 FROM articles_tags_lnk"
    " WHERE article_id = @from"};
constexpr db::SqlPiece go_on_with_what_was_created[] = {"SET @id = @to"};
constexpr db::SqlPiece save[] = {
    "UPDATE articles SET title = @n, updated_at = NOW(6) WHERE id = @id"};
constexpr db::SqlPiece save_component[] = {
    "UPDATE components_shared_seos SET keywords = @n WHERE id = @seo",
    "UPDATE articles SET updated_at = NOW(6) WHERE id = @id"};
constexpr db::SqlPiece delete_published[] = {
    "DELETE FROM articles WHERE id = @published",
    "DELETE FROM files_related_mph"
    " WHERE related_id = @published AND related_type = 'api::article.article'",
    "DELETE FROM components_shared_seos WHERE id = @published_seo",
    "DELETE FROM files_related_mph"
    " WHERE related_id = @published_seo AND related_type = 'shared.seo'"};
constexpr db::SqlPiece insert_published[] = {
    "INSERT INTO articles (document_id, title, slug, excerpt, body, view_count, created_at,"
    " updated_at, published_at, locale) SELECT document_id, title, slug, excerpt, body,"
    " view_count, created_at, updated_at, NOW(6), locale FROM articles WHERE id = @id",
    "SET @from = @id, @to = LAST_INSERT_ID()"};
constexpr db::SqlPiece put_links_back[] = {
    "UPDATE articles_author_lnk SET article_ord = article_ord - 1 WHERE article_id = @to",
    "UPDATE articles_category_lnk SET article_ord = article_ord - 1 WHERE article_id = @to",
    "UPDATE articles_tags_lnk SET article_ord = article_ord - 1 WHERE article_id = @to"};
constexpr db::SqlPiece move_link[] = {
    "UPDATE articles_tags_lnk SET article_ord = @n WHERE article_id = @published LIMIT 1"};
constexpr db::SqlPiece count_view[] = {"UPDATE articles SET view_count = @n WHERE id = @published"};

std::vector<Work> work_of_5() {
    constexpr db::SqlPiece drafts =
        "SELECT draft.id FROM articles AS draft JOIN articles AS published"
        " USING (document_id, locale) WHERE draft.published_at IS NULL"
        " AND published.published_at IS NOT NULL AND locale = 'en'";
    constexpr db::SqlPiece drafts_with_tags =
        "SELECT DISTINCT draft.id FROM articles AS draft JOIN articles AS published"
        " USING (document_id, locale) JOIN articles_tags_lnk ON article_id = draft.id"
        " WHERE draft.published_at IS NULL AND published.published_at IS NOT NULL"
        " AND locale = 'en'";
    auto const joined = [](std::initializer_list<Statements> parts) {
        std::vector<db::SqlPiece> all;
        for (auto const part : parts)
            all.insert(all.end(), part.begin(), part.end());
        return all;
    };
    return {
        {43, drafts,
         joined({find, save, delete_published, insert_published, copy, put_links_back})},
        {8, drafts,
         joined({find, save_component, delete_published, insert_published, copy, put_links_back})},
        {5, drafts,
         joined({find, create, copy, go_on_with_what_was_created, find, insert_published, copy,
                 put_links_back})},
        {12, drafts_with_tags, joined({find, move_link})},
        {5, drafts, joined({find, count_view})}};
}

// A site of the grown example: 55 % of its URLs are pages of an article, found by slug, 15 % of a
// product, some of an author; the others are lists of all articles, of a category and of an author.
class Site {
  public:
    explicit Site(std::string const& owner, std::size_t count) : owner_(owner) {
        bool const has_documents =
            !owner_.ask(db::SqlPiece("SHOW COLUMNS FROM articles LIKE 'document_id'")).empty();
        make_urls(count, has_documents);
        for (auto& work : work_of_any_version())
            add(std::move(work));
        for (auto& work : has_documents ? work_of_5() : work_of_4())
            add(std::move(work));
    }

    std::vector<std::string> const& urls() const { return urls_; }

    void write(std::mt19937_64& random) {
        auto percent = random() % 100;
        for (auto const& [work, ids] : works_) {
            if (percent < work.percent) return write(work, ids[random() % ids.size()]);
            percent -= work.percent;
        }
    }

  private:
    void make_urls(std::size_t count, bool has_documents) {
        auto const slugs = owner_.ask(db::SqlPiece("SELECT slug FROM articles WHERE published_at IS"
                                                   " NOT NULL AND locale = 'en' AND slug > ''"));
        auto const products =
            owner_.ask(has_documents ? db::SqlPiece("SELECT document_id FROM products")
                                     : db::SqlPiece("SELECT id FROM products"));
        auto const authors =
            owner_.ask(has_documents ? db::SqlPiece("SELECT document_id FROM authors")
                                     : db::SqlPiece("SELECT id FROM authors"));
        // Strapi 5 refuses `*` of files.
        std::string const all = has_documents ? "=true" : "=*";
        auto const shown = "&populate[author][populate]=avatar&populate[category][fields]=name"
                           "&populate[cover]" +
                           all;
        for (std::size_t i = 0; i < count * 55 / 100 && i < slugs.size(); ++i)
            urls_.push_back("/api/articles?filters[slug][$eq]=" + slugs[i] + shown +
                            "&populate[tags][fields]=name&populate[seo]" + all);
        for (std::size_t i = 0; i < count * 15 / 100 && i < products.size(); ++i)
            urls_.push_back("/api/products/" + products[i] +
                            "?populate[categories][fields]=name&populate[images]" + all +
                            "&populate[variants]" + all);
        for (std::size_t i = 0; i < count / 60 && i < authors.size(); ++i)
            urls_.push_back("/api/authors/" + authors[i] + "?populate=avatar");
        make_urls_of_lists(count, shown);
        std::mt19937_64 random(7);
        std::ranges::shuffle(urls_, random);
    }

    void make_urls_of_lists(std::size_t count, std::string const& shown) {
        auto const categories = owner_.ask(db::SqlPiece("SELECT id FROM categories"));
        auto const authors = owner_.ask(db::SqlPiece("SELECT id FROM authors"));
        auto const list =
            "/api/articles?pagination[pageSize]=10&fields[0]=title&fields[1]=slug" + shown;
        for (std::size_t i = 0; urls_.size() < count; ++i) {
            auto const page = "&pagination[page]=" + std::to_string(1 + i / 3);
            std::string const filters[] = {
                page, "&filters[category][id]=" + categories[i % categories.size()] + "&n=" + page,
                "&filters[author][id]=" + authors[i % authors.size()] + "&n=" + page};
            urls_.push_back(list + filters[i % 3]);
        }
    }

    void add(Work work) {
        auto ids = owner_.ask(work.ids);
        works_.emplace_back(std::move(work), std::move(ids));
    }

    void write(Work const& work, std::string const& id) {
        owner_.run(db::SqlPiece("START TRANSACTION"));
        db::SqlText sql(db::SqlPiece("SET @id = "));
        sql.integer(std::uint64_t{std::stoul(id)}) << db::SqlPiece(", @n = ");
        owner_.run(sql.integer(++writes_));
        for (auto const& statement : work.statements)
            owner_.run(statement);
        owner_.run(db::SqlPiece("COMMIT"));
    }

    Owner owner_;
    std::vector<std::string> urls_;
    std::vector<std::pair<Work, Words>> works_;
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
        auto const response = client.ask(fastcgi::get(url));
        if (response.status != 200) std::cerr << url << ": " << response.status << '\n';
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
