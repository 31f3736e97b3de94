#pragma once

#include "db/schema/schema.hpp"

#include <map>
#include <memory>

// The schema of the example project as a version reads it. It is read once, which takes some 10 ms,
// for the hundreds of cases that ask for it.
inline std::shared_ptr<db::Schema const> const&
example_schema(db::Version version = db::Version::strapi4) {
    static std::map<db::Version, std::shared_ptr<db::Schema const>> schemas;
    auto& schema = schemas[version];
    if (!schema) schema = db::load_schema(PROJECTS "/ks", {{}, version}).value();
    return schema;
}

// Of the example project as a Strapi 5 has it.
inline std::shared_ptr<db::Schema const> const& ks5_schema() {
    static std::shared_ptr<db::Schema const> const schema =
        db::load_schema(PROJECTS "/ks5", {{}, db::Version::strapi5}).value();
    return schema;
}
