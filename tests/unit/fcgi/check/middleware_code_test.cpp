#include "fcgi/check/default_parameters.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(middleware_code)

namespace {

std::string of_statements(std::string const& statements, std::string const& before = "") {
    return before +
           "module.exports = (config, { strapi }) => {\n  return async (ctx, next) => {\n" +
           statements + "  };\n};\n";
}

} // namespace

BOOST_AUTO_TEST_CASE(data_given_to_populate_is_found_in_any_layout) {
    std::string const assigned = "ctx.query.populate = { seo: true }; await next();";
    struct {
        std::string source;
        char const* expected;
    } const cases[] = {
        {of_statements(assigned), R"({"seo":true})"},
        {"'use strict';\n/** `fill` middleware */\n" + of_statements(assigned), R"({"seo":true})"},
        {of_statements("ctx.query.populate = populate; await next();",
                       "const populate = { a: { on: { 'x.y': true, }, }, };\n"),
         R"({"a":{"on":{"x.y":true}}})"},
        {"import type { Core } from '@strapi/strapi';\n"
         "const populate = ['a', \"b\"];\n"
         "export default (config, { strapi }: { strapi: Core.Strapi }) => {\n"
         "  return async (ctx: Context, next: Koa.Next) => { ctx.query.populate = populate;\n"
         "    await next();\n  };\n};\n",
         R"(["a","b"])"},
        {"module.exports = () => async (c, go) => { c.query.populate = '*'; return go() }",
         R"("*")"},
        {of_statements("strapi.log.info('In it.'); ctx.query.populate = { a: { fields: ['b'], "
                       "limit: 3, filters: { c: { $null: false } } } }; await next();"),
         R"({"a":{"fields":["b"],"limit":3,"filters":{"c":{"$null":false}}}})"},
    };
    for (auto const& [source, expected] : cases) {
        auto const populate = fcgi::assigned_populate(source);
        BOOST_TEST_REQUIRE(populate.has_value(), source);
        BOOST_TEST(boost::json::serialize(*populate) == expected);
    }
}

BOOST_AUTO_TEST_CASE(whatever_does_more_is_refused_with_the_place) {
    std::string const given = "ctx.query.populate = { seo: true };";
    std::string const go = " await next();";
    struct {
        std::string source;
        char const* at;
    } const cases[] = {
        {"", "its end"},
        {of_statements("if (!ctx.query.populate) " + given + go), "`if`"},
        {of_statements("if (ctx.query.x) return; " + given + go), "`if`"},
        {of_statements("if (ctx.state.user) " + given + go), "`if`"},
        {of_statements("const user = ctx.state.user; " + given + go), "`const`"},
        {of_statements("ctx.query.populate = { ...more };" + go), "`.`"},
        {of_statements("ctx.query.populate = { [key]: true };" + go), "`[`"},
        {of_statements("ctx.query.populate = { seo };" + go), "`}`"},
        {of_statements("ctx.query.populate = { seo: isOn() };" + go), "`isOn`"},
        {of_statements("ctx.query.populate = { seo: true, seo: false };" + go), "`seo`"},
        {of_statements("ctx.query.populate = { __proto__: true };" + go), "`__proto__`"},
        {of_statements("ctx.query.populate = { 1: true };" + go), "`1`"},
        {of_statements("ctx.query.populate = `${x}`;" + go), "`'${x}'`"},
        {of_statements("ctx.query.populate = 'a\\x62';" + go), "`'a\\x62'`"},
        {of_statements("ctx.query.populate = require('./populate');" + go), "`require`"},
        {of_statements("ctx.query.populate = populate;" + go,
                       "const populate = require('./populate');"),
         "`require`"},
        {of_statements(given + go, "const { populate } = require('./populate');"), "`populate`"},
        {of_statements(given + go, "import populate from './populate';"), "`import`"},
        {of_statements(given + given + go), "`ctx`"},
        {of_statements(given + "ctx.query.filters = {};" + go), "`ctx`"},
        {of_statements("ctx.query = { populate: '*', ...ctx.query };" + go), "`ctx`"},
        {of_statements("ctx.query.fields = ['a'];" + go), "`ctx`"},
        {of_statements("strapi.log.info(`${guard()}`); " + given + go), "`'${guard()}'`"},
        {of_statements(given + go + " ctx.body = {};"), "`ctx`"},
        {of_statements(given), "`}`"},
        {of_statements(given + go) + "guard();", "`guard`"},
        {"guard(); " + of_statements(given + go), "`guard`"},
        {"module.exports = (config = guard()) => async (ctx, next) => {" + given + go + "}", "`=`"},
    };
    for (auto const& [source, at] : cases) {
        BOOST_TEST_CONTEXT(source) {
            auto const populate = fcgi::assigned_populate(source);
            BOOST_TEST_REQUIRE(populate.has_error());
            auto const& message = populate.error().message;
            BOOST_TEST(message.ends_with(std::string("at ") + at), message);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
