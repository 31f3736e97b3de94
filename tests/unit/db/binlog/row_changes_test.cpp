#include "packets.hpp"

#include "db/binlog/row_changes.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <tuple>
#include <utility>

BOOST_AUTO_TEST_SUITE(row_changes)

namespace {

using db::RowTag;
using packets::number;
using namespace std::string_literals;
using Aspect = RowTag::Aspect;

// INT id, VARCHAR(255) name, INT weight.
std::string const columns = "\x03\x03\x0f\x03\x02\xfc\x03\x00"s;
constexpr unsigned insert = 23, update = 24, erase = 25;

// What an image has of a row: all of it, or with MINIMAL some columns.
struct Image {
    std::optional<unsigned> id = {};
    std::optional<std::string> name = {};
    std::optional<unsigned> weight = {};
    bool name_is_null = false;

    std::string present() const {
        return number((id ? 1U : 0U) | (name ? 2U : 0U) | (weight ? 4U : 0U), 1);
    }
    std::string row() const {
        std::string bytes = number(name_is_null ? (id ? 2U : 1U) : 0U, 1);
        if (id) bytes += number(*id, 4);
        if (name && !name_is_null) bytes += number(name->size(), 2) + *name;
        if (weight) bytes += number(*weight, 4);
        return bytes;
    }
};

std::string event(unsigned kind, Image const& image) {
    return packets::event({.kind = kind, .end = 200}, number(99, 6) + number(1, 2) + number(3, 1) +
                                                          image.present() + image.row());
}

std::string event(Image const& before, Image const& after) {
    return packets::event({.kind = update, .end = 200},
                          number(99, 6) + number(1, 2) + number(3, 1) + before.present() +
                              after.present() + before.row() + after.row());
}

// The tags of these that an event raises; `unreadable` if it cannot be read. Rows are told apart by
// id and name.
std::string raised_by(std::string const& packet, std::size_t columns_known = 3) {
    db::LastChanges changes;
    auto const* const goods = changes.table("shop", "goods");
    changes.begin(1, 100, 100);
    changes.tell_apart(goods, 0, columns_known);
    changes.tell_apart(goods, 1, columns_known);
    auto const read = db::raise_tags_of_rows(*db::read_event(packet), *db::RowFormat::read(columns),
                                             *goods, changes, 200);
    std::pair<char const*, RowTag> const tags[] = {
        {"inserted", {goods, Aspect::inserted}},
        {"deleted", {goods, Aspect::deleted}},
        {"id", {goods, Aspect::column, 0}},
        {"name", {goods, Aspect::column, 1}},
        {"weight", {goods, Aspect::column, 2}},
        {"id=1", {goods, Aspect::value, 0, db::tag_value(1)}},
        {"id=2", {goods, Aspect::value, 0, db::tag_value(2)}},
        {"id=other", {goods, Aspect::other_value, 0}},
        {"name=a", {goods, Aspect::value, 1, *db::tag_value("a")}},
        {"name=b", {goods, Aspect::value, 1, *db::tag_value("b")}},
        {"name=other", {goods, Aspect::other_value, 1}},
    };
    std::string text = read ? "" : "unreadable ";
    for (auto const& [name, tag] : tags)
        if (auto const slot = changes.slot(tag); !changes.holds({1, 199}, {}, std::span(&slot, 1)))
            text.append(name).append(" ");
    return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(an_event_raises_the_tags_of_its_rows_before_and_after) {
    Image const one{1, "a", 5};
    std::tuple<char const*, std::string, char const*> const table[] = {
        {"a row comes", event(insert, one), "inserted id=1 name=a "},
        {"its name is no text of a tag", event(insert, {1, "a b", 5}), "inserted id=1 name=other "},
        {"nobody looks for NULL", event(insert, {1, "", 5, true}), "inserted id=1 "},
        {"a row goes", event(erase, one), "deleted id=1 name=a "},
        {"a column changes", event(one, {1, "a", 6}), "weight id=1 name=a "},
        {"a name changes", event(one, {1, "b", 5}), "name id=1 name=a name=b "},
        {"a name goes", event(one, {1, "", 5, true}), "name id=1 name=a "},
        {"an id changes", event(one, {2, "a", 5}), "id id=1 id=2 name=a "},
        {"nothing changes", event(one, one), "id=1 name=a "},
    };
    for (auto const& [what, packet, tags] : table)
        BOOST_TEST(raised_by(packet) == tags, what);
}

// binlog_row_image=MINIMAL.
BOOST_AUTO_TEST_CASE(a_value_that_the_images_lack_may_be_any) {
    std::tuple<char const*, std::string, char const*> const table[] = {
        {"a row comes", event(insert, {.id = 1, .name = "a"}), "inserted id=1 name=a "},
        {"a row comes without a name", event(insert, {.id = 1}), "inserted id=1 name=other "},
        {"a row goes", event(erase, {.id = 1}), "deleted id=1 name=other "},
        {"a name changes", event({.id = 1}, {.name = "b"}), "name id=1 name=b name=other "},
        {"a weight changes", event({.id = 1}, {.weight = 6}), "weight id=1 name=other "},
        {"an id changes", event({.id = 1}, {.id = 2}), "id id=1 id=2 name=other "},
    };
    for (auto const& [what, packet, tags] : table)
        BOOST_TEST(raised_by(packet) == tags, what);
}

BOOST_AUTO_TEST_CASE(rows_of_another_number_of_columns_are_not_understood) {
    BOOST_TEST(raised_by(event(insert, {1, "a", 5}), 4) == "unreadable ");
}

BOOST_AUTO_TEST_SUITE_END()
