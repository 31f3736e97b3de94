#pragma once

#include <set>
#include <string>
#include <string_view>

namespace db {

struct Attribute;

// The scopes that the caller's credentials allow, like `api::article.article.find`. They are
// compared byte by byte, whatever the collation of the table they come from.
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

    // Whether `find` is granted on the type with this UID, which populating a relation and
    // filtering by it need.
    bool grants_find(std::string_view uid) const {
        return grants(std::string(uid).append(".find"));
    }

    // Whether the attribute may be used. Of polymorphic relations this is decided row by row, by
    // type.
    bool grant_use(Attribute const& attribute) const;

    bool operator==(Permissions const&) const = default;

  private:
    Kind kind_ = Kind::listed;
    std::set<std::string, std::less<>> scopes_;
};

} // namespace db
