#include "db/schema/naming.hpp"

#include <boost/test/unit_test.hpp>

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
