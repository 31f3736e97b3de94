#pragma once

#include "db/plan/read_plan.hpp"
#include "db/schema/attribute_types.hpp"
#include "db/schema/naming.hpp"
#include "db/schema/schema.hpp"
#include "fcgi/openapi/openapi.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <span>
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

// What in a document depends on the version of the CMS, besides what db/schema/cms.hpp has. Texts
// are JSON unless noted; members of objects are added to those that both versions have.
struct Dialect {
    std::string_view about;      // describes the whole document; plain text
    std::string_view parameters; // by name: `#/components/parameters`
    std::string_view schemas;    // by name: `#/components/schemas`
    std::string_view error;      // members of every error
    // The parameter that selects the locale of one entry; plain text.
    std::string_view one_locale;
    // Options of all that is populated, further ones of polymorphic attributes, and of zones.
    std::string_view options;
    std::string_view polymorphic_options;
    bool polymorphic_windows; // these take `start` and `limit`
    std::string_view zone_options;
    // Populated entries may be sorted by attributes of their relations.
    bool populated_sort_leads_on;
};

Dialect const& dialect_of(db::Version version);

// What a schema describes of a content type or component. Each facet has a schema of its own name.
enum class Facet : std::uint8_t {
    entry, // {"id","attributes":{…}}, of a component {"id",…}; relations below as {"data":…}
    // {"id",…}, flat below as well: for polymorphic relations and responses of plugins. The same as
    // `entry` where all entries are flat.
    flat,
    field,    // one name for `fields`
    filters,  // the value of `filters`
    sort,     // the object form of `sort`
    own_sort, // the same, by attributes of the type alone
    populate, // the object form of `populate`
    options,  // the options of a populated attribute
    // These are like `entry` and `flat`, without what would have to be populated.
    entry_scalars,
    flat_scalars,
};

// Returns references, and builds the schemas that they and the schemas behind them need.
class Schemas {
  public:
    explicit Schemas(db::Schema const& schema, DocumentForm form = DocumentForm::deep,
                     db::ReadPlan::Format format = db::ReadPlan::Format::flat);

    Dialect const& dialect() const { return dialect_; }
    db::BindingRules const& rules() const { return schema_.cms.rules; }
    db::JsonRules const& json() const { return json_; }
    bool are_flat() const { return form_ == DocumentForm::flat; }

    json::object ref(db::ContentType const& type, Facet facet);
    static json::object ref(std::string_view name); // one of the fixed ones: Error, TextFilter

    // Returns a name like `Article`; no two types have the same.
    std::string name(db::ContentType const& type) const;
    // Returns the types that entries behind an attribute may have. For a polymorphic relation these
    // are all that a role can be allowed to find.
    std::vector<db::ContentType const*> targets(db::Attribute const& attribute) const;

    // Adds a schema and returns a reference to it, for tools that make types of inline ones and
    // name two the same. It is called `wanted`, with a number behind it if that is taken.
    json::object add(std::string const& wanted, json::object schema);

    // Returns, by name, every schema that was referred to, also by others, and the fixed ones.
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

// Returns BlogPost for `blog-post`.
std::string pascal_case(std::string_view words);

// Adds the members of a JSON text, replacing those of the same name.
void add_members(json::object& object, std::string_view members);

bool is_populatable(db::Attribute const& attribute);

// Which operators make sense depends on the values that they compare.
enum OperatorGroup : unsigned { equality = 1, order = 2, pattern = 4, superset = 8 };

// Attributes of several types share a filter, such as `TextFilter`. Its values have a schema too,
// `TextValue`.
struct SharedFilter {
    std::string_view name;
    std::string_view value; // schema of one value
    unsigned groups;
};
struct ScalarSchema {
    // JSON Schema of what fcgi/handler/scalar_json.hpp writes, including NULL.
    std::string_view response;
    std::string_view filter; // the name of one of shared_filters()
};
// These are in scalars.cpp; they describe scalar values, in responses and in queries.
std::span<SharedFilter const> shared_filters();
ScalarSchema schema_of(db::ScalarClass scalar);

// This is in responses.cpp; it describes entries.
json::object entry_schema(Schemas& schemas, db::ContentType const& type, Facet facet);

// These are in parameters.cpp; they describe the other facets, and the filters that types share.
json::object field_schema(db::ContentType const& type);
json::object filters_schema(Schemas& schemas, db::ContentType const& type);
json::object sort_schema(Schemas& schemas, db::ContentType const& type);
json::object own_sort_schema(db::ContentType const& type);
json::object populate_schema(Schemas& schemas, db::ContentType const& type);
json::object options_schema(Schemas& schemas, db::ContentType const& type);
// Return the schemas of the values of `filters`, `populate` and `sort` in all their forms. For
// `populate`, the type must have attributes to populate.
json::object filters_forms(Schemas& schemas, db::ContentType const& type);
json::object populate_forms(Schemas& schemas, db::ContentType const& type);
json::object sort_forms(Schemas& schemas, db::ContentType const& type, Facet members = Facet::sort);
void add_shared_filters(json::object& schemas, db::BindingRules const& rules);

} // namespace fcgi
