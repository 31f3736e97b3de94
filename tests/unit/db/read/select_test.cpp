#include "db/read/select.hpp"

#include "tests/unit/bound.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace {

struct Project {
    std::shared_ptr<db::Schema const> schema;

    db::SelectedPlan selected(std::string const& query, char const* uid) const {
        return db::select(bound(*schema, {.type = schema->find(uid)}, query).value());
    }
};

Project const strapi4{example_schema()};
Project const strapi5{ks5_schema()};

// The meanings of the columns in their order, with what is said of all rows.
std::string text_of(db::RowLayout const& layout) {
    std::vector<std::pair<std::uint32_t, std::string>> columns{{layout.id, "id"}};
    auto const add = [&](db::RowLayout::Column column, char const* meaning) {
        if (column) columns.emplace_back(*column, meaning);
    };
    add(layout.parent, "parent");
    add(layout.order, "order");
    add(layout.slot, "slot");
    add(layout.type, "type");
    for (std::uint32_t i = 0; i < layout.width; ++i)
        columns.emplace_back(layout.cells + i, "cell");
    std::ranges::sort(columns);
    std::string text;
    for (auto const& [column, meaning] : columns)
        text.append(std::to_string(column)).append(" ").append(meaning).append(", ");
    return text + (layout.sorted ? "sorted" : "unsorted");
}

// How many columns a statement sends, told by the name that all of them have.
std::size_t columns_of(std::string const& sql) {
    std::size_t count = 0;
    for (auto at = sql.find(" c"); at != sql.npos; at = sql.find(" c", at + 1))
        count += sql.compare(at, 3, " c,") == 0 || sql.compare(at, 7, " c FROM") == 0;
    return count;
}

struct Case {
    char const* form;
    char const* uid;
    char const* query;
    std::size_t node;
    char const* layout;
};
std::ostream& operator<<(std::ostream& out, Case const& c) {
    return out << c.form;
}

constexpr auto article = "api::article.article";

Case const cases[] = {
    {"the root", article, "fields[0]=title&fields[1]=slug", 0, "0 id, 1 cell, 2 cell, sorted"},
    {"a link without an order", article, "populate[author][fields]=name", 1,
     "0 parent, 1 id, 2 cell, unsorted"},
    {"a link with an order", article, "populate[tags][fields]=name", 1,
     "0 parent, 1 order, 2 id, 3 cell, unsorted"},
    {"a link that the server sorts", article, "populate[tags][sort]=name&populate[tags][fields]=id",
     1, "0 parent, 1 order, 2 id, sorted"},
    {"ids alone", article, "populate[tags][fields]=id", 1, "0 parent, 1 order, 2 id, unsorted"},
    {"a window", article, "populate[tags][limit]=2&populate[tags][fields]=name", 1,
     "0 parent, 1 order, 2 id, 3 cell, sorted"},
    {"attributes that share a node", article,
     "populate[cover][fields]=url&populate[gallery][fields]=url", 1,
     "0 parent, 1 order, 2 slot, 3 id, 4 cell, unsorted"},
    {"a count", article, "populate[tags][count]=true", 1, "0 parent, 1 id, sorted"},
    {"pairs of a zone", "api::page.page", "populate[zone][on][blocks.hero][fields]=id", 1,
     "0 parent, 1 order, 2 type, 3 id, sorted"},
    {"a part of a zone", "api::page.page", "populate[zone][on][blocks.hero][fields]=id", 2,
     "0 id, unsorted"},
};
BOOST_DATA_TEST_CASE(each_form_of_node_says_what_its_columns_are, cases) {
    auto const plan = strapi4.selected(sample.query, sample.uid);
    db::Statement const& statement = plan.statements.nodes.at(sample.node);
    BOOST_TEST(text_of(statement.layout) == sample.layout, statement.sql.str());
    std::string const layout = sample.layout;
    BOOST_TEST(columns_of(statement.sql.str()) ==
               static_cast<std::size_t>(std::ranges::count(layout, ',')));
}

struct TablesCase {
    char const* form;
    Project const& project;
    char const* uid;
    char const* query;
    char const* tables; // each with a space behind
};
std::ostream& operator<<(std::ostream& out, TablesCase const& c) {
    return out << c.form;
}

constexpr auto page = "api::page.page";

TablesCase const tables_cases[] = {
    {"entries", strapi4, article, "", "articles "},
    {"a relation", strapi4, article, "populate=author", "articles articles_author_links authors "},
    {"ids, which the link has", strapi4, article, "populate[tags][fields]=id",
     "articles articles_tags_links "},
    {"a count of related entries", strapi4, article, "populate[tags][count]=true",
     "articles articles_tags_links tags "},
    {"a window", strapi4, article, "populate[tags][limit]=2&populate[tags][fields]=name",
     "articles articles_tags_links tags "},
    {"a relation to the same table", strapi4, article, "populate=localizations",
     "articles articles_localizations_links "},
    {"a column of the entry", strapi5, "api::glossary.glossary", "populate=createdBy",
     "admin_users glossaries "},
    {"media", strapi4, article, "populate[0]=cover&populate[1]=gallery",
     "articles files files_related_morphs "},
    {"a component", strapi4, article, "populate=seo",
     "articles articles_components components_shared_seos "},
    {"parts of a zone", strapi4, page,
     "populate[zone][on][blocks.hero][fields]=id&populate[zone][on][blocks.quote][fields]=id",
     "components_blocks_heroes components_blocks_quotes pages pages_components "},
    {"a sort over relations", strapi4, article, "sort=author.profile.id",
     "articles articles_author_links authors authors_profile_links profiles "},
    {"a filter over relations", strapi4, article, "filters[author][articles][tags][name]=x",
     "articles articles_author_links articles_tags_links authors tags "},
    {"a filter of what is populated", strapi4, article,
     "populate[tags][filters][articles][category][name]=x",
     "articles articles_category_links articles_tags_links categories tags "},
    {"documents", strapi5, article, "", "articles "},
    {"versions of related documents", strapi5, page,
     "publicationFilter=modified&populate[parentPage][fields]=id", "pages pages_parent_page_lnk "},
};
BOOST_DATA_TEST_CASE(a_plan_knows_the_tables_that_it_reads, tables_cases) {
    auto const plan = sample.project.selected(sample.query, sample.uid);
    std::string text;
    for (std::string_view const table : plan.tables)
        text.append(table) += ' ';
    BOOST_TEST(text == sample.tables);
}

} // namespace
