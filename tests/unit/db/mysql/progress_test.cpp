#include "db/mysql/hosts.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(progress)

namespace {

using db::TransactionSet;

constexpr char const one[] = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

TransactionSet mariadb(std::string_view text) {
    return TransactionSet::of_mariadb(text).value();
}
TransactionSet mysql(std::string_view text) {
    return TransactionSet::of_mysql(text).value();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_server_includes_what_another_has_if_it_has_all_of_it) {
    std::string const uuid = one;
    struct {
        char const* what;
        TransactionSet its, others;
        bool expected;
    } const cases[] = {
        {"nothing", mariadb(""), mariadb(""), true},
        {"all of nothing", mariadb("0-1-5"), mariadb(""), true},
        {"none of something", mariadb(""), mariadb("0-1-1"), false},
        {"the same", mariadb("0-1-5"), mariadb("0-1-5"), true},
        {"one less", mariadb("0-1-4"), mariadb("0-1-5"), false},
        {"numbers of a domain whoever wrote them", mariadb("0-2-6"), mariadb("0-1-5"), true},
        {"not another domain", mariadb("1-1-9"), mariadb("0-1-5"), false},
        {"both domains", mariadb("0-1-5,1-7-12"), mariadb("1-7-12,0-1-5"), true},
        {"binlog and slave together", mariadb("0-1-5,0-2-9"), mariadb("0-1-9"), true},
        {"with an empty part", mariadb(",0-1-9"), mariadb("0-1-9"), true},
        {"a set", mysql(uuid + ":1-5"), mysql(uuid + ":1-5"), true},
        {"a gap", mysql(uuid + ":1-5:7"), mysql(uuid + ":1-7"), false},
        {"behind a gap", mysql(uuid + ":1-7"), mysql(uuid + ":1-5:7"), true},
        {"a gap that both have", mysql(uuid + ":1-5:7-9"), mysql(uuid + ":1-5:7-8"), true},
        {"sets in lines", mysql(uuid + ":1-5,\nab:1"), mysql("ab:1"), true},
        {"tags are sources", mysql(uuid + ":1-5:backup:1-3"), mysql(uuid + ":1-5:other:1"), false},
        {"of the same tag", mysql(uuid + ":1-5:backup:1-3"), mysql(uuid + ":backup:2"), true},
        {"further in a cluster", TransactionSet::of_galera(one, 7),
         TransactionSet::of_galera(one, 6), true},
        {"less far", TransactionSet::of_galera(one, 5), TransactionSet::of_galera(one, 6), false},
        {"another cluster", TransactionSet::of_galera("ab", 9), TransactionSet::of_galera(one, 6),
         false},
    };
    for (auto const& [what, its, others, expected] : cases)
        BOOST_TEST(its.includes(others) == expected, what);
}

BOOST_AUTO_TEST_CASE(what_two_have_is_what_both_have_together) {
    auto both = mysql("ab:1-5");
    both.add(mysql("ab:7,cd:1"));
    BOOST_TEST(both.includes(mysql("ab:1-5:7,cd:1")));
    BOOST_TEST(!both.includes(mysql("ab:6")));
}

BOOST_AUTO_TEST_CASE(what_is_no_set_of_transactions_is_none) {
    for (auto const* text : {"0-1", "0-1-x", "a", "0-1-1-1"})
        BOOST_TEST(!TransactionSet::of_mariadb(text), text);
    for (auto const* text : {"ab:", "ab:5-1", "ab:1-2-3", "ab:1-x", "ab:1:"})
        BOOST_TEST(!TransactionSet::of_mysql(text), text);
}

BOOST_AUTO_TEST_SUITE_END()
