#include "fixture.hpp"
#include "tests/conformance/record.hpp"

#include <boost/json.hpp>

#include <sstream>

// Clients may send all this to the whole application: with the default settings, where parts
// without meaning are ignored as Strapi ignores them, and with `strict`, where they are named.

using namespace faults;
using fastcgi::Parameters;

namespace {

struct Example {
    std::string uri;
    int status;
    std::string text = {};        // in the body
    std::string strict_text = {}; // if not empty, `strict` answers 400 and this
};

std::string repeat(std::size_t times, std::string const& text) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i)
        out += text;
    return out;
}

struct Servers {
    Servers() : lenient(settings({})), strict(settings({"--strict=true"})) {
        BOOST_TEST_REQUIRE(lenient.responds("/api/tags", 200), lenient.log());
        BOOST_TEST_REQUIRE(strict.responds("/api/tags", 200), strict.log());
    }

    static ApplicationSettings settings(std::vector<std::string> options) {
        std::ostringstream file;
        file << std::ifstream(EXAMPLE_DATA "/secrets.json").rdbuf();
        auto const secrets = boost::json::parse(file.str()).as_object();
        auto const secret = [&](std::string const& variable, char const* name) {
            return variable + "=" + secrets.at(name).as_string().c_str();
        };
        return {.database = server::setting("POPULATE_TEST_DATABASE"),
                .options = std::move(options),
                .process = {.environment = {secret("POPULATE_JWT_SECRET", "JWT_SECRET"),
                                            secret("POPULATE_API_TOKEN_SALT", "API_TOKEN_SALT")}},
                .is_patient = true};
    }

    void check(std::vector<Example> const& examples) const {
        for (auto const& example : examples)
            BOOST_TEST_CONTEXT(example.uri.substr(0, 200)) {
                auto const got = lenient.get(example.uri);
                BOOST_TEST(got.status == example.status);
                BOOST_TEST((got.body.find(example.text) != std::string::npos), got.body);
                auto const strictly = strict.get(example.uri);
                bool const same = example.strict_text.empty();
                BOOST_TEST(strictly.status == (same ? example.status : 400));
                auto const& text = same ? example.text : example.strict_text;
                BOOST_TEST((strictly.body.find(text) != std::string::npos), strictly.body);
            }
        BOOST_TEST(lenient.get("/api/tags").status == 200);
    }

    fastcgi::Response with(Parameters const& more, std::string const& method = "GET",
                           std::string const& uri = "/api/articles?fields=id") const {
        return lenient.ask(fastcgi::request_of(method, uri, more));
    }

    ApplicationProcess lenient, strict;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(requests, Servers)

BOOST_AUTO_TEST_CASE(only_reading_is_allowed) {
    auto const read = with({});
    auto const head = with({}, "HEAD");
    BOOST_TEST(head.status == 200);
    BOOST_TEST(head.body.empty());
    BOOST_TEST((head.headers == read.headers));
    BOOST_TEST(with({}, "OPTIONS").status == 200);
    for (auto const method : {"POST", "PUT", "DELETE", "PATCH"}) {
        auto const refused = with({}, method);
        BOOST_TEST(refused.status == 405);
        BOOST_TEST(refused.header("Allow") == "GET, HEAD, OPTIONS");
        BOOST_TEST(refused.header("Content-Type") == "application/json; charset=utf-8");
        BOOST_TEST(refused.body ==
                   R"({"data":null,"error":{"status":405,"name":"MethodNotAllowedError","message":)"
                   R"("this server answers reads only: expected GET, HEAD or OPTIONS, received )" +
                       std::string(method) + R"(","details":{}}})");
    }
    for (auto const& method : {std::string("FOO"), std::string("get"), std::string(500, 'G')}) {
        auto const refused = with({}, method);
        BOOST_TEST(refused.status == 501);
        BOOST_TEST(refused.header("Allow") == "GET, HEAD, OPTIONS");
        BOOST_TEST(
            refused.body ==
            R"({"data":null,"error":{"status":501,"name":"NotImplementedError","message":)"
            R"("this server answers reads only: expected GET, HEAD or OPTIONS","details":{}}})");
    }
}

BOOST_AUTO_TEST_CASE(a_path_that_names_nothing_is_404_or_400) {
    check({
        {"", 404},
        {"/", 404},
        {"//", 404},
        {"/api", 404},
        {"/api/", 404},
        {"/api/..", 404},
        {"/api/../api/tags", 404},
        {"/api/%2e%2e/articles", 404},
        {"/api//articles", 404},
        {"/api/articles%2f1", 404},
        {"/api/articles/%2f", 404},
        {"/api/articles/%00", 400},
        {"/api/articles/%", 400},
        {"/api/%ff", 400},
        {"/api/articles/\xff", 404},
        {"/api/" + std::string(4096, 'a'), 404},
        {"/api/articles/" + std::string(4096, '1'), 404},
        {"/etc/passwd", 404},
    });
}

BOOST_AUTO_TEST_CASE(no_header_comes_back_as_a_header) {
    auto const split = "x\r\nX-Injected: 1";
    for (auto const name :
         {"HTTP_ORIGIN", "HTTP_AUTHORIZATION", "HTTP_IF_NONE_MATCH", "HTTP_X_REQUEST_ID",
          "HTTP_TRACEPARENT", "HTTP_X_FORWARDED_HOST", "HTTP_ACCEPT_LANGUAGE", "HTTP_PROXY"}) {
        auto const response = with({{name, split}});
        BOOST_TEST(response.header("X-Injected").empty(), name);
    }
    auto const response = with({}, "GET", "/api/articles?locale=x%0d%0aX-Injected:%201");
    BOOST_TEST(response.header("X-Injected").empty());
}

BOOST_AUTO_TEST_CASE(no_browser_takes_a_response_for_anything_but_its_type) {
    struct {
        std::string method, uri;
        int status;
        Parameters more = {};
    } const table[] = {
        {"GET", "/api/tags", 200},
        {"GET", "/api/tags", 304, {{"HTTP_IF_NONE_MATCH", "*"}}},
        {"GET", "/api/tags?fields=nope", 400},
        {"GET", "/api/tags?" + std::string(70'000, 'x'), 400}, // of which no worker hears
        {"POST", "/api/tags", 405},
    };
    for (auto const& row : table) {
        auto const got = with(row.more, row.method, row.uri);
        BOOST_TEST(got.status == row.status);
        BOOST_TEST(got.header("X-Content-Type-Options") == "nosniff", row.status);
    }
}

BOOST_AUTO_TEST_CASE(any_if_none_match_gets_a_response) {
    auto const whole = with({}).body;
    for (auto const& tag : {std::string(8192, 'e'), std::string("*"), std::string("W/\"x\""),
                            std::string("\"a\", \"b\", W/\"c\""), std::string("\""),
                            std::string(","), repeat(2000, "\"a\",")}) {
        auto const response = with({{"HTTP_IF_NONE_MATCH", tag}});
        BOOST_TEST((response.status == 304 || response.body == whole), tag.substr(0, 20));
    }
}

BOOST_AUTO_TEST_CASE(accept_and_range_change_nothing) {
    auto const whole = with({}).body;
    for (auto const& header : Parameters{{"HTTP_ACCEPT", "text/html"},
                                         {"HTTP_ACCEPT", "*/*"},
                                         {"HTTP_ACCEPT", "application/json;q=0"},
                                         {"HTTP_ACCEPT_ENCODING", "identity;q=0, *;q=0"},
                                         {"HTTP_RANGE", "bytes=0-9"},
                                         {"HTTP_RANGE", "bytes=99999-"}}) {
        auto const response = with({header});
        BOOST_TEST(response.status == 200);
        BOOST_TEST((response.body == whole));
    }
}

BOOST_AUTO_TEST_CASE(a_body_is_not_waited_for) {
    auto const whole = with({}).body;
    for (auto const& header : Parameters{{"CONTENT_LENGTH", "1073741824"},
                                         {"CONTENT_LENGTH", "-1"},
                                         {"CONTENT_LENGTH", "x"},
                                         {"HTTP_TRANSFER_ENCODING", "chunked"}})
        BOOST_TEST((with({header}).body == whole));
}

BOOST_AUTO_TEST_CASE(a_credential_is_right_or_401_or_none) {
    conformance::Secrets const secrets(EXAMPLE_DATA "/secrets.json");
    auto const bob = secrets.authorization("jwt:bob");
    auto const parts = bob.substr(std::string("Bearer ").size());
    auto const unsigned_part = parts.substr(parts.find('.'), parts.rfind('.') - parts.find('.'));
    struct {
        std::string header;
        int status;
    } const table[] = {
        {bob, 200},
        {"Bearer", 200}, // no credential at all: the public
        {"Bearer ", 200},
        {"Basic YTpi", 200},
        {"Bearer " + std::string(16'000, 'a'), 401},
        {"Bearer ..", 401},
        {"Bearer \xff\xff", 401},
        {bob + "x", 401},
        {"Bearer " + parts.substr(0, parts.rfind('.') + 1), 401},
        {secrets.authorization("jwt:algnone"), 401},
        {secrets.authorization("jwt:badsig"), 401},
        {secrets.authorization("jwt:expiredjwt"), 401},
        {secrets.authorization("jwt:nouser"), 401},
        // {"alg":"none"}, {"alg":"RS256"}, {"alg":"ES256"}, with bob's claims
        {"Bearer eyJhbGciOiJub25lIn0" + unsigned_part + ".", 401},
        {"Bearer eyJhbGciOiJSUzI1NiJ9" + unsigned_part + parts.substr(parts.rfind('.')), 401},
        {"Bearer eyJhbGciOiJFUzI1NiJ9" + unsigned_part + parts.substr(parts.rfind('.')), 401},
    };
    for (auto const& [header, status] : table)
        BOOST_TEST(with({{"HTTP_AUTHORIZATION", header}}).status == status, header.substr(0, 60));
    // The first of two headers counts, as in Node.
    BOOST_TEST(with({{"HTTP_AUTHORIZATION", "Bearer ."}, {"HTTP_AUTHORIZATION", bob}}).status ==
               401);
}

BOOST_AUTO_TEST_CASE(a_query_string_has_bounds) {
    std::string const start = "fields=id&filters[title][$ne]=";
    auto const limit = std::size_t{16 * 1024};
    auto const too_long = "query-string-limit (16384 bytes)";
    check({
        {"/api/articles?", 200},
        {"/api/articles?&&&", 200},
        {"/api/articles?=", 200},
        {"/api/articles?=x", 200},
        {"/api/articles?" + start + std::string(limit - start.size(), 'x'), 200},
        {"/api/articles?" + start + std::string(limit - start.size() + 1, 'x'), 400, too_long},
        {"/api/articles?" + std::string(20'000, 'x'), 400, too_long},
        {"/api/articles?" + std::string(1'000'000, 'x'), 400, "parameters-limit (65536 bytes)"},
        {"/api/articles?" + repeat(5'000, "[a]"), 200, "", "Nothing would come of"},
        {"/api/articles?filters" + repeat(1'000, "[$not]") + "[id]=1", 400},
        {"/api/articles?" + repeat(1'000, "a&"), 200, "", "Nothing would come of a"},
        {"/api/articles?" + repeat(1'001, "a&"), 200, "", "Nothing would come of a"},
        {"/api/articles?filters[id]=1&" + repeat(1'001, "a&"), 400, "1000"},
    });
}

BOOST_AUTO_TEST_CASE(what_is_no_parameter_is_ignored_or_named) {
    check({
        {"/api/articles?bogus=1", 200, "", "Nothing would come of bogus"},
        {"/api/articles?where[id]=1", 200, "", "Nothing would come of where"},
        {"/api/articles?filters[where]=1", 400, "Invalid parameter where"},
        {"/api/articles?populate[author][bogus]=1", 200, "",
         "Nothing would come of populate[author][bogus]"},
        {"/api/articles?__proto__[id]=1", 200},
        {"/api/articles?filters[constructor]=1", 200},
    });
}

BOOST_AUTO_TEST_CASE(a_field_is_a_name_of_the_schema) {
    auto const name = std::string(65, 'a');
    check({
        {"/api/articles?fields=title.x", 400, "Invalid parameter title.x"},
        {"/api/articles?fields=t1.password", 400, "Invalid parameter t1.password"},
        {"/api/articles?fields=`title`", 400, "Invalid parameter `title`"},
        {"/api/articles?fields=title'", 400, "Invalid parameter title'"},
        {"/api/articles?fields=title%20FROM%20x", 400, "Invalid parameter title FROM x"},
        {"/api/articles?fields=id--", 400, "Invalid parameter id--"},
        {"/api/articles?fields=" + name, 400, "Invalid parameter " + name},
        {"/api/articles?fields=t%D1%96tle", 400, "Invalid parameter t\u0456tle"},
    });
}

BOOST_AUTO_TEST_CASE(what_is_hidden_is_refused_as_what_is_unknown) {
    for (std::string const name : {"nope", "internalNote", "createdBy", "privateAuthor"}) {
        auto const refusal = "Invalid parameter " + name;
        check({
            {"/api/articles?fields=" + name, 400, refusal},
            {"/api/articles?sort=" + name, 400, refusal},
            {"/api/articles?filters[" + name + "]=1", 400, refusal},
            {"/api/articles?filters[$or][0][author][articles][" + name + "][$null]=true", 400,
             refusal},
            {"/api/articles?populate=" + name, 200, "", "Nothing would come of populate"},
        });
    }
    check({
        {"/api/scalars?filters[aPassword]=pw", 400, "Invalid parameter aPassword"},
        {"/api/scalars?fields=aPassword", 400, "Invalid parameter aPassword"},
        {"/api/scalars?sort=aPassword", 400, "Invalid parameter aPassword"},
    });
}

BOOST_AUTO_TEST_CASE(an_operator_without_sense_is_refused_where_it_stands) {
    std::string const list = "expected a list of conditions";
    check({
        {"/api/articles?filters[title][$eq]", 200, R"("data":[])"},
        {"/api/articles?filters[id][$in]=", 200, R"("data":[])"},
        {"/api/articles?filters[id][$in][0][a]=1", 400, "Invalid parameter a"},
        {"/api/articles?filters[id][$between]=1", 400, "filters[id][$between]: expected a list"},
        {"/api/articles?filters[id][$between]=1&filters[id][$between]=2&filters[id][$between]=3",
         400, "filters[id][$between]: expected a list of two values"},
        {"/api/articles?filters[title][$null]=yes", 200},
        {"/api/articles?filters[$not]=1", 400, "filters[$not][$eq]: expected an attribute"},
        {"/api/articles?filters[$and]=1", 400, "filters[$and]: " + list},
        {"/api/articles?filters[$and][id]=1", 400, "filters[$and]: " + list},
        {"/api/articles?filters[$or]", 400, "filters[$or]: " + list},
        {"/api/articles?filters" + repeat(100, "[$and][0]") + "[id]=1", 400},
        {"/api/articles?filters[id][$foo]=1", 400, "Invalid parameter $foo"},
        {"/api/articles?filters[id][$EQ]=1", 400, "Invalid parameter $EQ"},
    });
}

BOOST_AUTO_TEST_CASE(a_value_is_data) {
    auto const found = [&](std::string const& condition) {
        auto const body =
            lenient.get("/api/scalars?fields=label&pagination[limit]=100&filters" + condition).body;
        return boost::json::parse(body).at_pointer("/meta/pagination/total").as_int64();
    };
    for (auto const sign : {"%25", "_", "%5C"}) // means itself in a LIKE
        BOOST_TEST(found(std::string("[aString][$contains]=") + sign) < found("[id][$gt]=0"));
    check({
        {"/api/articles?filters[id][$gt]=99999999999999999999", 200, R"("data":[])"},
        {"/api/articles?filters[id]=1e309", 200, R"("data":[])"},
        {"/api/articles?filters[id]=NaN", 200, R"("data":[])"},
        {"/api/articles?filters[id]=0x1F", 200, R"("data":[])"},
        {"/api/scalars?filters[aBoolean]=t", 200},
        {"/api/scalars?filters[aDate]=0000-00-00", 400, "expected yyyy-MM-dd"},
        {"/api/scalars?filters[aDate]=2023-02-30", 400, "Invalid date"},
        {"/api/scalars?filters[aDatetime]=2023-02-30T00:00:00Z", 400, "expected a timestamp"},
        {"/api/scalars?filters[aString]=" + std::string(10'000, 'x'), 200, R"("data":[])"},
        {"/api/scalars?filters[aString]=%27;DROP TABLE tags;--", 200, R"("data":[])"},
        {"/api/scalars?filters[aString]=x%00y", 200, R"("data":[])"},
        {"/api/scalars?filters[aString]=%F0%9F%98%80", 200, R"("data":[])"},
        {"/api/scalars?filters[aString]=%ED%A0%80", 200, R"("data":[])"},
    });
}

BOOST_AUTO_TEST_CASE(sort_and_pagination_take_what_has_an_order) {
    std::string const whole = "expected a whole number below 2^53";
    check({
        {"/api/articles?sort=title:up", 400, "sort: expected asc or desc, received"},
        {"/api/articles?sort=", 200},
        {"/api/articles?sort=id,id,id", 200},
        {"/api/articles?sort=title,slug,id,excerpt,createdAt,updatedAt,locale,id,title", 200},
        {"/api/articles?sort=tags.name", 200},
        {"/api/articles?sort=" + repeat(5, "tags.articles.") + "tags.name", 200},
        {"/api/articles?sort=" + repeat(6, "tags.articles.") + "title", 200},
        {"/api/articles?sort=" + repeat(6, "tags.articles.") + "tags.name", 400,
         "sort-hops-limit (12)"},
        {"/api/articles?pagination[page]=0", 200, R"("page":1,)"},
        {"/api/articles?pagination[page]=-1", 200, R"("page":1,)"},
        {"/api/articles?pagination[page]=1.5", 400, "pagination[page]: " + whole},
        {"/api/articles?pagination[page]=1e9", 200, R"("data":[])"},
        {"/api/articles?pagination[page]=9223372036854775807", 400, "pagination[page]: " + whole},
        {"/api/articles?pagination[pageSize]=0", 200, R"("pageSize":1,)"},
        {"/api/articles?pagination[pageSize]=101", 200, R"("pageSize":100,)"},
        {"/api/articles?pagination[pageSize]=-1", 200, R"("pageSize":1,)"},
        {"/api/articles?pagination[page]=1&pagination[start]=1", 400, "either start/limit or"},
        {"/api/articles?pagination[start]=99999", 200, R"("data":[])"},
    });
}

BOOST_AUTO_TEST_CASE(populate_ends_at_its_limit) {
    auto const nodes = [](std::size_t hops) {
        return "/api/nodes?fields=id&pagination[limit]=2&populate=parent" + repeat(hops, ".parent");
    };
    check({
        {"/api/articles?fields=id&populate=true", 200, "", "populate[true]"},
        {"/api/articles?fields=id&populate=1", 200, "", "populate[1]"},
        {"/api/articles?fields=id&populate=author.profile.x.y", 200, "", "[profile][populate][x]"},
        {nodes(10), 200},
        {nodes(498), 200}, // 499 relations and the nodes themselves
        {nodes(499), 400, "plan-nodes-limit (500"},
        {"/api/articles?populate=tags" + repeat(60, ".articles.tags"), 400, "response-limit"},
    });
    std::string const forms[] = {"populate=author.profile", "populate[author][populate]=profile",
                                 "populate[author][populate][profile]=true",
                                 "populate[0]=author.profile"};
    auto const expected = lenient.get("/api/articles?" + forms[0]).body;
    for (auto const& form : forms)
        BOOST_TEST((lenient.get("/api/articles?" + form).body == expected), form);
}

BOOST_AUTO_TEST_CASE(a_locale_or_an_id_that_is_none_finds_nothing) {
    check({
        {"/api/articles?locale=all", 200},
        {"/api/articles?locale=xx", 200, R"("data":[])"},
        {"/api/articles?locale=../", 200, R"("data":[])"},
        {"/api/articles?locale=" + std::string(1024, 'x'), 200, R"("data":[])"},
        {"/api/articles/0", 404},
        {"/api/articles/-1", 404},
        {"/api/articles/1e3", 404},
        {"/api/articles/9223372036854775808", 404},
        {"/api/articles/en-article-1", 404},
        // As MySQL reads a text as a number.
        {"/api/articles/01?fields=id", 200, R"("id":1,)"},
        {"/api/articles/1%20OR%201=1?fields=id", 200, R"("id":1,)"},
    });
}

BOOST_AUTO_TEST_SUITE_END()
