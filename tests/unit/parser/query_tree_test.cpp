#include "parser/query_tree.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <ostream>
#include <set>

namespace data = boost::unit_test::data;
using parser::parse_query_string;

BOOST_AUTO_TEST_SUITE(query_tree)

namespace {

struct Example {
    std::string query;
    std::string tree;
};

std::ostream& operator<<(std::ostream& out, Example const& example) {
    return out << example.query.substr(0, 100);
}

std::string dumped(std::string_view query, parser::TreeOptions const& options = {}) {
    return dump(parse_query_string(query, options));
}

std::string repeat(int times, std::string const& text) {
    std::string out;
    for (int i = 0; i < times; ++i)
        out += text;
    return out;
}

// `part` for each of 0 … times-1, its # replaced by the number.
std::string parts(int times, std::string_view part, char separator = '&') {
    std::string out;
    for (int i = 0; i < times; ++i) {
        if (i > 0) out += separator;
        for (char const c : part)
            out += c == '#' ? std::to_string(i) : std::string(1, c);
    }
    return out;
}

} // namespace

// Random and hand-written queries, with what qs 6.15.1 made of them.
BOOST_AUTO_TEST_CASE(queries_have_the_tree_that_qs_makes_of_them) {
    std::ifstream file(TEST_DATA "/query-string.tsv");
    int count = 0;
    for (std::string line; std::getline(file, line); ++count) {
        std::size_t const tab = line.find('\t');
        BOOST_REQUIRE_NE(tab, line.npos);
        std::string const query = line.substr(0, tab);
        BOOST_TEST(dumped(query) == line.substr(tab + 1), query);
    }
    BOOST_TEST(count == 2596);
}

Example const forms[] = {
    {"", "{}"},
    {"a=1", R"({"a":"1"})"},
    {"a=", R"({"a":""})"},
    {"a", R"({"a":null})"},
    {"=1", "{}"},
    {"&&a=1&", R"({"a":"1"})"},
    {"a=1&a=2", R"({"a":["1","2"]})"},
    {"a&a=1", R"({"a":[null,"1"]})"},
    {"a[]=1", R"({"a":["1"]})"},
    {"a[]", R"({"a":[null]})"},
    {"a[5]=x&a[2]=y", R"({"a":["y","x"]})"},
    {"a[0]=x&a[0]=y", R"({"a":[["x","y"]]})"},
    {"a[01]=x", R"({"a":{"01":"x"}})"},
    {"a[-1]=x", R"({"a":{"-1":"x"}})"},
    {"a=1&a[b]=2", R"({"a":["1",{"b":"2"}]})"},
    {"a[b]=2&a=1", R"({"a":[{"b":"2"},"1"]})"},
    {"a[b]=1&a[]=2", R"({"a":{"0":"2","b":"1"}})"},
    {"a[][b]=1&a[][c]=2", R"({"a":[{"b":"1","c":"2"}]})"},
    {"a.b=1", R"({"a.b":"1"})"},
    {"a[b=1", R"({"a[b":"1"})"},
    {"a[b]c[d]=1", R"({"a":{"b":{"d":"1"}}})"},
    {"[a]=1", R"({"a":"1"})"},
    {"[]=1", R"({"0":"1"})"},
    {"a[x=y]=1", R"({"a":{"x=y":"1"}})"},
    {"a[x]=y]=1", R"({"a":{"x":"y]=1"}})"},
    {"a%255Bb%255D=1", R"({"a%5Bb%5D":"1"})"},
    {"a;b=1", R"({"a;b":"1"})"},
    {"a[b]=1&a", R"({"a":{"b":"1"}})"},
    {"a&a[b]=1", R"({"a":[null,{"b":"1"}]})"},
    {"a[x]=1&a=2&a[y]=3", R"({"a":{"0":{"x":"1"},"1":"2","y":"3"}})"},
};
BOOST_DATA_TEST_CASE(each_form_has_its_tree, data::make(forms)) {
    BOOST_TEST(dumped(sample.query) == sample.tree);
}

Example const orders[] = {
    {"2=x&1=y&a=z", R"({"1":"y","2":"x","a":"z"})"},
    {"a[b]=1&a[2]=x&a[1]=y", R"({"a":{"1":"y","2":"x","b":"1"}})"},
    {"z=1&y=2&z=3", R"({"z":["1","3"],"y":"2"})"},
    {"a[z]=1&a[y]=2&a[10]=3&a[9]=4", R"({"a":{"9":"4","10":"3","z":"1","y":"2"}})"},
    // 2^32 - 2 is the greatest index.
    {"4294967295=a&4294967294=b&x=c&1=d", R"({"1":"d","4294967294":"b","4294967295":"a","x":"c"})"},
};
BOOST_DATA_TEST_CASE(integer_like_names_come_first_then_the_others_as_they_came,
                     data::make(orders)) {
    BOOST_TEST(dumped(sample.query) == sample.tree);
}

BOOST_DATA_TEST_CASE(names_that_every_javascript_object_inherits_are_dropped,
                     data::make({"__proto__", "constructor", "hasOwnProperty", "isPrototypeOf",
                                 "propertyIsEnumerable", "toLocaleString", "toString", "valueOf",
                                 "__defineGetter__", "__defineSetter__", "__lookupGetter__",
                                 "__lookupSetter__"})) {
    std::string const name = sample;
    BOOST_TEST(dumped(name + "=1&x[" + name + "]=2&y[" + name + "][z]=3&[" + name + "]=4") == "{}");
    BOOST_TEST(dumped("x[length]=1&prototype=2") == R"({"x":{"length":"1"},"prototype":"2"})");
}

// Raw bytes, or none at all, in a place where UTF-8 belongs.
Example const invalid_bytes[] = {
    {"a=\xFF", R"({"a":"�"})"},
    {"a\xC3=1", R"({"a�":"1"})"},
    {"a[\xE2\x82]=1", R"({"a":{"�":"1"}})"},
    {"a=\xC3%A9", R"({"a":"�%A9"})"}, // half raw, half escaped: neither is a character
    {"a=%FF\xFF", R"({"a":"%FF�"})"},
    {std::string("a=\0b", 4), R"({"a":"\u0000b"})"},
    {"a=%00", R"({"a":"\u0000"})"},
    {"a=\xC3\xA9", R"({"a":"é"})"},
};
BOOST_DATA_TEST_CASE(bytes_that_are_not_utf_8_become_the_replacement_character,
                     data::make(invalid_bytes)) {
    BOOST_TEST(dumped(sample.query) == sample.tree);
}

Example const list_limits[] = {
    {parts(100, "a[]=#"), R"({"a":[)" + parts(100, R"("#")", ',') + "]}"},
    {parts(101, "a[]=#"), R"({"a":{)" + parts(101, R"("#":"#")", ',') + "}}"},
    {parts(101, "a=#"), R"({"a":{)" + parts(101, R"("#":"#")", ',') + "}}"},
    {parts(103, "a[]=#"), R"({"a":{)" + parts(103, R"("#":"#")", ',') + "}}"},
    {parts(101, "a[#]=#"), R"({"a":{)" + parts(101, R"("#":"#")", ',') + "}}"},
    {parts(101, "a[][b]=#"), R"({"a":[{"b":{)" + parts(101, R"("#":"#")", ',') + "}}]}"},
    {"a[99]=x", R"({"a":["x"]})"},
    {"a[100]=x", R"({"a":{"100":"x"}})"},
    {"a[100]=2&a=1", R"({"a":{"100":"2","101":"1"}})"},
    {"a=1&a[100]=2", R"({"a":{"0":"1","101":"2"}})"},
    // It goes on after its greatest index, not after the last that came.
    {"a[102]=x&a[100]=y&[a]=z", R"({"a":{"100":"y","102":"x","103":"z"}})"},
    // Joining two lists doesn't look at the limit, but the next value does.
    {"a[0]=x&" + parts(100, "a[]=#"), R"({"a":["x",)" + parts(100, R"("#")", ',') + "]}"},
    {"a[0]=x&" + parts(100, "a[]=x") + "&[a]=x",
     R"({"a":{)" + parts(102, R"("#":"x")", ',') + "}}"},
};
BOOST_DATA_TEST_CASE(a_list_beyond_the_array_limit_is_an_object, data::make(list_limits)) {
    BOOST_TEST(dumped(sample.query) == sample.tree);
}

BOOST_AUTO_TEST_CASE(a_list_that_outgrew_the_limit_says_so) {
    auto const last_index = [](std::string const& query) {
        return parse_query_string(query).root.find("a")->object()->last_index;
    };
    BOOST_TEST(last_index(parts(103, "a=#")) == 102);
    BOOST_TEST(last_index("a[7]=x&a[120]=y") == 120);
    BOOST_TEST(last_index("a[120]=x&a[b]=y") == -1);
    BOOST_TEST(last_index("a[1]=x&a[b]=y") == -1);
}

BOOST_AUTO_TEST_CASE(a_key_ends_after_twenty_groups) {
    auto const nested = [](int groups, std::string const& inside) {
        return R"({"a":)" + repeat(groups, R"({"b":)") + inside + repeat(groups + 1, "}");
    };
    auto const twenty = parse_query_string("a" + repeat(20, "[b]") + "=1");
    BOOST_TEST(dump(twenty) == nested(20, R"("1")"));
    BOOST_TEST(twenty.too_deep == "");

    std::string const key = "a" + repeat(22, "[b]");
    auto const more = parse_query_string("x=1&" + key + "=1&" + key + "[c]=2");
    BOOST_TEST(dump(parse_query_string(key + "=1")) == nested(20, R"({"[b][b]":"1"})"));
    BOOST_TEST(more.too_deep == key);
    BOOST_TEST(dumped("a" + repeat(21, "[0]") + "=1") ==
               R"({"a":)" + repeat(20, "[") + R"({"[0]":"1"})" + repeat(20, "]") + "}");
}

BOOST_AUTO_TEST_CASE(only_a_thousand_parts_are_read) {
    auto const full = parse_query_string(parts(1000, "p#=#"));
    BOOST_TEST(full.root.size() == 1000u);
    BOOST_TEST(!full.cut);
    auto const over = parse_query_string(parts(1001, "p#=#"));
    BOOST_TEST(dump(over) == dump(full));
    BOOST_TEST(over.cut);
    // Empty parts count.
    BOOST_TEST(dumped(repeat(999, "&") + "a=1&b=2") == R"({"a":"1"})");
}

BOOST_AUTO_TEST_CASE(a_project_may_set_the_limits) {
    BOOST_TEST(dumped("a=1&a=2", {.array_limit = 1}) == R"({"a":{"0":"1","1":"2"}})");
    BOOST_TEST(dumped("a[0]=1", {.array_limit = 0}) == R"({"a":{"0":"1"}})");
    BOOST_TEST(dumped("a[150]=1", {.array_limit = 200}) == R"({"a":["1"]})");
    BOOST_TEST(dumped("a[b][c]=1", {.depth = 1}) == R"({"a":{"b":{"[c]":"1"}}})");
    BOOST_TEST(parse_query_string("a[b][c]=1", {.depth = 1}).too_deep == "a[b][c]");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(query_effect)

namespace {

parser::Object const
    seo({{"populate", parser::Tree(parser::Object({{"seo", parser::Tree(std::string("true"))}}))}});

} // namespace

BOOST_AUTO_TEST_CASE(a_parameter_is_added_replaced_taken_away_or_cut) {
    struct {
        parser::QueryEffect effect;
        char const* query;
        char const* expected;
    } const cases[] = {
        {{.absent = seo}, "", R"({"populate":{"seo":"true"}})"},
        {{.absent = seo}, "sort=id", R"({"sort":"id","populate":{"seo":"true"}})"},
        {{.absent = seo}, "populate=author", R"({"populate":"author"})"},
        {{.absent = seo}, "populate=", R"({"populate":""})"},
        {{.absent = seo}, "populate", R"({"populate":null})"},
        {{.absent = seo, .empty_is_absent = {"populate"}},
         "populate=&sort=id",
         R"({"sort":"id","populate":{"seo":"true"}})"},
        {{.absent = seo, .empty_is_absent = {"populate"}},
         "populate[]=&sort=",
         R"({"populate":[""],"sort":""})"},
        {{.always = seo}, "", R"({"populate":{"seo":"true"}})"},
        {{.always = seo}, "populate=author&sort=id", R"({"populate":{"seo":"true"},"sort":"id"})"},
        {{.always = seo},
         "populate[author]=true&populate[seo]=false",
         R"({"populate":{"seo":"true"}})"},
        {{.dropped = {"sort"}}, "sort=id&fields=a", R"({"fields":"a"})"},
        {{.keep = {{"sort"}}}, "sort=id&fields=a&x=1", R"({"sort":"id"})"},
        {{.keep = {{}}}, "sort=id&fields=a", "{}"},
        {{.always = seo, .keep = {{"populate"}}},
         "fields=a&populate=x",
         R"({"populate":{"seo":"true"}})"},
        {{.pick = {{"filters", {"slug", "id"}}}},
         "filters[slug]=a&filters[title]=b&sort[title]=asc",
         R"({"filters":{"slug":"a"},"sort":{"title":"asc"}})"},
        {{.pick = {{"filters", {"slug"}}}}, "filters[title]=b", "{}"},
        {{.pick = {{"filters", {"slug"}}}}, "filters=slug", "{}"},
        {{.pick = {{"filters", {"slug"}}}}, "filters[]=slug", "{}"},
        {{.pick = {{"filters", {"slug"}}}}, "", "{}"},
    };
    for (auto const& [effect, query, expected] : cases) {
        auto tree = parser::parse_query_string(query);
        apply(effect, tree.root);
        BOOST_TEST(dump(tree) == expected, query << " became " << dump(tree));
    }
}

BOOST_AUTO_TEST_CASE(what_becomes_of_some_parameters_is_not_known) {
    parser::QueryEffect const effect{.absent = seo, .watched = {{"locale", "it is odd"}}};
    struct {
        char const* query;
        char const* watched;
    } const cases[] = {
        {"", ""},
        {"sort=id", ""},
        {"locale=en", "locale"},
        {"locale", "locale"},
        {"locale[a]=b", "locale"},
        {"populate=", ""},
        {"populate", "populate"}, // without a value, which a middleware may take for none
        {"sort", ""},
    };
    for (auto const& [query, watched] : cases) {
        auto const found = watched_in(effect, parser::parse_query_string(query).root);
        BOOST_TEST((found ? found->first : "") == watched, query);
    }
}

BOOST_AUTO_TEST_SUITE_END()

using parser::parse_query_string;
using parser::Tree;

BOOST_AUTO_TEST_SUITE(query_tree_hostile)

namespace {

std::string repeat(std::size_t times, std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i)
        out += text;
    return out;
}

bool is_index(std::string const& name) {
    return name == "0" || (name[0] >= '1' && name[0] <= '9' && name.size() < 10 &&
                           std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; }));
}

// Returns whether this holds, which does for every object: names differ, integer-like ones come
// first, ascending.
bool is_object(parser::Object const& object);

bool is_tree(Tree const& tree) {
    if (tree.object()) return !tree.object()->empty() && is_object(*tree.object());
    if (tree.list()) return !tree.list()->empty() && std::ranges::all_of(*tree.list(), is_tree);
    return tree.is_null() || tree.text();
}

bool is_object(parser::Object const& object) {
    std::set<std::string_view> names;
    long last = -1;
    bool others = false;
    for (auto const& [name, value] : object.members()) {
        if (!names.insert(name).second || !is_tree(value)) return false;
        if (!is_index(name)) {
            others = true;
        } else if (others || std::stol(name) <= last) {
            return false;
        } else {
            last = std::stol(name);
        }
    }
    return true;
}

// Takes one JSON value off the beginning, or nothing if there is none.
bool take_json(std::string_view& text) {
    auto const take = [&](std::string_view token) {
        bool const found = text.starts_with(token);
        if (found) text.remove_prefix(token.size());
        return found;
    };
    auto const take_string = [&] {
        if (!take("\"")) return false;
        while (!text.empty() && text[0] != '"')
            text.remove_prefix(text[0] == '\\' ? 2 : 1);
        return take("\"");
    };
    if (take("null") || take_string()) return true;
    if (take("[")) {
        if (take("]")) return true;
        do {
            if (!take_json(text)) return false;
        } while (take(","));
        return take("]");
    }
    if (!take("{")) return false;
    if (take("}")) return true;
    do {
        if (!take_string() || !take(":") || !take_json(text)) return false;
    } while (take(","));
    return take("}");
}

bool is_json(std::string_view text) {
    return take_json(text) && text.empty();
}

std::size_t depth(Tree const& tree) {
    std::size_t deepest = 0;
    if (tree.list())
        for (auto const& value : *tree.list())
            deepest = std::max(deepest, depth(value));
    else if (tree.object())
        for (auto const& member : tree.object()->members())
            deepest = std::max(deepest, depth(member.second));
    else
        return 0;
    return deepest + 1;
}

// Calls `check` with every text of at most `length` characters of the alphabet.
template<class Check>
void for_each_text(std::string& text, std::size_t length, Check const& check) {
    check(text);
    if (text.size() == length) return;
    for (char const c : std::string_view("a0[]=&%")) {
        text += c;
        for_each_text(text, length, check);
        text.pop_back();
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(every_short_text_has_a_well_formed_tree) {
    std::size_t count = 0;
    std::size_t wrong = 0;
    std::string text;
    for_each_text(text, 6, [&](std::string const& query) {
        ++count;
        auto const tree = parse_query_string(query);
        std::string const json = dump(tree);
        if (is_object(tree.root) && is_json(json)) return;
        ++wrong;
        BOOST_TEST_MESSAGE(query << " -> " << json);
    });
    BOOST_TEST(count == 137257u); // 7^0 + … + 7^6
    BOOST_TEST(wrong == 0u);
}

// No text of this alphabet has anything to do with a parameter x.
BOOST_AUTO_TEST_CASE(parameters_of_different_names_do_not_touch_each_other) {
    std::size_t wrong = 0;
    std::string text;
    for_each_text(text, 5, [&](std::string const& query) {
        std::string const alone = dump(parse_query_string(query));
        std::string const comma = alone == "{}" ? "" : ",";
        std::string const expected =
            alone.substr(0, alone.size() - 1) + comma + R"("x":{"y":"1"}})";
        if (dump(parse_query_string(query + "&x[y]=1")) == expected) return;
        ++wrong;
        BOOST_TEST_MESSAGE(query);
    });
    BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(brackets_may_be_escaped) {
    std::size_t wrong = 0;
    std::string text;
    for_each_text(text, 5, [&](std::string const& query) {
        // A percent sign of the text itself could join with what is put in.
        if (query.find('%') != query.npos) return;
        std::string escaped;
        for (char const c : query) {
            if (c == '[')
                escaped += "%5B";
            else if (c == ']')
                escaped += "%5d";
            else
                escaped += c;
        }
        if (dump(parse_query_string(escaped)) == dump(parse_query_string(query))) return;
        ++wrong;
        BOOST_TEST_MESSAGE(query);
    });
    BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(a_hundred_thousand_brackets_are_names_like_any_other) {
    std::size_t const many = 100'000;
    std::string const open = repeat(many, "[");
    BOOST_TEST(dump(parse_query_string(open)) == "{\"" + open + "\":null}");
    std::string const close = repeat(many, "]");
    BOOST_TEST(dump(parse_query_string(close + "=1")) == "{\"" + close + "\":\"1\"}");
    // 20 groups, the first of which is the root, then the rest as one name.
    BOOST_TEST(dump(parse_query_string(repeat(many, "[b]"))) == repeat(20, "{\"b\":") + "{\"" +
                                                                    repeat(many - 20, "[b]") +
                                                                    "\":null}" + repeat(20, "}"));
    BOOST_TEST(dump(parse_query_string("a" + repeat(many, "[x") + "]=1")) ==
               "{\"a" + repeat(many - 1, "[x") + "\":{\"x\":\"1\"}}");
}

BOOST_AUTO_TEST_CASE(a_million_bytes_are_read_to_their_end) {
    std::size_t const many = 1'000'000;
    std::string const text = repeat(many, "a");
    BOOST_TEST(dump(parse_query_string(text)) == "{\"" + text + "\":null}");
    BOOST_TEST(dump(parse_query_string("a=" + text)) == "{\"a\":\"" + text + "\"}");
    BOOST_TEST(dump(parse_query_string("a=" + repeat(many, "%"))) ==
               "{\"a\":\"" + repeat(many, "%") + "\"}");
    BOOST_TEST(dump(parse_query_string("a=" + repeat(many, "%61"))) == "{\"a\":\"" + text + "\"}");
    BOOST_TEST(dump(parse_query_string("a=" + repeat(many, "\xFF"))) ==
               "{\"a\":\"" + repeat(many, "\uFFFD") + "\"}");
    BOOST_TEST(dump(parse_query_string(repeat(many, "="))) == "{}");
    BOOST_TEST(parse_query_string(repeat(many, "&")).cut);
}

// Each part makes what was there an element of a list, and each other part of these turns the list
// into an object, which the next makes an element again.
BOOST_AUTO_TEST_CASE(no_tree_is_deeper_than_its_parts_and_the_depth_of_keys) {
    std::string query;
    for (int i = 0; i < 1000; ++i) {
        std::string const number = std::to_string(i);
        query += i % 2 == 0 ? "&a[b]" + number + "=1" : "&[a]" + number + "=1";
    }
    auto const tree = parse_query_string(query.substr(1));
    BOOST_TEST(!tree.cut);
    BOOST_TEST(depth(*tree.root.find("a")) > 1u);
    BOOST_TEST(is_json(dump(tree)));

    std::string deepest;
    for (int i = 0; i < 500; ++i)
        deepest += "&a[n" + std::to_string(i) + "]=1&[a]" + std::to_string(i) + "=1";
    auto const deep = parse_query_string(deepest.substr(1));
    BOOST_TEST(depth(*deep.root.find("a")) == 501u);
    BOOST_TEST(is_json(dump(deep)));
}

BOOST_AUTO_TEST_CASE(the_depth_that_a_project_sets_has_a_bound) {
    auto const tree = parse_query_string("a" + repeat(5'000, "[b]"), {.depth = SIZE_MAX});
    BOOST_TEST(depth(*tree.root.find("a")) == 1'001u);
    auto const flat = parse_query_string("a[b][c]", {.depth = 0});
    BOOST_TEST(dump(flat) == R"({"a":{"b":{"[c]":null}}})");
}

BOOST_AUTO_TEST_SUITE_END()
