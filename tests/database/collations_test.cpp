#include "db/cms/tables.hpp"
#include "db/plan/bind.hpp"
#include "db/read/execute.hpp"
#include "parser/query_reader.hpp"
#include "tests/database/server.hpp"
#include "tests/unit/db/schema/temporary_project.hpp"

#include <string>
#include <vector>

// A text is compared in the character set and collation of its column, by each operator, as by
// Strapi, which writes `column LIKE '…'` and `LOWER(column) LIKE LOWER('…')`.

namespace {

using db::SqlPiece;

// The texts Äpfel, apfel, APFEL and NULL in columns of several character sets and collations.
struct Texts {
    Texts() {
        project.type("text", R"("plain": {"type": "string"}, "bin": {"type": "string"},
            "latin": {"type": "string"}, "narrow": {"type": "text"}, "data": {"type": "json"},
            "number": {"type": "integer"}, "time": {"type": "datetime"})");
        for (SqlPiece const piece : {
                 // The database's own collation counts for nothing.
                 SqlPiece("DROP DATABASE IF EXISTS texts"),
                 SqlPiece("CREATE DATABASE texts CHARACTER SET latin1"),
                 SqlPiece("CREATE TABLE texts.texts (id INT PRIMARY KEY, document_id VARCHAR(9),"
                          " plain VARCHAR(99) COLLATE utf8mb4_unicode_ci,"
                          " bin VARCHAR(99) COLLATE utf8mb4_bin,"
                          " latin VARCHAR(99) COLLATE latin1_swedish_ci,"
                          " narrow LONGTEXT COLLATE utf8mb3_general_ci,"
                          " data JSON, number INT, time DATETIME(6))"),
                 SqlPiece("INSERT INTO texts.texts SELECT id, id, text, text, text, text,"
                          " JSON_ARRAY(text), id + 50, '2024-01-01' FROM"
                          " (SELECT 1 id, _utf8mb4 'Äpfel' text UNION SELECT 2, 'apfel'"
                          " UNION SELECT 3, 'APFEL' UNION SELECT 4, NULL) t"),
                 SqlPiece("UPDATE texts.texts SET data = NULL WHERE id = 4"),
             })
            server::command(*owner, piece);
        auto url = server::owner();
        url.name = "texts";
        connection = server::open(url);
        for (auto const version : db::all_versions) {
            auto schema = db::load_schema(project.folder(), {{}, version}).value();
            db::read_columns(*schema, db::read_table_columns(*connection).value());
            schemas.push_back(std::move(schema));
        }
    }
    ~Texts() { server::command(*owner, SqlPiece("DROP DATABASE texts")); }

    // The ids that the query finds, or what it fails with.
    std::string found(std::string const& query, db::Schema const& schema) {
        auto const typed = parser::read_query(parser::parse_query_string("fields=id&" + query),
                                              schema.cms.reading);
        auto plan = db::bind(typed, {.type = schema.find("api::text.text")}, schema,
                             db::Permissions(db::Permissions::AccessLevel::full), {}, limits);
        if (!plan) return plan.error().message;
        std::vector<db::SentStatement> sent;
        auto const result =
            db::execute(db::select(*std::move(plan)), {}, *connection, {limits, {}, memory}, sent);
        if (!result) return result.error().cause;
        std::string ids;
        for (db::Row const& row : result->nodes[0].rows)
            ids.append(ids.empty() ? "" : " ").append(std::to_string(row.id));
        return ids;
    }
    void expect(std::string const& query, std::string const& ids) {
        for (auto const& schema : schemas)
            BOOST_TEST(found(query, *schema) == ids, query);
    }

    TemporaryProject project;
    std::unique_ptr<db::Connection> owner = server::open_owner(), connection;
    std::vector<std::shared_ptr<db::Schema>> schemas; // of both versions
    parser::Limits limits;
    parser::MemoryShare memory;
};

std::string filter(std::string const& column, std::string const& key, std::string const& text) {
    return "filters[" + column + "][" + key + "]=" + text;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(collations, Texts)

BOOST_AUTO_TEST_CASE(a_text_is_compared_in_the_collation_of_its_column) {
    struct {
        std::string column;
        std::string alike; // ids of what is like Äpfel but for the case
        std::string others;
        std::string before = {}, behind = {};
    } const columns[] = {
        {"plain", "1 2 3", ""},
        {"bin", "1", "2 3"},
        {"latin", "1", "2 3"},
        {"narrow", "1 2 3", ""},
        {"data", "1", "2 3", "[\"", "\"]"},
    };
    for (auto const& [column, alike, others, before, behind] : columns) {
        expect(filter(column, "$eqi", before + "äPFEL" + behind), alike);
        expect(filter(column, "$nei", before + "äPFEL" + behind), others);
        expect(filter(column, "$containsi", "äPfE"), alike);
        expect(filter(column, "$notContainsi", "äPfE"), others);
        expect(filter(column, "$startsWithi", before + "äPF"), alike);
        expect(filter(column, "$endsWithi", "äPFEL" + behind), alike);
        expect(filter(column, "$contains", "Äpf"), alike);
        expect(filter(column, "$notContains", "Äpf"), others);
        expect(filter(column, "$startsWith", before + "Äpf"), alike);
        expect(filter(column, "$notStartsWith", before + "Äpf"), others);
        expect(filter(column, "$endsWith", "Äpfel" + behind), alike);
        if (column == "data") continue; // of JSON these compare a value
        expect(filter(column, "$eq", "Äpfel"), alike);
        expect(filter(column, "$ne", "Äpfel"), others);
        expect(filter(column, "$in", "Äpfel"), alike);
        expect(filter(column, "$notIn", "Äpfel"), others);
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_text_is_compared_as_one) {
    expect(filter("id", "$containsi", "2"), "2");
    expect(filter("number", "$containsi", "5"), "1 2 3 4");
    expect(filter("number", "$endsWithi", "3"), "3");
    expect(filter("time", "$startsWithi", "2024-01"), "1 2 3 4");
    expect(filter("number", "$containsi", "ä"), "");
}

BOOST_AUTO_TEST_CASE(what_a_character_set_cannot_hold_equals_nothing) {
    std::pair<std::string, std::string> const texts[] = {
        {"latin", "😀"}, {"latin", "Яблоко"}, {"latin", "Äpfel😀"}, {"narrow", "Äpfel😀"}};
    for (auto const& [column, text] : texts) {
        for (char const* key : {"$eq", "$eqi", "$in", "$contains", "$containsi", "$startsWith",
                                "$startsWithi", "$endsWith", "$endsWithi", "$lt", "$gte"})
            expect(filter(column, key, text), "");
        for (char const* key :
             {"$ne", "$nei", "$notIn", "$notContains", "$notContainsi", "$notStartsWith"})
            expect(filter(column, key, text), "1 2 3");
        expect("filters[$not][" + column + "][$eq]=" + text, "1 2 3");
        expect("filters[$not][" + column + "][$ne]=" + text, "");
        expect("_q=" + text, "");
        expect("filters[$or][0][" + column + "]=" + text + "&filters[$or][1][id]=4", "4");
    }
}

BOOST_AUTO_TEST_CASE(what_it_can_hold_counts_beside_that) {
    std::string const list = "[0]=Äpfel&filters[latin]";
    expect("filters[latin][$in]" + list + "[$in][1]=😀", "1");
    expect("filters[latin][$notIn]" + list + "[$notIn][1]=😀", "2 3");
    expect(filter("latin", "$ne", "€œŽ"), "1 2 3");
    expect(filter("narrow", "$ne", "Яблоко"), "1 2 3");
}

BOOST_AUTO_TEST_SUITE_END()
