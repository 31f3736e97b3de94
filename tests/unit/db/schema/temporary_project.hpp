#pragma once

#include "db/schema/schema.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include <stdlib.h>

// A Strapi project in a folder of its own that ends with the test.
class TemporaryProject {
  public:
    TemporaryProject() {
        std::string name = std::filesystem::temp_directory_path() / "project.XXXXXX";
        if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
        folder_ = name;
        std::filesystem::create_directories(folder_ / "src/api");
    }
    TemporaryProject(TemporaryProject const&) = delete;
    TemporaryProject& operator=(TemporaryProject const&) = delete;
    ~TemporaryProject() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    std::filesystem::path const& folder() const { return folder_; }

    // `file` below src/.
    TemporaryProject& write(std::string const& file, std::string_view text) {
        auto const path = folder_ / "src" / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return *this;
    }

    // A collection type in an API of its own, with the generated router. `attributes` and `more`
    // are JSON members: "title": {"type": "string"}
    TemporaryProject& type(std::string const& name, std::string const& attributes,
                           std::string const& more = "") {
        write("api/" + name + "/routes/" + name + ".js", router("api::" + name + "." + name));
        return write("api/" + name + "/content-types/" + name + "/schema.json",
                     R"({"kind": "collectionType", "collectionName": ")" + name +
                         R"(s", "info": {"singularName": ")" + name + R"(", "pluralName": ")" +
                         name + R"(s"}, "attributes": {)" + attributes + "}" +
                         (more.empty() ? "" : ", " + more) + "}");
    }

    TemporaryProject& component(std::string const& category, std::string const& name,
                                std::string const& attributes) {
        return write("components/" + category + "/" + name + ".json",
                     R"({"collectionName": "components_)" + category + "_" + name +
                         R"(s", "attributes": {)" + attributes + "}}");
    }

    std::shared_ptr<db::Schema> load(db::SchemaOptions const& options = {}) const {
        auto schema = db::load_schema(folder_, options);
        if (!schema) throw std::runtime_error(schema.error().message);
        return *std::move(schema);
    }

    static std::string router(std::string const& uid) {
        return "'use strict';\n\nconst { createCoreRouter } = "
               "require('@strapi/strapi').factories;\n"
               "\nmodule.exports = createCoreRouter('" +
               uid + "');\n";
    }

  private:
    std::filesystem::path folder_;
};

struct WithProject {
    TemporaryProject project;
};
