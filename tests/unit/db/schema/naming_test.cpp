#include "db/schema/naming.hpp"
#include "db/schema/schema.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(naming)

namespace {

struct Case {
    char const* in;
    char const* out;
};

} // namespace

// The names that Strapi 4.26 gave columns and link tables for these attributes and tables.
BOOST_AUTO_TEST_CASE(names_are_cut_into_words_as_lodash_cuts_them) {
    Case const cases[] = {
        {"title", "title"},
        {"camelCase2X", "camel_case_2_x"},
        {"HTMLBody", "html_body"},
        {"address2", "address_2"},
        {"line1Text", "line_1_text"},
        {"v2API", "v_2_api"},
        {"myURLPath", "my_url_path"},
        {"URLs", "ur_ls"},
        {"IDs", "i_ds"},
        {"userID", "user_id"},
        {"ABC123def", "abc_123_def"},
        {"B2BCode", "b_2_b_code"},
        {"h1Title", "h_1_title"},
        {"the2ndItem", "the_2nd_item"},
        {"2fast", "2_fast"},
        {"iOSVersion", "i_os_version"},
        {"_private", "private"},
        {"foo__bar", "foo_bar"},
        {"metaOG2", "meta_og_2"},
        {"test1_a", "test_1_a"},
        {"isABTest", "is_ab_test"},
        {"name2Digits34", "name_2_digits_34"},
        {"field1a", "field_1_a"},
        {"URLField", "url_field"},
        {"related-articles_id", "related_articles_id"},
        {"h1_pages_tags_links", "h_1_pages_tags_links"},
    };
    for (auto const& [in, out] : cases)
        BOOST_TEST(db::snake_case(in) == out);
}

BOOST_AUTO_TEST_CASE(ordinals_stay_in_one_word) {
    Case const cases[] = {
        {"1st", "1st"},
        {"2ND", "2nd"},
        {"3rdPlace", "3rd_place"},
        {"21stCentury", "21st_century"},
        {"the10thTime", "the_10th_time"},
        // No ordinal: the digit before th is 1, 2 or 3, or a letter of the same case follows.
        {"1th", "1_th"},
        {"2ndary", "2_ndary"},
    };
    for (auto const& [in, out] : cases)
        BOOST_TEST(db::snake_case(in) == out);
}

BOOST_AUTO_TEST_CASE(latin_letters_lose_their_accents) {
    Case const cases[] = {
        {"étéFoo", "ete_foo"},
        {"Straße", "strasse"},
        {"ÆsopFables", "aesop_fables"},
        {"smørrebrød", "smorrebrod"},
        {"ŒuvreÎle", "oeuvre_ile"},
        {"Žižek", "zizek"},
        {"Łódź", "lodz"},
        {"Ÿpres", "ypres"},
        {"cafe\u0301Bar", "cafe_bar"},
        {"2×4", "2_4"},
    };
    for (auto const& [in, out] : cases)
        BOOST_TEST(db::snake_case(in) == out);
}

BOOST_AUTO_TEST_CASE(apostrophes_vanish_and_all_other_signs_separate) {
    Case const cases[] = {
        {"don't", "dont"}, {"it’sMine", "its_mine"}, {"a.b/c d", "a_b_c_d"}, {"$$$", ""},
        {"", ""},          {"тест", "тест"},
    };
    for (auto const& [in, out] : cases)
        BOOST_TEST(db::snake_case(in) == out);
}

BOOST_AUTO_TEST_CASE(folders_become_parts_of_uids) {
    Case const cases[] = {
        {"article", "article"},
        {"landing-page", "landing-page"},
        {"landingPage", "landing-page"},
        {"FAQ_entry", "faq-entry"},
    };
    for (auto const& [in, out] : cases)
        BOOST_TEST(db::kebab_case(in) == out);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(layout)

namespace {

using Part = db::Layout::NamePart;

Part fixed(char const* text) {
    return {text, true};
}

db::Schema const& example() {
    return *ks5_schema();
}

db::Link const& link_of(char const* uid, char const* attribute) {
    auto const* type = example().find(uid);
    BOOST_TEST_REQUIRE(type, uid);
    auto const* found = type->find(attribute);
    BOOST_TEST_REQUIRE(found, attribute);
    return found->link;
}

} // namespace

// The expected names are those of a database that Strapi 5.54 made.
BOOST_AUTO_TEST_CASE(long_names_of_strapi_5_are_shortened) {
    std::string const books = "authors_of_all_the_other_books_that_they_have_written_together";
    struct {
        std::initializer_list<Part> parts;
        char const* name;
    } const cases[] = {
        {{{"components_marketing_component_with_a_very_long_table_names"}},
         "components_marketing_component_with_a_very_long_ta9b437"},
        {{{"components_marketing_component_with_a_very_long_table_names"}, fixed("cmps")},
         "components_marketing_component_with_a_very_lo9b437_cmps"},
        {{{"components_marketing_component_with_a_very_long_ta_9_b_437"},
          {"the_one_entry_that_is_related_to_this_component"},
          fixed("lnk")},
         "components_marketingbbc54_the_one_entry_that_if6fb0_lnk"},
        {{{"a_rather_long_collection_name_x"}, {books}, fixed("lnk")},
         "a_rather_long_collec3ef38_authors_of_all_the_o92e05_lnk"},
        {{{"a_rather_long_collection_name_x"}, {"many_products"}, fixed("lnk")},
         "a_rather_long_collection_name_x_many_products_lnk"},
        {{{"an_attribute_name_that_is_so_long_that_its_column_has_to_be_shortened_too"}},
         "an_attribute_name_that_is_so_long_that_its_column_48395"},
    };
    for (auto const& [parts, name] : cases)
        BOOST_TEST(db::strapi5.layout.name(parts) == name);
    BOOST_TEST(db::strapi4.layout.name({{"articles"}, {books}, fixed("links")}) ==
               "articles_" + books + "_links");
}

BOOST_AUTO_TEST_CASE(links_of_strapi_5_have_names_of_its_own) {
    struct {
        char const* type;
        char const* attribute;
        char const* link; // table: parent -> target by order
    } const cases[] = {
        {"api::article.article", "tags", "articles_tags_lnk: article_id -> tag_id by tag_ord"},
        {"api::tag.tag", "articles", "articles_tags_lnk: tag_id -> article_id by article_ord"},
        {"api::article.article", "relatedArticles",
         "articles_related_articles_lnk: article_id -> inv_article_id by article_ord"},
        {"api::article.article", "cover", "files_related_mph: related_id -> file_id by order"},
        {"api::article.article", "seo", "articles_cmps: entity_id -> cmp_id by order"},
        {"api::comment.comment", "related",
         "comments_related_mph: comment_id -> related_id by order"},
        {"api::article.article", "localizations", "articles: id -> document_id by "},
    };
    for (auto const& [type, attribute, expected] : cases) {
        auto const& link = link_of(type, attribute);
        BOOST_TEST(link.table + ": " + link.parent_column + " -> " + link.target_column + " by " +
                       link.order_column ==
                   expected);
    }
    BOOST_TEST(link_of("api::article.article", "localizations").entry_column == "document_id");
}

BOOST_AUTO_TEST_CASE(every_content_type_of_strapi_5_has_documents) {
    for (auto const& [uid, type] : example().types) {
        bool const is_component = type->kind == db::ContentType::Kind::component;
        BOOST_TEST(type->has_documents == !is_component, uid);
        for (auto const* name : {"documentId", "publishedAt", "locale", "localizations"})
            BOOST_TEST((type->find(name) != nullptr) == !is_component, uid << '.' << name);
        if (is_component) continue;
        BOOST_TEST(type->find("locale")->is_private == !type->localized, uid);
        BOOST_TEST(type->attributes.front().name == "documentId", uid);
    }
}

BOOST_AUTO_TEST_SUITE_END()
