#pragma once

#include "db/plan/read_plan.hpp"
#include "db/schema/schema.hpp"
#include "fcgi/openapi/dialect.hpp"
#include "fcgi/openapi/openapi.hpp"

#include <boost/json/object.hpp>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The part `components.schemas` of an OpenAPI document.

namespace fcgi {

namespace json = boost::json;

json::object any_of(json::array alternatives);
json::object list_of(json::object items);
json::object or_null(json::object schema);

// What a schema describes of a content type or component; each has one of its own name.
enum class Facet : std::uint8_t {
    entry, // {"id","attributes":{…}}, of a component {"id",…}; relations below as {"data":…}
    // {"id",…}, flat below as well: polymorphic relations, and what plugins answer; the same as
    // `entry` where all entries are flat
    flat,
    field,    // one name for `fields`
    filters,  // the value of `filters`
    sort,     // the object form of `sort`
    own_sort, // the same, by attributes of the type alone
    populate, // the object form of `populate`
    options,  // what can be said of a populated attribute
    // As `entry` and `flat`, without what would have to be populated.
    entry_scalars,
    flat_scalars,
};

// Hands out references; knows which schemas they and the schemas behind them need.
class Schemas {
  public:
    explicit Schemas(db::Schema const& schema, DocumentForm form = DocumentForm::deep,
                     db::ReadPlan::Format format = db::ReadPlan::Format::flat);

    Dialect const& dialect() const { return dialect_; }
    db::Rules const& rules() const { return schema_.cms.rules; }
    db::JsonRules const& json() const { return json_; }
    bool are_flat() const { return form_ == DocumentForm::flat; }

    json::object ref(db::ContentType const& type, Facet facet);
    static json::object ref(std::string_view name); // one of the fixed ones: Error, TextFilter

    // `Article`; no two types have the same.
    std::string name(db::ContentType const& type) const;
    // Those that rows behind an attribute may have; of a polymorphic relation, all that a role can
    // be allowed to find.
    std::vector<db::ContentType const*> targets(db::Attribute const& attribute) const;

    // A schema of its own, for tools that make types of inline ones and name two the same. Called
    // `wanted`, with a number behind it if that is taken.
    json::object add(std::string const& wanted, json::object schema);

    // By name, every schema that was referred to, now or by another one; and the fixed ones.
    json::object all();

  private:
    db::Schema const& schema_;
    DocumentForm const form_;
    Dialect const& dialect_;
    db::JsonRules const& json_;
    std::map<db::ContentType const*, std::string> names_;
    std::set<std::string, std::less<>> taken_; // names
    std::map<std::string, json::object> built_;
    std::set<std::pair<db::ContentType const*, Facet>> known_;
    std::vector<std::pair<db::ContentType const*, Facet>> waiting_;
};

// `blog-post` -> BlogPost
std::string pascal_case(std::string_view words);

// Members of a JSON text, in the place of those of the same name.
void add_members(json::object& object, std::string_view members);

bool is_populatable(db::Attribute const& attribute);

// openapi_answers.cpp: what entries are.
json::object entry_schema(Schemas& schemas, db::ContentType const& type, Facet facet);

// openapi_questions.cpp: the others, and the filters that types share.
json::object field_schema(db::ContentType const& type);
json::object filters_schema(Schemas& schemas, db::ContentType const& type);
json::object sort_schema(Schemas& schemas, db::ContentType const& type);
json::object own_sort_schema(db::ContentType const& type);
json::object populate_schema(Schemas& schemas, db::ContentType const& type);
json::object options_schema(Schemas& schemas, db::ContentType const& type);
// The values of `filters`, of `populate`, of a type that has any to populate, and of `sort`, in all
// their forms.
json::object filters_forms(Schemas& schemas, db::ContentType const& type);
json::object populate_forms(Schemas& schemas, db::ContentType const& type);
json::object sort_forms(Schemas& schemas, db::ContentType const& type, Facet members = Facet::sort);
void add_shared_filters(json::object& schemas, db::Rules const& rules);

} // namespace fcgi
