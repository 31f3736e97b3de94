#include "db/binlog/row_uses.hpp"
#include "tests/unit/bound.hpp"
#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(row_uses)

namespace {

using Ids = std::vector<std::uint64_t>;

struct Project {
    explicit Project(db::Version version = db::Version::strapi4) {
        files.component("c", "text", R"("text": {"type": "string"})");
        files.type("post", R"("title": {"type": "string"}, "slug": {"type": "uid"},
            "zone": {"type": "dynamiczone", "components": ["c.text"]},
            "tags": {"type": "relation", "relation": "manyToMany", "target": "api::tag.tag"})");
        files.type("tag", R"("name": {"type": "string"},
            "owner": {"type": "relation", "relation": "manyToOne", "target": "api::owner.owner"})");
        files.type("owner", R"("name": {"type": "string"})");
        files.type("page", R"("title": {"type": "string"})",
                   R"("options": {"draftAndPublish": true},
                      "pluginOptions": {"i18n": {"localized": true}})");
        schema = files.load({{}, version});
    }

    db::SelectedPlan plan(std::string const& query, std::string const& id = {},
                          char const* type = "api::post.post") const {
        db::ReadTarget target{.type = schema->find(type)};
        if (!id.empty()) target.action = db::Action::find_one, target.id = id;
        return db::select(bound(*schema, target, query).value());
    }

    TemporaryProject files;
    std::shared_ptr<db::Schema> schema;
};

// Rows with these ids, for each node of the plan. Those below the root belong to the first row.
db::ResultTree result_of(std::vector<Ids> const& nodes) {
    db::ResultTree result;
    for (Ids const& ids : nodes) {
        auto& rows = result.nodes.emplace_back();
        for (auto const id : ids)
            rows.rows.push_back({.id = id, .parent = nodes[0].at(0)});
    }
    return result;
}

// `posts: id=1,2 inserted deleted columns=id,title; …`
std::string text_of(db::RowUses const& uses) {
    std::string text;
    for (auto const& [table, use] : uses) {
        text.append(text.empty() ? "" : "; ").append(table).append(":");
        for (auto const& [column, values] : use.values) {
            std::string list;
            for (auto const id : values.ids)
                list += (list.empty() ? "" : ",") + std::to_string(id);
            for (auto const& value : values.texts)
                list += (list.empty() ? "" : ",") + value;
            text.append(" ").append(column).append("=").append(list);
        }
        if (use.inserted) text += " inserted";
        if (use.deleted) text += " deleted";
        if (use.all) text += " all";
        char const* separator = " columns=";
        for (auto const& column : use.columns)
            text.append(std::exchange(separator, ",")).append(column);
        separator = " ends=";
        for (auto const& end : use.ends)
            text.append(std::exchange(separator, ",")).append(end);
    }
    return text;
}

// The foreign keys of the link, and the columns of `posts` whose collation tells letters apart.
db::TableRelations const keys({
    {db::table_name("posts"), {.plain_texts = {"slug", "title"}}},
    {db::table_name("posts_tags_links"),
     {.parents = {db::table_name("posts"), db::table_name("tags")}}},
});
db::TableRelations const unknown;

struct Case {
    char const* name;
    std::string query;
    std::vector<Ids> rows;
    char const* uses;
};

void check(std::vector<Case> const& cases, db::TableRelations const& relations,
           std::string const& id = {}) {
    Project const project;
    for (auto const& [name, query, rows, uses] : cases)
        BOOST_TEST(text_of(db::row_uses(project.plan(query, id), result_of(rows), relations)) ==
                       uses,
                   name);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_list_is_another_one_after_any_row_that_comes_or_goes) {
    check(
        {
            {"by id", "fields=title", {{1, 2}}, "posts: id=1,2 inserted deleted columns=id"},
            {"sorted",
             "fields=slug&sort=title",
             {{3}},
             "posts: id=3 inserted deleted columns=id,title"},
            {"filtered",
             "filters[title][$contains]=x",
             {{}},
             "posts: id= inserted deleted columns=id,title"},
        },
        keys);
}

BOOST_AUTO_TEST_CASE(an_entry_that_is_looked_for_by_a_value_changes_with_rows_of_that_value) {
    check({{"by id, in the path", "", {{7}}, "posts: id=7,7"}}, keys, "7");
    check(
        {
            {"by id", "filters[id]=7", {{7}}, "posts: id=7,7"},
            {"by id, without a result", "filters[id]=7", {{}}, "posts: id=7"},
            {"by a UID", "filters[slug]=a", {{7}}, "posts: id=7 slug=a"},
            {"by a UID and more", "filters[slug]=a&filters[title]=b", {{}}, "posts: id= slug=a"},
            {"by a text that many may have",
             "filters[title]=a",
             {{7}},
             "posts: id=7 inserted deleted columns=id,title"},
            {"by a part of a UID",
             "filters[slug][$contains]=a",
             {{7}},
             "posts: id=7 inserted deleted columns=id,slug"},
            {"by ids that are not named",
             "filters[id][$gt]=6",
             {{7}},
             "posts: id=7 inserted deleted columns=id"},
            {"by a text that MySQL takes for an id",
             "filters[id]=7a",
             {{7}},
             "posts: id=7 inserted deleted columns=id"},
            {"by a UID or something else",
             "filters[$or][0][slug]=a&filters[$or][1][title]=b",
             {{7}},
             "posts: id=7 inserted deleted columns=id,slug,title"},
            {"by one of two",
             "filters[slug][0]=a&filters[slug][1]=b",
             {{7}},
             "posts: id=7 inserted deleted columns=id,slug"},
        },
        keys);
    check({{"by a UID that is equal to others",
            "filters[slug]=a",
            {{7}},
            "posts: id=7 inserted deleted columns=id,slug"}},
          unknown);
}

BOOST_AUTO_TEST_CASE(linked_entries_change_with_the_links_of_their_parents) {
    std::string const posts = "posts: id=7,7; posts_tags_links: post_id=7 ends=posts,tags; ";
    struct {
        char const* query;
        char const* tags;         // where foreign keys are known
        char const* without_keys; // a link may have been there before the entry
    } const forms[] = {
        {"populate[tags][fields]=name", "tags: id=4,5", "tags: id=4,5 inserted"},
        {"populate[tags][filters][name]=x", "tags: id=4,5 columns=name",
         "tags: id=4,5 inserted columns=name"},
        {"populate[tags][sort]=name&populate[tags][limit]=2", "tags: id=4,5 columns=id,name",
         "tags: id=4,5 inserted columns=id,name"},
        {"populate[tags][start]=1", "tags: id=4,5 deleted columns=id",
         "tags: id=4,5 inserted deleted columns=id"},
        {"populate[tags][count]=true", "tags: deleted", "tags: inserted deleted"},
    };
    for (auto const& [query, tags, without_keys] : forms) {
        check({{query, query, {{7}, {4, 5}}, (posts + tags).c_str()}}, keys, "7");
        check({{query, query, {{7}, {4, 5}}, (posts + without_keys).c_str()}}, unknown, "7");
    }
}

BOOST_AUTO_TEST_CASE(conditions_over_relations_change_with_any_row_on_the_way) {
    auto const* const way = "posts: id=7 inserted deleted columns=id; posts_tags_links: inserted "
                            "deleted columns=post_id,tag_id,tag_order; tags: inserted deleted "
                            "columns=id,name";
    check(
        {
            {"a filter", "filters[tags][name]=x", {{7}}, way},
            {"a sort", "sort=tags.name", {{7}}, way},
        },
        keys);
}

BOOST_AUTO_TEST_CASE(a_value_does_not_stand_for_the_relations_in_the_same_filter) {
    check({{"a UID and a relation",
            "filters[slug]=a&filters[tags][name]=x",
            {{7}},
            "posts: id=7 slug=a; posts_tags_links: inserted deleted "
            "columns=post_id,tag_id,tag_order; tags: inserted deleted columns=id,name"}},
          keys);
}

BOOST_AUTO_TEST_CASE(
    linked_entries_that_are_sorted_over_a_relation_change_with_any_row_on_the_way) {
    check({{"",
            "populate[tags][sort]=owner.name",
            {{7}, {4}},
            "owners: inserted deleted columns=id,name; posts: id=7,7; "
            "posts_tags_links: post_id=7 ends=posts,tags; tags: id=4; "
            "tags_owner_links: inserted deleted columns=owner_id,tag_id"}},
          keys, "7");
}

BOOST_AUTO_TEST_CASE(targets_of_pairs_change_with_the_columns_of_their_condition) {
    Project const project(db::Version::strapi5);
    std::string const posts = "; posts: id=7 inserted deleted columns=document_id,id; "
                              "posts_cmps: entity_id=7 ends=posts";
    for (auto const& [condition, texts] :
         {std::pair("=true", "id=4"), std::pair("[filters][text]=x", "id=4 columns=text")}) {
        auto const query = std::string("populate[zone][on][c.text]") + condition;
        BOOST_TEST(text_of(db::row_uses(project.plan(query, "d"), result_of({{7}, {4}, {}}),
                                        keys)) == "components_c_texts: " + (texts + posts),
                   query);
    }
}

BOOST_AUTO_TEST_CASE(what_is_found_through_other_rows_of_a_document_changes_with_any_row) {
    Project const project(db::Version::strapi5);
    for (auto const& [query, pages] :
         {std::pair("hasPublishedVersion=true",
                    "pages: id=7 inserted deleted all columns=id,locale,published_at"),
          std::pair("populate=localizations", "pages: id=7,7,8 inserted deleted all "
                                              "columns=id,locale,published_at ends=pages")})
        BOOST_TEST(text_of(db::row_uses(project.plan(query, {}, "api::page.page"),
                                        result_of({{7}, {8}}), keys)) == pages,
                   query);
}

BOOST_FIXTURE_TEST_CASE(a_total_changes_with_what_satisfies_the_condition, Project) {
    BOOST_TEST(text_of(db::row_uses_of_total(plan("filters[title]=a&sort=slug"))) ==
               "posts: inserted deleted columns=title");
    BOOST_TEST(text_of(db::row_uses_of_total(plan(""))) == "posts: inserted deleted");
}

BOOST_AUTO_TEST_SUITE_END()

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
    auto const schema = files.load(options);
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
