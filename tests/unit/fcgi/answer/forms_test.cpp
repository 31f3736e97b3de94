#include "fcgi/answer/forms.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(forms)

namespace {

using Outcome = db::ReadPlan::Outcome;

// The JSON of two files without columns of their own.
std::string json(fcgi::Form form, Outcome outcome) {
    db::ReadPlan plan;
    plan.json = &db::strapi5.json;
    plan.outcome = outcome;
    plan.nodes.resize(1);
    db::ResultTree result;
    result.nodes.resize(1);
    result.nodes[0] = {.rows = {{.id = 1, .entry = 0}, {.id = 2, .entry = 1}}, .entries = 2};
    result.total = 2;
    std::string out;
    fcgi::maker_of(form).append(out, plan, result, {}, {});
    return out;
}

} // namespace

// As recorded of Strapi 5.54, with ids alone.
BOOST_AUTO_TEST_CASE(each_file_ends_with_whether_its_url_is_signed) {
    using fcgi::Form;
    std::string const files = R"([{"id":1,"isUrlSigned":false},{"id":2,"isUrlSigned":false}])";
    BOOST_TEST(json(Form::files, Outcome::plain_list) == files);
    BOOST_TEST(json(Form::files, Outcome::plain_entry) == R"({"id":1,"isUrlSigned":false})");
    BOOST_TEST(json(Form::files, Outcome::list) ==
               R"({"data":)" + files +
                   R"(,"meta":{"pagination":{"page":1,"pageSize":25,"pageCount":1,"total":2}}})");
    BOOST_TEST(json(Form::plain, Outcome::plain_list) == R"([{"id":1},{"id":2}])");
}

BOOST_AUTO_TEST_SUITE_END()
