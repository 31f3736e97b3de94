#pragma once

#include "db/schema/schema.hpp"

#include <set>
#include <string>
#include <string_view>

namespace db {

// The scopes that the caller's credentials allow, like `api::article.article.find`. They are
// compared byte by byte, whatever the collation of the table they come from.
class Permissions {
  public:
    enum class AccessLevel : unsigned char {
        listed,    // the public role, a user's role, a custom API token
        read_only, // an API token: every scope that ends with find or findOne
        full,      // an API token: everything
    };

    Permissions() = default;
    explicit Permissions(AccessLevel level) : level_(level) {}
    explicit Permissions(std::set<std::string, std::less<>> scopes) : scopes_(std::move(scopes)) {}

    bool grants(std::string_view scope) const {
        switch (level_) {
        case AccessLevel::full:
            return true;
        case AccessLevel::read_only:
            return scope.ends_with("find") || scope.ends_with("findOne");
        case AccessLevel::listed:
            break;
        }
        return scopes_.contains(scope);
    }

    // Whether `find` is granted on the type with this UID, which populating a relation and
    // filtering by it need.
    bool grants_find(std::string_view uid) const {
        return grants(std::string(uid).append(".find"));
    }

    // Whether the attribute may be used. Of polymorphic relations this is decided row by row, by
    // type.
    bool grant_use(Attribute const& attribute) const {
        if (!attribute.is_relation() || attribute.is_creator || attribute.is_polymorphic())
            return true;
        return grants_find(attribute.target->uid);
    }

    bool operator==(Permissions const&) const = default;

  private:
    AccessLevel level_ = AccessLevel::listed;
    std::set<std::string, std::less<>> scopes_;
};

} // namespace db
