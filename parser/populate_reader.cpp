#include "parser/base/javascript.hpp"
#include "parser/query_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parser {

namespace {

std::optional<bool> flag(Tree const& tree) {
    return tree.text() ? read_flag(*tree.text()) : std::nullopt;
}

Populate& find_or_add(PopulateSet& set, std::string_view name) {
    if (Populate* found = set.find(name)) return *found;
    return set.members.emplace_back(Populate{.name = std::string(name)});
}

// Finds `deep` as the plugin does: in one text, or in a list of texts, where repeated names count
// once.
void read_deep(std::vector<std::string_view> const& names, PopulateSet& set) {
    set.deep = !names.empty() && names[0] == "deep";
    if (!set.deep) return;
    auto const depth =
        std::ranges::find_if(names, [](std::string_view name) { return name != "deep"; });
    if (depth == names.end()) return;
    set.depth = javascript_number(*depth).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::vector<std::string_view> names_of(Tree const& tree) {
    std::vector<std::string_view> names;
    auto const add = [&](Tree const& element) {
        if (!element.text()) return;
        for (std::string_view const name : split(*element.text(), ','))
            names.push_back(trimmed(name));
    };
    add(tree);
    if (List const* list = tree.list()) std::ranges::for_each(*list, add);
    return names;
}

using Options = Checked<PopulateOptions>;

// Notes an error unless there is one already, so that the first is reported.
void note_first(Options& options, Error error) {
    if (!options.error()) options.note(std::move(error));
}

std::optional<std::uint64_t> read_count(Tree const& tree, QueryPlace const& place,
                                        Options& options) {
    auto const number = tree.text() ? javascript_number(*tree.text()) : std::nullopt;
    if (number && *number >= 0 && std::floor(*number) == *number && *number < 0x1p53)
        return static_cast<std::uint64_t>(*number);
    note_first(options, unexpected(tree, "a whole number", place));
    return std::nullopt;
}

// Strapi 4.26 checks `page` and `pageSize` inside populate and then makes no use of them.
void check_page_options(Object const& written, QueryPlace const& place, Options& options) {
    Tree const* page = written.find("page");
    Tree const* page_size = written.find("pageSize");
    if (!page && !page_size) return;
    if (written.find("start") || written.find("limit"))
        return note_first(options, both_page_forms());
    for (auto const& [name, tree] : {std::pair{"page", page}, std::pair{"pageSize", page_size}}) {
        if (!tree) continue;
        auto const number = tree->text() ? javascript_number(*tree->text()) : std::nullopt;
        if (!number || !counts_pages(*number)) // Strapi 4.26 reports the page for either.
            note_first(options,
                       no_page_number(name, page && page->text() ? *page->text() : "undefined"));
        options.edit().ignored.push_back(QueryPlace{&place, name}.text());
    }
}

void read_window(Object const& written, QueryPlace const& place, Options& options) {
    PopulateOptions& window = options.edit();
    if (Tree const* start = written.find("start"))
        window.start = read_count(*start, QueryPlace{&place, "start"}, options);
    if (Tree const* limit = written.find("limit");
        limit && !(limit->text() && *limit->text() == "-1"))
        window.limit = read_count(*limit, QueryPlace{&place, "limit"}, options);
    if (window.limit == 0u) window.limit.reset();
    check_page_options(written, place, options);
}

Populate read_one(std::string const& name, Tree const& tree, QueryRules const& rules,
                  QueryPlace const& place);

void read_options(Object const& written, QueryRules const& rules, QueryPlace const& place,
                  Options& options) {
    PopulateOptions& populate = options.edit();
    Selection& selection = populate.selection;
    for (auto const& [key, value] : written.members()) {
        QueryPlace const here{&place, key};
        if (key == "fields") {
            selection.fields = read_fields(value, rules, here);
        } else if (key == "filters") {
            if (!is_blank(value)) selection.filters = read_filter(value, here);
        } else if (key == "sort") {
            read_sort(value, rules, here, selection);
        } else if (key == "populate") {
            selection.populate = read_populate(value, rules, here);
        } else if (key == "on" && value.is_null() && rules.blank_says_nothing) {
            continue;
        } else if (key == "on") {
            auto& fragments = populate.on.emplace();
            if (Object const* object = value.object())
                for (auto const& [uid, fragment] : object->members())
                    fragments.push_back(read_one(uid, fragment, rules, QueryPlace{&here, uid}));
        } else if (key == "count") {
            auto const on = is_blank(value) ? false : flag(value);
            if (!on) options.note(unexpected(value, "true or false", here));
            populate.count = on.value_or(false);
        } else if (key == "ordering") {
            populate.reverse = value.text() && *value.text() == "desc";
        } else if (key == "publicationState") {
            auto const state = read_publication_state(value, here);
            if (state)
                populate.publication_state = *state;
            else
                options.note(state.error());
        } else if (key != "start" && key != "limit" && key != "page" && key != "pageSize") {
            populate.ignored.push_back(here.text());
        }
    }
    read_window(written, place, options);
}

Populate read_one(std::string const& name, Tree const& tree, QueryRules const& rules,
                  QueryPlace const& place) {
    Populate populate{.name = name};
    if (Object const* written = tree.object())
        read_options(*written, rules, place, populate.options);
    else if (!tree.text())
        populate.options.note(unexpected(tree, "true, false, * or options", place));
    else if (*tree.text() != "true")
        populate.options.edit().is_word = true;
    return populate;
}

bool is_index(std::string_view key) {
    if (key.starts_with('0')) return key == "0";
    return !key.empty() && std::ranges::all_of(key, [](char c) { return c >= '0' && c <= '9'; });
}

void read_object(Object const& object, QueryRules const& rules, QueryPlace const& place,
                 Checked<PopulateSet>& set);

// A list may hold names and, where a client mixes the forms, objects: their union is meant.
// (qs 6.15 turns `populate[a]=…&populate=b` into such a list.)
void read_element(Tree const& tree, QueryRules const& rules, QueryPlace const& place,
                  Checked<PopulateSet>& set) {
    if (tree.text() && *tree.text() != "*")
        set.edit().paths.push_back(*tree.text());
    else if (tree.object())
        read_object(*tree.object(), rules, place, set);
    else if (!tree.is_null() || !set.error())
        set.note(unexpected(tree, "a name", place));
}

void read_object(Object const& object, QueryRules const& rules, QueryPlace const& place,
                 Checked<PopulateSet>& set) {
    for (auto const& [name, value] : object.members()) {
        QueryPlace const here{&place, name};
        if (is_index(name)) {
            if (rules.unites_populates) read_element(value, rules, here, set);
            continue;
        }
        bool const switched_off = value.text() && (value.text()->empty() || flag(value) == false);
        if (switched_off) continue;
        Populate populate = read_one(name, value, rules, here);
        if (Populate* known = set.edit().find(name))
            *known = std::move(populate);
        else
            set.edit().members.push_back(std::move(populate));
    }
}

} // namespace

void add_path(std::string_view path, PopulateSet& set) {
    PopulateSet* level = &set;
    std::size_t depth = 0;
    for (std::string_view const name : split(path, '.')) {
        if (name.empty() || ++depth > deepest_path) break;
        level = &find_or_add(*level, name).options.edit().selection.populate.edit();
    }
}

Checked<PopulateSet> read_populate(Tree const& tree, QueryRules const& rules,
                                   QueryPlace const& place) {
    Checked<PopulateSet> set;
    read_deep(names_of(tree), set.edit());
    if (std::string const* text = tree.text()) {
        set.edit().everything = trimmed(*text) == "*";
        if (!set.unchecked().everything) set.edit().paths.push_back(*text);
    } else if (Object const* object = tree.object()) {
        read_object(*object, rules, place, set);
    } else if (List const* list = tree.list()) {
        for (Tree const& element : *list)
            read_element(element, rules, place, set);
    }
    return set;
}

} // namespace parser
