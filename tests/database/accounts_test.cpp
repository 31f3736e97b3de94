#include "tests/database/server.hpp"

#include "db/cms/accounts.hpp"
#include "db/cms/tables.hpp"
#include "db/content/cms_rows.hpp"
#include "tests/unit/db/schema/temporary_project.hpp"

#include <regex>
#include <set>

namespace {

// The tables of tokens as Strapi 5.54 makes them, in a database of their own.
struct AccountsFixture {
    AccountsFixture() {
        server::command(*server::open_owner(), db::SqlPiece("CREATE DATABASE `tokens`"));
        auto url = server::owner();
        url.name = "tokens";
        connection = server::open(url, db::owner_session);
        db::SqlPiece const tables[] = {
            "CREATE TABLE `up_users` (`id` int, `document_id` varchar(255))",
            "CREATE TABLE `strapi_api_tokens` (`id` int AUTO_INCREMENT PRIMARY KEY,"
            " `document_id` varchar(255), `name` varchar(255), `description` varchar(255),"
            " `kind` varchar(255), `type` varchar(255), `access_key` varchar(255),"
            " `encrypted_key` longtext, `last_used_at` datetime(6), `expires_at` datetime(6),"
            " `lifespan` bigint, `created_at` datetime(6), `updated_at` datetime(6),"
            " `published_at` datetime(6), `created_by_id` int, `updated_by_id` int,"
            " `locale` varchar(255))",
            "CREATE TABLE `strapi_api_token_permissions` (`id` int AUTO_INCREMENT PRIMARY KEY,"
            " `document_id` varchar(255), `action` varchar(255), `created_at` datetime(6),"
            " `updated_at` datetime(6), `published_at` datetime(6))",
            "CREATE TABLE `strapi_api_token_permissions_token_lnk` (`id` int AUTO_INCREMENT PRIMARY"
            " KEY, `api_token_permission_id` int, `api_token_id` int,"
            " `api_token_permission_ord` double)",
        };
        for (auto const& table : tables)
            server::command(*connection, table);
        project.type("post", R"("title": {"type": "string"})");
        auto const version = db::read_version(*connection).value();
        BOOST_TEST_REQUIRE((version == db::Version::strapi5));
        schema = db::load_schema(project.folder(), {{}, *version}).value();
        db::read_columns(*schema, db::read_table_columns(*connection).value());
    }
    ~AccountsFixture() { server::command(*connection, db::SqlPiece("DROP DATABASE `tokens`")); }

    db::ApiToken read(std::string_view key) {
        return db::read_api_token(*connection, *schema, key).value().value();
    }

    TemporaryProject project;
    std::unique_ptr<db::Connection> connection;
    std::shared_ptr<db::Schema> schema;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(accounts, AccountsFixture)

BOOST_AUTO_TEST_CASE(a_token_is_stored_as_strapi_5_does_and_found_again) {
    db::NewApiToken const made{"site", "custom", "hash", {"api::post.post.find"}};
    BOOST_TEST_REQUIRE(db::insert_api_token(*connection, *schema, made).has_value());
    auto const token = read("hash");
    BOOST_TEST(token.name == "custom API token \"site\"");
    BOOST_TEST(!token.is_for_admin);
    BOOST_TEST(token.permissions->grants("api::post.post.find"));
    BOOST_TEST(!token.permissions->grants("api::post.post.findOne"));
    auto const ask = [&](db::SqlPiece sql) { return server::ask(*connection, sql); };
    BOOST_TEST(ask("SELECT `kind` FROM `strapi_api_tokens`") == "content-api");
    BOOST_TEST(ask("SELECT COUNT(*) FROM `strapi_api_tokens` WHERE `published_at` IS NOT NULL AND"
                   " `created_at` IS NOT NULL AND `expires_at` IS NULL AND `locale` IS NULL") ==
               "1");
    BOOST_TEST(ask("SELECT COUNT(*) FROM `strapi_api_tokens` t"
                   " JOIN `strapi_api_token_permissions` p WHERE t.`document_id` <> p.`document_id`"
                   " AND CONCAT(t.`document_id`, p.`document_id`) RLIKE"
                   " BINARY '^([a-z][a-z0-9]{23}){2}$'") == "1");
}

// Strapi 5.54: the content API knows no tokens of the admin panel; those from before there were
// kinds have none.
BOOST_AUTO_TEST_CASE(a_token_of_another_kind_is_for_the_admin_panel) {
    server::command(*connection,
                    db::SqlPiece("INSERT INTO `strapi_api_tokens` (`name`, `type`, `access_key`,"
                                 " `kind`) VALUES ('old', 'full-access', 'old', NULL),"
                                 " ('panel', 'full-access', 'panel', 'admin')"));
    BOOST_TEST(!read("old").is_for_admin);
    BOOST_TEST(read("panel").is_for_admin);
}

// Strapi 5 had no kinds of tokens at first.
BOOST_AUTO_TEST_CASE(tokens_need_no_kind) {
    server::command(*connection, db::SqlPiece("ALTER TABLE `strapi_api_tokens` DROP `kind`"));
    db::read_columns(*schema, db::read_table_columns(*connection).value());
    BOOST_TEST_REQUIRE(
        db::insert_api_token(*connection, *schema, {"site", "read-only", "hash", {}}).has_value());
    BOOST_TEST(!read("hash").is_for_admin);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

// The tables behind FROM and JOIN in all that a connection asked while the server logged it.
class Log {
  public:
    explicit Log(db::Connection& connection) : id_(server::connection_id(connection)) {
        for (auto const& sql : {db::SqlPiece("SET GLOBAL log_output = 'TABLE'"),
                                db::SqlPiece("TRUNCATE mysql.general_log"),
                                db::SqlPiece("SET GLOBAL general_log = ON")})
            server::command(*owner_, sql);
    }
    ~Log() { server::command(*owner_, db::SqlPiece("SET GLOBAL general_log = OFF")); }

    std::set<std::string> tables() {
        db::SqlText sql("SELECT `argument` FROM mysql.general_log"
                        " WHERE `command_type` = 'Query' AND `thread_id` = ");
        auto rows = owner_->query(sql.text(id_)).value();
        std::set<std::string> tables;
        static std::regex const named("(?:FROM|JOIN) `([^`]*)`");
        while (rows.next()) {
            std::string const statement(rows.text(0));
            for (std::sregex_iterator at(statement.begin(), statement.end(), named), end; at != end;
                 ++at)
                tables.insert((*at)[1]);
        }
        return tables;
    }

  private:
    std::unique_ptr<db::Connection> owner_ = server::open_owner();
    std::string id_;
};

void expect_tables(db::TableNames const& names, auto read) {
    auto const connection = server::open(server::reader());
    Log log(*connection);
    BOOST_TEST_REQUIRE(read(*connection).has_value());
    BOOST_TEST(log.tables() == std::set<std::string>(names.begin(), names.end()),
               boost::test_tools::per_element());
}

} // namespace

BOOST_AUTO_TEST_SUITE(accounts_of_the_example)

// A user with a role, and a token whose permissions are listed: such reads ask for all that others
// do.
BOOST_AUTO_TEST_CASE(a_read_asks_for_its_tables_and_no_others) {
    auto const schema = db::load_schema(PROJECTS "/ks").value();
    auto const owner = server::open_owner();
    auto const user = server::ask(
        *owner, db::SqlPiece("SELECT `user_id` FROM `up_users_role_links` ORDER BY `id` LIMIT 1"));
    auto const key = server::ask(*owner, db::SqlPiece("SELECT `access_key` FROM `strapi_api_tokens`"
                                                      " WHERE `type` = 'custom' LIMIT 1"));
    expect_tables(db::site_tables(*schema),
                  [&](db::Connection& each) { return db::read_site(each, *schema); });
    expect_tables(db::user_tables(*schema),
                  [&](db::Connection& each) { return db::read_user(each, *schema, user); });
    expect_tables(db::api_token_tables(*schema),
                  [&](db::Connection& each) { return db::read_api_token(each, *schema, key); });
}

BOOST_AUTO_TEST_SUITE_END()
