#define BOOST_TEST_MODULE pages
#include "tests/properties/request.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>

// A client that walks all pages of a list meets each of its entries exactly once, however it is
// sorted, filtered and cut into pages.

using namespace properties;

namespace {

using Ids = std::vector<std::int64_t>;

enum class Form { page, offset };

struct Walk {
    Form form;
    std::size_t size;
    bool counted;
};

// Holds the `total` of each page of a walk that asks for it, and the ids in the order met.
struct Met {
    Ids ids;
    std::vector<std::int64_t> totals;
};

Application& application() {
    static Application instance(std::getenv("STACK_SOCKET"));
    return instance;
}

std::string page_url(std::string const& list, Walk const& walk, std::size_t page) {
    auto const text = [](std::size_t number) { return std::to_string(number); };
    std::string url = list;
    if (walk.form == Form::page)
        url += "&pagination[page]=" + text(page + 1) + "&pagination[pageSize]=" + text(walk.size);
    else
        url += "&pagination[start]=" + text(page * walk.size) +
               "&pagination[limit]=" + text(walk.size);
    return url + "&pagination[withCount]=" + (walk.counted ? "true" : "false");
}

// Reads pages until one has no entries.
Met meet(std::string const& list, Walk const& walk) {
    constexpr std::size_t most_pages = 500;
    Met met;
    for (std::size_t page = 0; page < most_pages; ++page) {
        auto const url = page_url(list, walk, page);
        auto const response = application().get(url);
        if (response.status != 200) {
            BOOST_ERROR(reproduction({.url = url}) + ": " + response.body);
            return met;
        }
        auto const body = boost::json::parse(response.body);
        auto const& data = body.at("data").as_array();
        if (walk.counted)
            met.totals.push_back(body.at("meta").at("pagination").at("total").as_int64());
        if (data.empty()) return met;
        for (auto const& entry : data)
            met.ids.push_back(entry.at("id").as_int64());
    }
    BOOST_ERROR("the pages do not end: " + list);
    return met;
}

Ids sorted(Ids ids) {
    std::ranges::sort(ids);
    return ids;
}

void expect_each_once(std::string const& list, Ids const& all) {
    Met const whole = meet(list, {Form::page, 100, true});
    BOOST_TEST(sorted(whole.ids) == all, boost::test_tools::per_element());
    for (Walk const& walk : {Walk{Form::page, 7, true}, Walk{Form::page, 40, false},
                             Walk{Form::offset, 11, false}, Walk{Form::offset, 50, true}}) {
        Met const parts = meet(list, walk);
        BOOST_TEST_CONTEXT(page_url(list, walk, 0))
        BOOST_TEST(parts.ids == whole.ids, boost::test_tools::per_element());
        for (auto const total : parts.totals)
            BOOST_TEST(total == static_cast<std::int64_t>(all.size()), page_url(list, walk, 0));
    }
}

struct Lists {
    char const* path;
    std::vector<char const*> filters;
    std::vector<std::vector<char const*>> sorts; // keys, without directions
};

std::string sort_parameters(std::vector<char const*> const& keys, bool descending) {
    std::string text;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        // The directions of several keys alternate.
        bool const down = descending != (i % 2 == 1);
        text += "&sort[" + std::to_string(i) + "]=" + keys[i] + (down ? ":desc" : ":asc");
    }
    return text;
}

void walk_all(Lists const& lists) {
    for (auto const* filter : lists.filters) {
        std::string const list = std::string(lists.path) + "?fields[0]=id" + filter;
        Ids const all = sorted(meet(list, {Form::page, 100, true}).ids);
        // Fewer could not be cut into pages.
        BOOST_TEST_REQUIRE(all.size() >= 8, list);
        BOOST_TEST_REQUIRE((std::ranges::adjacent_find(all) == all.end()), list);
        expect_each_once(list, all);
        for (auto const& keys : lists.sorts)
            for (bool const descending : {false, true})
                expect_each_once(list + sort_parameters(keys, descending), all);
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(articles_come_once_by_any_sort) {
    walk_all(
        {"/api/articles",
         {"", "&locale=all&publicationState=preview",
          "&filters[tags][name][$contains]=e&filters[author][name][$notNull]=true",
          "&filters[$or][0][category][name][$contains]=a&filters[$or][1][view_count][$gt]=500"},
         {{"title"},
          {"workflow"},
          {"isFeatured"},
          {"view_count"},
          {"rating2"},
          {"publishDate", "slug"},
          {"metaJson"},
          {"locale"},
          {"publishedAt"},
          {"category.name"},
          {"category.order_no", "author.name"},
          {"author.mentor.name"},
          {"tags.name"},
          {"tags.weight", "title"},
          {"coAuthors.score_1"},
          {"relatedArticles.title"},
          {"localizations.slug"},
          {"category.articles.view_count"},
          {"seo.metaTitle"},
          {"sections.heading"},
          {"cover.name"},
          {"gallery.size", "cover.id"}}});
}

BOOST_AUTO_TEST_CASE(products_come_once_by_any_sort) {
    walk_all({"/api/products",
              {"", "&filters[categories][name][$contains]=e", "&filters[tags][id][$null]=true",
               "&filters[variants][id][$notNull]=true"},
              {{"name"},
               {"price"},
               {"weight", "stock"},
               {"bigCode"},
               {"in_stock"},
               {"specs"},
               {"size"},
               {"releasedAt"},
               {"categories.name"},
               {"categories.order_no", "tags.name"},
               {"similar.price"},
               {"accessories.name"},
               {"images.name"},
               {"basePrice.id"},
               {"variants.id"}}});
}

BOOST_AUTO_TEST_CASE(nodes_come_once_by_any_sort) {
    walk_all({"/api/nodes",
              {"", "&filters[parent][id][$notNull]=true", "&filters[children][value][$gt]=0"},
              {{"label"},
               {"value"},
               {"depth", "value"},
               {"parent.label"},
               {"parent.parent.depth"},
               {"children.value"},
               {"children.children.label"},
               {"friends.label", "parent.depth"},
               {"friendOf.value"},
               {"twin.label"},
               {"twinOf.label"}}});
}

BOOST_AUTO_TEST_CASE(scalars_come_once_by_a_column_of_any_type) {
    walk_all({"/api/scalars",
              {"", "&filters[id][$gt]=3"},
              {{"label"},
               {"aString"},
               {"a_text"},
               {"aRichtext"},
               {"aBlocks"},
               {"anEnum"},
               {"anEmail"},
               {"aUid"},
               {"aDate"},
               {"aTime"},
               {"aDatetime"},
               {"aTimestamp"},
               {"anInteger"},
               {"aBiginteger"},
               {"aFloat"},
               {"aDecimal"},
               {"aBoolean"},
               {"aJson"},
               {"snake_case_name"},
               {"name2Digits34"},
               {"URLField"},
               {"createdAt"},
               {"anEnum", "aBoolean", "aFloat"}}});
}

BOOST_AUTO_TEST_CASE(categories_and_tags_come_once_by_any_sort) {
    walk_all({"/api/categories",
              {""},
              {{"name"}, {"order_no"}, {"articles.title"}, {"products.price"}, {"seo.metaTitle"}}});
    walk_all({"/api/tags",
              {"", "&filters[articles][title][$contains]=a"},
              {{"weight"}, {"articles.category.name"}, {"products.categories.order_no"}}});
}
