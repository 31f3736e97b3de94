#include "db/schema/columns.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(repertoire)

BOOST_AUTO_TEST_CASE(a_character_set_holds_its_characters) {
    struct {
        char const* text;
        bool in_latin1;
        bool in_utf8mb3;
    } const table[] = {
        {"", true, true},
        {"plain ~ \x7f", true, true},
        {"\u00a0 Äpfel ÿ", true, true},
        {"€ „Š” ž Ÿ", true, true}, // of Windows-1252
        {"\u0081", true, true},    // MySQL's latin1 holds what Windows-1252 leaves out
        {"\u0080", false, true},   // in whose place the latter has €
        {"\u0100", false, true},
        {"Ж", false, true},
        {"a€Ж", false, true},
        {"\ufffd \uffff", false, true},
        {"\U00010000", false, false},
        {"so 😀", false, false},
    };
    for (auto const& [text, in_latin1, in_utf8mb3] : table) {
        BOOST_TEST(db::holds(db::repertoire_of("latin1"), text) == in_latin1, text);
        for (char const* set : {"utf8mb3", "utf8", "ucs2"})
            BOOST_TEST(db::holds(db::repertoire_of(set), text) == in_utf8mb3, set << ' ' << text);
        for (char const* set : {"utf8mb4", "cp1251", ""})
            BOOST_TEST(db::holds(db::repertoire_of(set), text), set << ' ' << text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
