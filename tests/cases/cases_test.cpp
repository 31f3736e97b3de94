#include "tests/cases/case.hpp"

#include "db/plan/bind.hpp"
#include "db/read/select.hpp"
#include "fcgi/access/route.hpp"
#include "fcgi/handler/envelope.hpp"
#include "fcgi/http/http.hpp"
#include "fcgi/http/representation.hpp"
#include "parser/query_reader.hpp"
#include "parser/query_tree.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <iterator>
#include <ostream>
#include <sstream>

namespace cases {

std::ostream& operator<<(std::ostream& out, Case const& sample) {
    return out << sample.file << ": " << sample.name;
}

} // namespace cases

namespace {

using cases::Case;

db::Schema const& project() {
    static auto const schema = db::load_schema(CASES "/project").value();
    return *schema;
}

std::string sql_of(db::ReadPlan const& plan) {
    auto const statements = db::select(plan).statements;
    std::string text;
    bool const is_counted = plan.outcome == db::ReadPlan::Outcome::number;
    for (std::size_t node = 0; node < plan.nodes.size() && !is_counted; ++node)
        if (auto const& sql = statements.nodes[node].sql; !sql.empty())
            text.append(std::to_string(node)).append(" ").append(db::readable(sql.str())) += '\n';
    return text + "total " + db::readable(statements.total.str()) + '\n';
}

std::string json_of(db::ReadPlan const& plan, std::string const& rows) {
    auto const result = cases::read_rows(plan, rows);
    std::string json;
    if (!fcgi::is_missing(plan, result)) fcgi::append_envelope(json, plan, result);
    return json + '\n';
}

// Returns the permissions that the section `may` lists, or all if there is none.
db::Permissions permissions_of(Case const& sample) {
    auto const may = sample.sections.find("may");
    if (may == sample.sections.end()) return db::Permissions(db::Permissions::AccessLevel::full);
    std::istringstream scopes(may->second);
    return db::Permissions({std::istream_iterator<std::string>(scopes), {}});
}

parser::Result<db::ReadPlan> plan_of(Case const& sample) {
    auto const target = fcgi::split_target(sample.request);
    auto const route = fcgi::find_route(target.path, "/api", project());
    BOOST_TEST_REQUIRE(route.target.type, sample.request << " has no route");
    auto const query =
        parser::read_query(parser::parse_query_string(target.query), project().cms.reading);
    return db::bind(query, route.target, project(), permissions_of(sample),
                    {.default_locale = "en"}, {});
}

} // namespace

BOOST_DATA_TEST_CASE(a_request_goes_through_the_stages_as_it_says,
                     boost::unit_test::data::make(cases::read_cases(CASES))) {
    auto const plan = plan_of(sample);
    std::map<std::string, std::string> got;
    if (sample.sections.contains("may")) got["may"] = sample.sections.at("may");
    if (plan) {
        got["plan"] = db::dump(*plan);
        got["sql"] = sql_of(*plan);
        got["rows"] = sample.sections.contains("rows") ? sample.sections.at("rows") : "";
        got["json"] = json_of(*plan, got["rows"]);
    } else {
        auto const& error = plan.error();
        got["error"] =
            std::to_string(fcgi::error_status(error.kind).status) + " " + error.message + '\n';
    }
    for (auto const& [section, text] : got)
        BOOST_TEST((sample.sections.contains(section) && sample.sections.at(section) == text),
                   sample.request << "\n--- " << section << '\n'
                                  << text);
    BOOST_TEST(got.size() == sample.sections.size(), sample.request);
}
