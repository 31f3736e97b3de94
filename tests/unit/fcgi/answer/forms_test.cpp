#include "fcgi/answer/forms.hpp"

#include "db/schema/schema.hpp"
#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

namespace {

using Outcome = db::ReadPlan::Outcome;

// The JSON of two files without columns of their own.
std::string json(fcgi::Form form, Outcome outcome) {
    db::ReadPlan plan;
    plan.format = db::ReadPlan::Format::flat;
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

// What the list at `path` reads where createdAt and updatedAt are private everywhere.
std::set<std::string> columns(std::string const& path, db::Version version) {
    TemporaryProject const project;
    auto const schema =
        db::load_schema(project.folder(), {{"createdAt", "updatedAt"}, version}).value();
    parser::QueryTree const tree;
    parser::Query const query;
    fcgi::Caller const caller;
    fcgi::Options const options;
    fcgi::Service::State const state{schema, {}, {}, {}};
    auto const route = fcgi::find_route("/api/" + path, "/api", *schema);
    auto const plan = fcgi::maker_of(route.kind->form)
                          .bind({tree, query, route, caller, state, options, {}})
                          .value();
    std::set<std::string> names;
    for (db::Attribute const* attribute : plan.nodes[0].columns)
        names.insert(attribute->name);
    return names;
}

} // namespace

BOOST_AUTO_TEST_SUITE(forms)

// As Strapi 4.26 and 5.54 answer with these privateAttributes in config/api.js.
BOOST_AUTO_TEST_CASE(roles_show_what_is_private_and_locales_do_not) {
    for (auto const version : {db::Version::strapi4, db::Version::strapi5}) {
        auto const roles = columns("users-permissions/roles", version);
        BOOST_TEST((roles.contains("name") && roles.contains("createdAt") &&
                    roles.contains("updatedAt") && !roles.contains("locale")));
        auto const locales = columns("i18n/locales", version);
        BOOST_TEST((locales.contains("code") && !locales.contains("createdAt")));
    }
}

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
