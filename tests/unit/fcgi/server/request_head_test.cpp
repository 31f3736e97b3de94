#include "fcgi/server/request_head.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <tuple>

using namespace std::string_literals;

BOOST_AUTO_TEST_SUITE(parameters)

BOOST_AUTO_TEST_CASE(a_value_is_found_by_its_name) {
    struct {
        char const* what;
        std::string contents;
        bool whole;
        std::string_view a; // the value of A
    } const table[] = {
        {"nothing", "", true, ""},
        {"a pair", "\1\2Axy"s, true, "xy"},
        {"behind another", "\1\1Bz\1\2Axy"s, true, "xy"},
        {"of two the first", "\1\1A1\1\1A2"s, true, "1"},
        {"an empty value", "\1\0A"s, true, ""},
        {"a long length", "\1\x80\0\0\2Axy"s, true, "xy"},
        {"a value with =", "\1\3Ax=y"s, true, "x=y"},
        {"a name that begins so", "\2\1ABx"s, true, ""},
        {"cut short", "\1\1A1\1\2Bx"s, false, "1"},
        {"a length cut short", "\1\1A1\x80"s, false, "1"},
        {"a name with =", "\3\1A=xy"s, false, ""},
        {"a NUL in a value", "\1\3Ax\0y"s, false, ""},
    };
    for (auto const& row : table)
        BOOST_TEST_CONTEXT(row.what) {
            fcgi::Parameters const parameters(std::pmr::string{row.contents});
            BOOST_TEST(parameters.are_whole() == row.whole);
            BOOST_TEST(parameters.value("A") == row.a);
        }
}

BOOST_AUTO_TEST_SUITE_END()

using fcgi::HeadProgress;
using fcgi::HeadReader;
using fcgi::RecordType;

BOOST_AUTO_TEST_SUITE(request_head)

namespace {

using namespace std::string_literals;

constexpr std::size_t limit = 100;

std::string record(int type, int id, std::string_view content) {
    std::string out;
    fcgi::append_record(out, RecordType{static_cast<std::uint8_t>(type)},
                        static_cast<std::uint16_t>(id), content);
    return out;
}

std::string const begin = record(1, 1, "\0\1\1\0\0\0\0\0"s);
std::string const unkept_connection = record(1, 1, "\0\1\0\0\0\0\0\0"s);
std::string const end = record(4, 1, "");
std::string const body_end = record(5, 1, "");

} // namespace

BOOST_AUTO_TEST_CASE(the_state_after_some_bytes) {
    struct {
        std::string what, bytes;
        HeadProgress progress;
    } const table[] = {
        {"nothing", "", HeadProgress::idle},
        {"one byte", "\1", HeadProgress::partial},
        {"BEGIN", begin, HeadProgress::partial},
        {"BEGIN and parameters", begin + record(4, 1, "\1\1ab"s), HeadProgress::partial},
        {"a whole head", begin + record(4, 1, "\1\1ab"s) + end, HeadProgress::complete},
        {"a head without parameters", begin + end, HeadProgress::complete},
        {"a pair across records", begin + record(4, 1, "\1\1a"s) + record(4, 1, "b") + end,
         HeadProgress::complete},
        {"a pair cut short", begin + record(4, 1, "\1\1a"s) + end, HeadProgress::over},
        {"a name with =", begin + record(4, 1, "\3\1a=bc"s) + end, HeadProgress::over},
        {"a value with =", begin + record(4, 1, "\1\3ab=c"s) + end, HeadProgress::complete},
        {"parameters at the limit", begin + record(4, 1, "\1\x61"s + std::string(98, 'v')) + end,
         HeadProgress::complete},
        {"parameters over it", begin + record(4, 1, "\1\x62"s + std::string(99, 'v')),
         HeadProgress::over},
        {"parameters of another request", begin + record(4, 2, "\1\1ab"s) + record(4, 2, ""),
         HeadProgress::partial},
        {"parameters of no request", record(4, 1, "\1\1ab"s) + end, HeadProgress::idle},
        {"the body of a former request", record(5, 1, "body") + body_end, HeadProgress::idle},
        {"half a record of no request", record(5, 1, "body").substr(0, 10), HeadProgress::partial},
        {"an aborted request", begin + record(2, 1, ""), HeadProgress::idle},
        {"an aborted request, not kept", unkept_connection + record(2, 1, ""), HeadProgress::over},
        {"the abort of another request", begin + record(2, 2, ""), HeadProgress::partial},
        {"version 0", "\0\1\0\1\0\0\0\0"s, HeadProgress::over},
        {"BEGIN with id 0", record(1, 0, "\0\1\1\0\0\0\0\0"s), HeadProgress::over},
        {"BEGIN of seven bytes", record(1, 1, "\0\1\1\0\0\0\0"s), HeadProgress::over},
        {"BEGIN twice", begin + begin, HeadProgress::over},
        {"a GET_VALUES beyond sense", record(9, 0, std::string(1025, 'x')), HeadProgress::over},
    };
    for (auto const& row : table)
        BOOST_TEST_CONTEXT(row.what) {
            HeadReader at_once(limit);
            BOOST_TEST(at_once.take(row.bytes) <= row.bytes.size());
            BOOST_TEST((at_once.progress() == row.progress));

            HeadReader byte_by_byte(limit);
            for (char const& byte : row.bytes)
                if (byte_by_byte.progress() != HeadProgress::over) byte_by_byte.take({&byte, 1});
            BOOST_TEST((byte_by_byte.progress() == row.progress));
        }
}

BOOST_AUTO_TEST_CASE(a_complete_head_holds_what_was_sent) {
    auto const head = record(1, 258, "\0\1\1\0\0\0\0\0"s) + record(4, 258, "\1\1ab"s) +
                      record(4, 258, "\1\1cd"s) + record(4, 258, "");
    HeadReader reader(limit);
    BOOST_TEST(reader.take(head + body_end) == head.size());
    BOOST_TEST(reader.head().id == 258);
    BOOST_TEST(reader.head().keep_connection);
    BOOST_TEST(reader.head().value("a") == "b");
    BOOST_TEST(reader.head().value("c") == "d");
    BOOST_TEST(reader.head().parameters.empty()); // they are not held twice
}

BOOST_AUTO_TEST_CASE(the_end_of_no_body_is_taken_with_the_head_where_it_comes_along) {
    std::tuple<std::string, std::string, bool> const table[] = {
        {"its end", body_end, true},
        {"of another request", record(5, 2, ""), false},
        {"a body", record(5, 1, "body"), false},
        {"half of its end", body_end.substr(0, 4), false},
        {"another version", "\2\5\0\1\0\0\0\0"s, false},
        {"the next request", begin, false},
    };
    for (auto const& [what, behind, is_taken] : table) {
        HeadReader reader(limit);
        auto const head = begin + end;
        BOOST_TEST(reader.take(head + behind) == head.size() + (is_taken ? behind.size() : 0),
                   what);
        BOOST_TEST((reader.progress() == HeadProgress::complete), what);
    }
}

BOOST_AUTO_TEST_CASE(after_a_head_comes_the_next) {
    HeadReader reader(limit);
    reader.take(begin + record(4, 1, "\1\1ab"s) + end);
    reader.next();
    BOOST_TEST((reader.progress() == HeadProgress::idle));
    reader.take(body_end + unkept_connection + end);
    BOOST_TEST((reader.progress() == HeadProgress::complete));
    BOOST_TEST(!reader.head().keep_connection);
    BOOST_TEST(reader.head().value("a").empty());
}

BOOST_AUTO_TEST_CASE(what_is_no_fastcgi_is_refused_without_words) {
    HeadReader reader(limit);
    reader.take("GET / HTTP/1.1\r\n");
    BOOST_TEST((reader.progress() == HeadProgress::over));
    BOOST_TEST(!reader.refusal().has_value());
}

BOOST_AUTO_TEST_CASE(a_limit_is_named_with_its_value) {
    HeadReader reader(limit);
    reader.take(begin + record(4, 1, std::string(101, 'x')));
    BOOST_REQUIRE(reader.refusal().has_value());
    BOOST_TEST((reader.refusal()->kind == parser::ErrorKind::over_limit));
    BOOST_TEST(reader.refusal()->message == "The request is over parameters-limit (100 bytes)");
}

BOOST_AUTO_TEST_CASE(bytes_that_serve_no_request_have_a_limit_that_each_head_renews) {
    auto const useless = record(5, 9, std::string(40'000, 'x'));
    HeadReader reader(limit);
    reader.take(useless);
    BOOST_TEST((reader.progress() == HeadProgress::idle));
    reader.take(begin + end);
    reader.next();
    reader.take(useless);
    BOOST_TEST((reader.progress() == HeadProgress::idle));
    reader.take(useless);
    BOOST_TEST((reader.progress() == HeadProgress::over));
}

BOOST_AUTO_TEST_CASE(replies_are_taken_once) {
    HeadReader reader(limit);
    reader.take(record(9, 0, "\x0F\0FCGI_MPXS_CONNS"s));
    BOOST_TEST(reader.take_replies() == record(10, 0, "\x0F\1FCGI_MPXS_CONNS0"s));
    BOOST_TEST(reader.take_replies().empty());
}

BOOST_AUTO_TEST_SUITE_END()
