#pragma once

#include <set>
#include <string>
#include <string_view>

namespace db {

struct Attribute;

// What the caller's credentials allow: scopes like `api::article.article.find`. Compared byte by
// byte, whatever the collation of the table they come from.
class Permissions {
  public:
    enum class Kind : unsigned char {
        listed,    // the public role, a user's role, a custom API token
        read_only, // an API token: every scope that ends with find or findOne
        full,      // an API token: everything
    };

    Permissions() = default;
    explicit Permissions(Kind kind) : kind_(kind) {}
    explicit Permissions(std::set<std::string, std::less<>> scopes) : scopes_(std::move(scopes)) {}

    bool grants(std::string_view scope) const {
        switch (kind_) {
        case Kind::full:
            return true;
        case Kind::read_only:
            return scope.ends_with("find") || scope.ends_with("findOne");
        case Kind::listed:
            break;
        }
        return scopes_.contains(scope);
    }

    // `find` on the type with this UID, which populating and filtering by a relation needs.
    bool grants_find(std::string_view uid) const {
        return grants(std::string(uid).append(".find"));
    }

    // Rows of polymorphic relations are granted or not one by one, by their types.
    bool grant_use(Attribute const& attribute) const;

    bool operator==(Permissions const&) const = default;

  private:
    Kind kind_ = Kind::listed;
    std::set<std::string, std::less<>> scopes_;
};

} // namespace db
