#include "fcgi/check/nginx_site.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(nginx_site)

namespace {

// `name file:line`, each followed by the lines that may get in the way
std::string locations(std::string const& configuration, std::string const& port = "1337") {
    std::string text;
    for (auto const& location : fcgi::cms_locations(configuration, port)) {
        text += location.name + " " + location.file + ":" + std::to_string(location.line) + "\n";
        for (auto const line : location.ifs)
            text += "  if at line " + std::to_string(line) + "\n";
        for (auto const line : location.rewrites)
            text += "  rewrite at line " + std::to_string(line) + "\n";
    }
    return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_locations_that_pass_requests_to_the_cms_are_found) {
    struct {
        char const* configuration;
        char const* expected;
    } const cases[] = {
        {"", ""},
        {"location / { proxy_pass http://127.0.0.1:1337; }", "location / :1\n"},
        {"location / { proxy_pass http://127.0.0.1:13370; }", ""},
        {"location / { proxy_pass http://127.0.0.1:1337/v1/; }", "location / :1\n"},
        {"location / { proxy_pass https://127.0.0.1:1337; }", ""},
        {"location / { # proxy_pass http://127.0.0.1:1337;\n}", ""},
        {"location ~ \"^/(api){1}\" { proxy_pass http://[::1]:1337; }",
         "location ~ ^/(api){1} :1\n"},
        {"upstream cms { server 10.0.0.1:1337 weight=2; }\n"
         "location ^~ /api/ {\n proxy_pass http://cms; }",
         "location ^~ /api/ :2\n"},
        {"upstream cms { server 10.0.0.1:1338; }\nlocation / { proxy_pass http://cms; }", ""},
        {"location / { proxy_pass http://cms$request_uri; }", ""},
        {"# configuration file /etc/nginx/nginx.conf:\nhttp {\n  include sites/*;\n}\n\n"
         "# configuration file /etc/nginx/sites/cms:\nserver {\n"
         "    location @node {\n        set $a \"}\";\n        set $b ${host}x;\n"
         "        if ($a) { return 404; }\n        rewrite ^/x /y;\n"
         "        proxy_pass http://127.0.0.1:1337;\n    }\n}\n",
         "location @node /etc/nginx/sites/cms:2\n  if at line 5\n  rewrite at line 6\n"},
    };
    for (auto const& [configuration, expected] : cases)
        BOOST_TEST_CONTEXT(configuration) {
            BOOST_TEST(locations(configuration) == expected);
        }
}

BOOST_AUTO_TEST_CASE(a_configuration_that_is_cut_off_has_no_more) {
    std::string const whole = "location / { set $a 'it\\'s'; proxy_pass http://127.0.0.1:1337; }";
    for (std::size_t size = 0; size < whole.size() - 3; ++size)
        BOOST_TEST(locations(whole.substr(0, size)).empty());
    BOOST_TEST(locations(whole) == "location / :1\n");
}

BOOST_AUTO_TEST_SUITE_END()
