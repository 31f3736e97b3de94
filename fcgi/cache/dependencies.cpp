#include "fcgi/cache/dependencies.hpp"

#include "db/binlog/row_tag.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace fcgi {

namespace {

using db::RowTag;
using db::RowUse;
using Aspect = RowTag::Aspect;
using Table = db::ChangeLog::Table const*;

// A response that depends on more depends on whole tables: it is outdated nearly as soon.
constexpr std::size_t most_tags = 200;

std::size_t tags_of(RowUse const& use) {
    if (use.all) return 0;
    std::size_t count = use.columns.size();
    for (auto const& [column, values] : use.values)
        count += values.ids.size() + values.texts.size();
    return count;
}

void bound(db::RowUses& uses) {
    auto const tags = [](auto const& use) { return tags_of(use.second); };
    for (;;) {
        std::size_t sum = 0;
        for (auto const& use : uses)
            sum += tags(use);
        if (sum <= most_tags) return;
        std::ranges::max_element(uses, {}, tags)->second.all = true;
    }
}

// Names whole tables in place of rows, those with the most rows first, until the rest fits. Names
// nothing if not even all tables do: under the name of everything alone, a cache would keep the
// response whatever row changes.
std::string names_of(std::set<Table> whole, std::vector<RowTag> const& tags, Naming& naming) {
    constexpr std::size_t most_bytes = 4'096;
    std::map<Table, std::set<std::string>> rows;
    for (RowTag const& tag : tags)
        if (!whole.contains(tag.table)) rows[tag.table].insert(naming.names.of(tag));
    auto const size = [](auto const& named) { return named.second.size(); };
    auto const everything = naming.names.of_all();
    auto const fits = [&] {
        auto count = 1 + whole.size();
        for (auto const& named : rows)
            count += size(named);
        return count * (everything.size() + 1) <= most_bytes;
    };
    while (!fits() && !rows.empty()) {
        auto const largest = std::ranges::max_element(rows, {}, size);
        whole.insert(largest->first);
        rows.erase(largest);
    }
    if (!fits()) return {};
    auto text = everything;
    for (Table const table : whole)
        text.append(1, naming.separator).append(naming.names.of(*table));
    for (auto const& [table, names] : rows)
        for (std::string const& name : names)
            text.append(1, naming.separator).append(name);
    return text;
}

class DependencyFinder {
  public:
    DependencyFinder(db::TableRelations const& relations, db::ChangeLog& log, Naming* naming)
        : relations_(relations), log_(log), naming_(naming) {}

    void add(db::TableName const& name, RowUse const& use) {
        bool const by_rows = !use.all && add_rows(name, use);
        if (!by_rows) found_.tables.push_back(table(name));
        // A row goes or changes with another that its foreign keys lead to if that is deleted, or
        // gets another id. Of a table whose keys lead elsewhere, nothing is known.
        auto const* relations = relations_.find(name);
        if (!relations) return;
        bool const is_known = !relations->columns.empty();
        for (auto const& ancestor : relations->ancestors) {
            if (by_rows && std::ranges::count(use.ends, ancestor, db::table_name) > 0) continue;
            if (!is_known || !add_deletions(ancestor)) found_.tables.push_back(table(ancestor));
        }
    }

    RowDependencies result() {
        std::ranges::sort(found_.slots);
        found_.slots.erase(std::ranges::unique(found_.slots).begin(), found_.slots.end());
        if (naming_)
            found_.names = names_of({found_.tables.begin(), found_.tables.end()}, tags_, *naming_);
        return std::move(found_);
    }

  private:
    Table table(db::TableName const& name) { return log_.table(name.name, name.database); }

    // Returns whether caches in front tell rows apart by the column, if there may be any.
    bool is_named_by(db::TableName const& table, std::string_view column) const {
        if (!naming_) return true;
        auto const found = naming_->keys.find(table);
        return found != naming_->keys.end() && found->second.contains(column);
    }

    // Adds all deletions, once: many tables lead to the same few, such as the users of the CMS.
    // Returns false if the log does not tell the rows apart.
    bool add_deletions(db::TableName const& name) {
        static RowUse const any{.deleted = true};
        auto const* const relations = relations_.find(name);
        if (std::ranges::count(deletions_, relations) > 0) return true;
        if (!add_rows(name, any)) return false;
        deletions_.push_back(relations);
        return true;
    }

    // Returns false if the log does not tell the rows apart.
    bool add_rows(db::TableName const& name, RowUse const& use) {
        auto const* relations = relations_.find(name);
        if (!relations) return false;
        auto const* const changed = table(name);
        auto const slots = found_.slots.size();
        auto const tags = tags_.size();
        auto const add = [&](Aspect aspect, std::uint16_t column = 0,
                             db::TagValue const& value = {}) {
            RowTag const tag{changed, aspect, column, value};
            found_.slots.push_back(log_.slot(tag));
            if (naming_) tags_.push_back(tag);
        };
        auto const fail = [&] {
            found_.slots.resize(slots);
            tags_.resize(tags);
            return false;
        };
        auto const place = [&](std::string_view column) {
            auto const found = relations->columns.find(column);
            return found == relations->columns.end() ? std::nullopt : std::optional(found->second);
        };
        auto const tell_apart = [&](std::string_view column) {
            auto const at = place(column);
            bool const is_apart = at && is_named_by(name, column) &&
                                  log_.tell_apart(changed, *at, relations->columns.size());
            return is_apart ? at : std::nullopt;
        };
        auto const id = tell_apart("id");
        if (!id) return fail();
        add(Aspect::undecoded);
        if (use.inserted) add(Aspect::inserted);
        if (use.deleted) add(Aspect::deleted);
        if (use.inserted || use.deleted) add(Aspect::column, *id); // with another id, it is both
        for (auto const& column : use.columns) {
            auto const at = place(column);
            if (!at) return fail();
            add(Aspect::column, *at);
        }
        for (auto const& [column, values] : use.values) {
            auto const at = tell_apart(column);
            if (!at) return fail();
            add(Aspect::other_value, *at);
            for (auto const value : values.ids)
                add(Aspect::value, *at, db::tag_value(value));
            for (auto const& text : values.texts) {
                auto const value = db::tag_value(text);
                if (!value) return fail();
                add(Aspect::value, *at, *value);
            }
        }
        return true;
    }

    db::TableRelations const& relations_;
    db::ChangeLog& log_;
    Naming* naming_; // null: nothing is named
    RowDependencies found_;
    std::vector<RowTag> tags_; // of the slots, if they are named
    // The tables of which all deletions are added.
    std::vector<db::TableRelations::TableFacts const*> deletions_;
};

} // namespace

RowDependencies dependencies_of(db::RowUses uses, db::TableRelations const& relations,
                                db::ChangeLog& log, Naming* naming) {
    bound(uses);
    DependencyFinder finder(relations, log, naming);
    for (auto const& [name, use] : uses)
        finder.add(db::table_name(name), use);
    return finder.result();
}

} // namespace fcgi
