#include "db/replace/archived_links.hpp"

namespace db {

namespace {

// Returns the order column of the other side, which the pairs fill, too; empty if there is none.
std::string other_order(Attribute const& attribute) {
    auto const* other = attribute.is_polymorphic() ? nullptr : attribute.other_side();
    return other ? other->link.order_column : std::string();
}

std::vector<std::string> columns_of(Attribute const& attribute) {
    auto const& link = attribute.link;
    std::vector<std::string> columns{link.parent_column, link.target_column};
    if (attribute.is_polymorphic())
        columns.insert(columns.end(), {link.target_type_column, "field"});
    for (auto const& column : {link.order_column, other_order(attribute)})
        if (!column.empty()) columns.push_back(column);
    return columns;
}

void append_position(Insertion::Row& row, ArchivedLink::End const& end) {
    if (end.has_position)
        row.next().number(end.position);
    else
        row.next() << "NULL";
}

} // namespace

parser::Result<void> ArchivedLinks::add(ArchivedLink const& link, Origin const& place) {
    auto const* owner = schema_.find(link.left.type);
    auto const* attribute = owner ? owner->find(link.left.field) : nullptr;
    // In Strapi 5 localizations are the rows of a document, whatever links say.
    if (link.right.id == 0) return {};
    if (!attribute || !attribute->owns_link || attribute->link.place == Link::Place::none) {
        tally_.add(link.left.type + ": " + link.left.field +
                   ": the project has no such relation, links left out");
        return {};
    }
    auto const* target =
        attribute->is_polymorphic() ? schema_.find(link.right.type) : attribute->target;
    bool const is_there = target && target->uid == link.right.type &&
                          rows_.has(*owner, link.left.id) && rows_.has(*target, link.right.id);
    if (!is_there) {
        tally_.add("links to or from rows that the archive does not have, left out");
        return {};
    }
    ++count_;
    if (attribute->link.place == Link::Place::table) return insert(*owner, *attribute, link, place);
    return update(*attribute, link);
}

parser::Result<void> ArchivedLinks::insert(ContentType const&, Attribute const& attribute,
                                           ArchivedLink const& link, Origin const& place) {
    auto& pairs = pairs_[&attribute];
    if (!pairs)
        pairs = std::make_unique<Pairs>(
            Insertion(connection_, mistakes_, attribute.link.table, columns_of(attribute)));
    bool const is_polymorphic = attribute.is_polymorphic();
    auto const ids = std::uint64_t{link.left.id} << 32 | link.right.id;
    // Pairs must be unique, but a file may be used twice.
    if (!is_polymorphic && !pairs->ids.insert(ids).second) {
        --count_;
        tally_.add("links that occur twice in the archive, stored once");
        return {};
    }
    auto row = pairs->insertion.row(place);
    if (!row) return row.error();
    row->next().integer(std::uint64_t{link.left.id});
    row->next().integer(std::uint64_t{link.right.id});
    if (is_polymorphic) {
        row->next().text(link.right.type);
        if (link.right.field.empty())
            row->next() << "NULL";
        else
            row->next().text(link.right.field);
        // Both sides share the column.
        append_position(*row, link.right.has_position ? link.right : link.left);
        return {};
    }
    if (!attribute.link.order_column.empty()) append_position(*row, link.left);
    if (!other_order(attribute).empty()) append_position(*row, link.right);
    return {};
}

// Writes a pair into the owner's own row.
parser::Result<void> ArchivedLinks::update(Attribute const& attribute, ArchivedLink const& link) {
    auto const& column = attribute.link;
    SqlText sql;
    (sql << "UPDATE ").name(column.table) << " SET ";
    (sql.name(column.target_column) << " = ").integer(std::uint64_t{link.right.id});
    if (attribute.is_polymorphic())
        ((sql << ", ").name(column.target_type_column) << " = ").text(link.right.type);
    (sql << " WHERE `id` = ").integer(std::uint64_t{link.left.id});
    return connection_.command(sql);
}

parser::Result<void> ArchivedLinks::finish() {
    for (auto& [attribute, pairs] : pairs_)
        if (auto done = pairs->insertion.flush(); !done) return done;
    return {};
}

} // namespace db
