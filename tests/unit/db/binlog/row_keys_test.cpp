#include "db/binlog/row_uses.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(row_keys)

namespace {

// `id slug`; empty: there is no such table.
std::string columns_of(db::RowKeys const& keys, std::string const& table) {
    std::string text;
    auto const found = keys.find(db::table_name(table));
    if (found == keys.end()) return text;
    for (auto const& column : found->second)
        text += (text.empty() ? "" : " ") + column;
    return text;
}

struct Case {
    char const* table;
    char const* columns;
};

void check(db::Version version, std::vector<Case> const& cases) {
    TemporaryProject files;
    files
        .type("post", R"("title": {"type": "string"}, "slug": {"type": "uid"},
            "tags": {"type": "relation", "relation": "manyToMany", "target": "api::tag.tag",
                "inversedBy": "posts"},
            "owner": {"type": "relation", "relation": "oneToOne", "target": "api::tag.tag",
                "useJoinTable": false, "inversedBy": "owned"},
            "cover": {"type": "media"},
            "seo": {"type": "component", "component": "shared.seo"})")
        .type("tag", R"("posts": {"type": "relation", "relation": "manyToMany",
                "target": "api::post.post", "mappedBy": "tags"},
            "owned": {"type": "relation", "relation": "oneToOne", "target": "api::post.post",
                "mappedBy": "owner"})")
        .component("shared", "seo", R"("text": {"type": "string"})");
    db::SchemaOptions options;
    options.version = version;
    auto const schema = db::load_schema(files.folder(), options).value();
    auto const keys = db::row_keys(*schema);
    for (auto const& [table, columns] : cases)
        BOOST_TEST(columns_of(keys, table) == columns, table);
}

} // namespace

BOOST_AUTO_TEST_CASE(rows_are_told_apart_by_id_uid_and_the_parents_of_links) {
    check(db::Version::strapi4, {
                                    {"posts", "id owner_id slug"},
                                    {"tags", "id"},
                                    {"posts_tags_links", "id post_id tag_id"},
                                    {"posts_components", "entity_id id"},
                                    {"components_shared_seos", "id"},
                                    {"files_related_morphs", "file_id id related_id"},
                                    {"elsewhere", ""},
                                });
}

BOOST_AUTO_TEST_CASE(rows_of_strapi_5_are_told_apart_by_their_document_too) {
    check(db::Version::strapi5, {
                                    {"posts", "document_id id owner_id slug"},
                                    {"tags", "document_id id"},
                                    {"posts_tags_lnk", "id post_id tag_id"},
                                    {"posts_cmps", "entity_id id"},
                                    {"components_shared_seos", "id"},
                                });
}

BOOST_AUTO_TEST_SUITE_END()
