#include "db/schema/permissions.hpp"

#include "db/schema/schema.hpp"

namespace db {

bool Permissions::grant_use(Attribute const& attribute) const {
    if (!attribute.is_relation() || attribute.is_creator || attribute.is_polymorphic()) return true;
    return grants_find(attribute.target->uid);
}

} // namespace db
