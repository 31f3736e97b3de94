#include "tests/properties/sample.hpp"

#include "db/schema/project_folder.hpp"

#include <iostream>

namespace properties {

namespace {

std::shared_ptr<db::Schema const> read_schema(std::string const& folder) {
    auto schema =
        db::load_schema(folder, {{}, db::project_version(folder).value_or(db::Version::strapi4)});
    if (schema) return *std::move(schema);
    std::cerr << schema.error().message << '\n';
    std::exit(2);
}

// The names that a query can use, private ones among them.
std::vector<std::string> names_of(db::Schema const& schema) {
    std::vector<std::string> names;
    for (auto const& [uid, type] : schema.types) {
        names.push_back(uid);
        for (auto const& attribute : type->attributes) {
            names.push_back(attribute.name);
            names.push_back('[' + attribute.name + ']');
        }
    }
    return names;
}

} // namespace

Sample::Sample(CLI::App& app) {
    app.add_option("--records", records_)->required();
    app.add_option("--secrets", secrets_)->required();
    app.add_option("--schema", folder_)->required()->envname("POPULATE_SCHEMA");
    app.add_option("--as", auth_, "who asks, instead of who asked");
    app.add_option("--seed", seed_);
    app.add_option("--count", count_, "mutants")->take_last();
}

void Sample::load() {
    conformance::Secrets const secrets(secrets_);
    for (auto record : conformance::read_records(records_)) {
        if (record.method != "GET" && record.method != "HEAD") continue;
        if (!auth_.empty()) record.auth = auth_;
        recorded_.push_back(request_of(record, secrets));
    }
    schema_ = read_schema(folder_);
    mutation_.emplace(recorded_, names_of(*schema_));
}

} // namespace properties
