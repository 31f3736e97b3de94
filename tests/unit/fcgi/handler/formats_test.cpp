#include "fcgi/handler/envelope.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <tuple>

// The two formats of Strapi 5.54: the shapes are those that it was recorded to answer.

BOOST_AUTO_TEST_SUITE(formats)

namespace {

using db::AttributeType;
using db::RelationKind;
using enum db::ReadPlan::Format;
using Kind = db::ContentType::Kind;
using Outcome = db::ReadPlan::Outcome;

db::Attribute attribute(std::string name, AttributeType type, bool many = false) {
    db::Attribute made;
    made.json_key = '"' + name + "\":";
    made.name = std::move(name);
    made.type = type;
    made.many = many;
    return made;
}

db::Attribute polymorphic(AttributeType type, bool many) {
    auto made = attribute("below", type, many);
    made.link.target_type_column = "type";
    return made;
}

db::Attribute inverse(RelationKind relation, bool many) {
    auto made = attribute("below", AttributeType::relation, many);
    made.relation = relation;
    return made;
}

db::ContentType type_of(std::string uid, Kind kind) {
    db::ContentType made;
    made.uid = std::move(uid);
    made.kind = kind;
    made.has_documents = kind != Kind::component;
    return made;
}

db::Attribute const document = attribute("documentId", AttributeType::string);
db::Attribute const title = attribute("title", AttributeType::string);
db::ContentType const article = type_of("api::article.article", Kind::collection);
db::ContentType const hero = type_of("blocks.hero", Kind::component);

// Two documents; the first leads to an entry over `below`, the second to none.
struct Asked {
    Asked(db::ReadPlan::Format format, db::Attribute const& below, Outcome outcome = Outcome::array)
        : below_(below) {
        plan.json = &db::json_of(db::strapi5, format);
        plan.outcome = outcome;
        plan.nodes = {{.type = &article, .columns = {&document}, .branches = {{&below_, 1}}}};
        result.nodes.resize(1);
        result.nodes[0] = {.rows = {{.id = 1, .entry = 0}, {.id = 2, .entry = 1}},
                           .cells = {"d1", "d2"},
                           .width = 1,
                           .entries = 2};
        if (below_.is_polymorphic()) {
            plan.nodes.push_back({.source = db::RowSource::pairs, .targets = {2}});
            result.nodes.push_back({.rows = {{.id = 7, .parent = 1}}});
            add_target(db::RowSource::target, 7);
        } else {
            add_target(db::RowSource::link, 1);
        }
    }

    std::string json(std::string_view last = {}) const {
        std::string out;
        fcgi::append_envelope(out, plan, result, {}, last);
        return out;
    }

    db::ReadPlan plan;
    db::ResultTree result;

  private:
    void add_target(db::RowSource source, std::uint64_t parent) {
        bool const is_component =
            below_.type == AttributeType::component || below_.type == AttributeType::dynamic_zone;
        db::Node node{.source = source, .type = is_component ? &hero : &article};
        db::Rows rows{.rows = {{.id = 7, .parent = parent}}, .entries = 1};
        if (!is_component) {
            node.columns = {&document};
            rows.cells = {"d7"};
        }
        node.columns.push_back(&title);
        rows.cells.emplace_back("seven");
        rows.width = node.columns.size();
        plan.nodes.push_back(std::move(node));
        result.nodes.push_back(std::move(rows));
    }

    db::Attribute const below_;
};

// The two texts stand for an entry that is there, and for none.
struct Shown {
    std::string one;
    std::string none;
};

std::string listed(std::string const& one) {
    return '[' + one + ']';
}

std::string wrapped(std::string const& json) {
    return R"({"data":)" + json + '}';
}

} // namespace

BOOST_AUTO_TEST_CASE(what_is_populated_stands_as_strapi_5_puts_it) {
    std::string const entry = R"({"id":7,"documentId":"d7","title":"seven"})";
    std::string const apart = R"({"id":7,"documentId":"d7","attributes":{"title":"seven"}})";
    std::string const part = R"({"id":7,"title":"seven"})";
    std::string const hero_part = R"({"id":7,"title":"seven","__component":"blocks.hero"})";
    std::string const typed =
        R"({"id":7,"documentId":"d7","title":"seven","__type":"api::article.article"})";
    using enum AttributeType;
    std::tuple<db::Attribute, Shown, Shown> const table[] = {
        {attribute("below", relation), {entry, "null"}, {wrapped(apart), wrapped("null")}},
        {attribute("below", relation, true),
         {listed(entry), "[]"},
         {wrapped(listed(apart)), wrapped("[]")}},
        {attribute("below", media), {entry, "null"}, {wrapped(apart), wrapped("null")}},
        {attribute("below", media, true),
         {listed(entry), "[]"},
         {wrapped(listed(apart)), wrapped("[]")}},
        {inverse(RelationKind::morph_one, false),
         {entry, "null"},
         {wrapped(apart), wrapped("null")}},
        {inverse(RelationKind::morph_many, true),
         {listed(entry), "[]"},
         {wrapped(listed(apart)), wrapped("[]")}},
        {attribute("below", component), {part, "null"}, {part, "null"}},
        {attribute("below", component, true), {listed(part), "[]"}, {listed(part), "[]"}},
        {polymorphic(dynamic_zone, true), {listed(hero_part), "[]"}, {listed(hero_part), "[]"}},
        {polymorphic(relation, false), {typed, "null"}, {typed, "null"}},
        {polymorphic(relation, true), {listed(typed), "[]"}, {listed(typed), "[]"}},
    };
    for (auto const& [below, in_flat, in_documents] : table) {
        BOOST_TEST(Asked(flat, below).json() == R"({"data":[{"id":1,"documentId":"d1","below":)" +
                                                    in_flat.one +
                                                    R"(},{"id":2,"documentId":"d2","below":)" +
                                                    in_flat.none + R"(}],"meta":{}})");
        BOOST_TEST(Asked(documents, below).json() ==
                   R"({"data":[{"id":1,"documentId":"d1","attributes":{"below":)" +
                       in_documents.one + R"(}},{"id":2,"documentId":"d2","attributes":{"below":)" +
                       in_documents.none + R"(}}],"meta":{}})");
    }
}

// A component says `__component` only in a zone.
BOOST_AUTO_TEST_CASE(a_component_behind_a_polymorphic_relation_says_its_type_like_an_entry) {
    Asked asked(flat, polymorphic(AttributeType::relation, true), Outcome::entry);
    asked.plan.nodes[2].type = &hero;
    asked.plan.nodes[2].columns = {&title};
    asked.result.nodes[2].cells = {"seven"};
    asked.result.nodes[2].width = 1;
    BOOST_TEST(asked.json() == R"({"data":{"id":1,"documentId":"d1","below":)"
                               R"([{"id":7,"title":"seven","__type":"blocks.hero"}]},"meta":{}})");
}

// Where one entry is related twice, the second is copied.
BOOST_AUTO_TEST_CASE(an_entry_that_is_related_again_is_the_same_again) {
    auto const tags = attribute("tags", AttributeType::relation, true);
    Asked asked(documents, tags, Outcome::entry);
    asked.result.nodes[1].rows.push_back(asked.result.nodes[1].rows[0]);
    std::string const seven = R"({"id":7,"documentId":"d7","attributes":{"title":"seven"}})";
    BOOST_TEST(asked.json() ==
               R"({"data":{"id":1,"documentId":"d1","attributes":{"tags":{"data":[)" + seven + ',' +
                   seven + R"(]}}},"meta":{}})");
}

BOOST_AUTO_TEST_CASE(a_count_is_wrapped_where_its_entries_would_be) {
    std::string const count = R"({"count":3})";
    std::string const apart = R"({"data":{"attributes":{"count":3}}})";
    std::tuple<AttributeType, std::string, std::string> const table[] = {
        {AttributeType::relation, count, apart},
        {AttributeType::component, count, count},
    };
    for (auto const& [type, in_flat, in_documents] : table) {
        auto const json = [&](db::ReadPlan::Format format) {
            Asked asked(format, attribute("below", type, true), Outcome::entry);
            asked.plan.nodes[1].count = true;
            asked.result.nodes[1].rows = {{.id = 3, .parent = 1}};
            return asked.json();
        };
        BOOST_TEST(json(flat) ==
                   R"({"data":{"id":1,"documentId":"d1","below":)" + in_flat + R"(},"meta":{}})");
        BOOST_TEST(json(documents) ==
                   R"({"data":{"id":1,"documentId":"d1","attributes":{"below":)" + in_documents +
                       R"(}},"meta":{}})");
    }
}

// /api/upload/files: `isUrlSigned` comes after what is populated, and of the root alone.
BOOST_AUTO_TEST_CASE(a_last_member_ends_the_entries_of_the_root) {
    auto const related = attribute("related", AttributeType::relation);
    Asked asked(flat, related, Outcome::plain_list);
    BOOST_TEST(asked.json(R"(,"isUrlSigned":false)") ==
               R"([{"id":1,"documentId":"d1","related":{"id":7,"documentId":"d7","title":"seven"},)"
               R"("isUrlSigned":false},{"id":2,"documentId":"d2","related":null,)"
               R"("isUrlSigned":false}])");
}

BOOST_AUTO_TEST_SUITE_END()
