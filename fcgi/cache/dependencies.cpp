#include "fcgi/cache/dependencies.hpp"

#include "db/binlog/row_tag.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fcgi {

namespace {

using db::RowTag;
using db::RowUse;
using Kind = RowTag::Kind;

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

class Collector {
  public:
    Collector(db::TableRelations const& relations, db::ChangeLog& log)
        : relations_(relations), log_(log) {}

    void add(db::TableName const& name, RowUse const& use) {
        bool const by_rows = !use.all && add_rows(name, use);
        if (!by_rows) found_.tables.push_back(table(name));
        // A row goes or changes with another that its foreign keys lead to if that is deleted, or
        // gets another id. Of a table whose keys lead elsewhere, nothing is known.
        static RowUse const gone{.deleted = true};
        auto const* relations = relations_.find(name);
        if (!relations) return;
        bool const is_known = !relations->columns.empty();
        for (auto const& ancestor : relations->ancestors) {
            if (by_rows && std::ranges::count(use.ends, ancestor, db::table_name) > 0) continue;
            if (!is_known || !add_rows(ancestor, gone)) found_.tables.push_back(table(ancestor));
        }
    }

    Dependencies result() {
        std::ranges::sort(found_.slots);
        found_.slots.erase(std::ranges::unique(found_.slots).begin(), found_.slots.end());
        return std::move(found_);
    }

  private:
    db::ChangeLog::Table const* table(db::TableName const& name) {
        return log_.table(name.name, name.database);
    }

    // Returns false if the log does not tell the rows apart.
    bool add_rows(db::TableName const& name, RowUse const& use) {
        auto const* relations = relations_.find(name);
        if (!relations) return false;
        auto const* const changed = table(name);
        auto& slots = found_.slots;
        auto const before = slots.size();
        auto const add = [&](Kind kind, std::uint16_t column = 0, db::TagValue const& value = {}) {
            slots.push_back(log_.slot({changed, kind, column, value}));
        };
        auto const fail = [&] {
            slots.resize(before);
            return false;
        };
        auto const place = [&](std::string_view column) {
            auto const found = relations->columns.find(column);
            return found == relations->columns.end() ? std::nullopt : std::optional(found->second);
        };
        auto const tell_apart = [&](std::size_t column) {
            return log_.tell_apart(changed, column, relations->columns.size());
        };
        auto const id = place("id");
        if (!id || !tell_apart(*id)) return fail();
        add(Kind::undecoded);
        if (use.inserted) add(Kind::inserted);
        if (use.deleted) add(Kind::deleted);
        if (use.inserted || use.deleted) add(Kind::column, *id); // with another id, it is both
        for (auto const& column : use.columns) {
            auto const at = place(column);
            if (!at) return fail();
            add(Kind::column, *at);
        }
        for (auto const& [column, values] : use.values) {
            auto const at = place(column);
            if (!at || !tell_apart(*at)) return fail();
            add(Kind::other_value, *at);
            for (auto const value : values.ids)
                add(Kind::value, *at, db::tag_value(value));
            for (auto const& text : values.texts) {
                auto const value = db::tag_value(text);
                if (!value) return fail();
                add(Kind::value, *at, *value);
            }
        }
        return true;
    }

    db::TableRelations const& relations_;
    db::ChangeLog& log_;
    Dependencies found_;
};

} // namespace

Dependencies dependencies_of(db::RowUses uses, db::TableRelations const& relations,
                             db::ChangeLog& log) {
    bound(uses);
    Collector collector(relations, log);
    for (auto const& [name, use] : uses)
        collector.add(db::table_name(name), use);
    return collector.result();
}

} // namespace fcgi
