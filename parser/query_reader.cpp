#include "parser/query_reader.hpp"

#include "parser/base/javascript.hpp"

#include <algorithm>
#include <limits>

namespace parser {

namespace {

// Strapi 4.26 checks whether the query has this path. A parameter of that name satisfies the check,
// whatever its value, and if no value is found at the path, nothing is counted.
constexpr std::string_view with_count_path = "pagination.withCount";

// Null counts as 0, as an empty text does in JavaScript.
std::optional<double> read_number(Tree const& tree, QueryRules const& rules,
                                  QueryPlace const& place, Checked<Pagination>& pagination) {
    auto const text = script_text(tree);
    auto const number = text ? javascript_number(*text) : std::nullopt;
    if (rules.numbers_may_be_nan) {
        if (tree.is_null()) return std::nullopt;
        return number.value_or(std::numeric_limits<double>::quiet_NaN());
    }
    if (!number && !pagination.error()) pagination.note(unexpected(tree, "a whole number", place));
    return number.value_or(0);
}

// Returns the member of Pagination that a key stands for; null if there is none.
std::optional<double>* find_number(Pagination& pagination, std::string_view key) {
    if (key == "page") return &pagination.page;
    if (key == "pageSize") return &pagination.page_size;
    if (key == "start") return &pagination.start;
    if (key == "limit") return &pagination.limit;
    return nullptr;
}

bool is_page_number(std::string_view key) {
    return key == "page" || key == "pageSize";
}

// Reads `page` or `pageSize` outside of `pagination`, where it is refused unless it counts pages.
void read_root_page(std::string_view key, Tree const& tree, Query& query) {
    std::string& text = key == "page" ? query.page_text : query.page_size_text;
    text = script_text(tree).value_or("[object Object]");
    *find_number(query.root_pagination.edit(), key) =
        javascript_number(text).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<bool> read_with_count(Tree const& tree, Checked<Pagination>& pagination) {
    auto const counted = tree.text() ? read_flag(*tree.text()) : std::nullopt;
    if (!counted && !pagination.error())
        pagination.note(
            {ErrorKind::invalid,
             "Invalid withCount parameter. Expected \"t\",\"1\",\"true\",\"false\",\"0\","
             "\"f\""});
    return counted;
}

Checked<Pagination> read_pagination(Object const& object, QueryRules const& rules,
                                    QueryPlace const& place, Query& query) {
    Checked<Pagination> pagination;
    for (auto const& [key, value] : object.members()) {
        QueryPlace const here{&place, key};
        if (key == "start" || key == "limit") pagination.edit().names_offset = true;
        if (is_page_number(key)) pagination.edit().names_page = true;
        if (auto* number = find_number(pagination.edit(), key))
            *number = read_number(value, rules, here, pagination);
        else if (key == "withCount")
            pagination.edit().with_count = read_with_count(value, pagination);
        else
            query.ignored.push_back(here.text());
    }
    return pagination;
}

void read_locale(Tree const& tree, QueryRules const& rules, QueryPlace const& place, Query& query) {
    query.all_locales = tree.text() && *tree.text() == rules.all_locales;
    if (query.all_locales) return;
    if (is_blank(tree) && rules.empty_locale_is_default) return;
    if (Object const* object = tree.object(); object && !list_elements(tree)) {
        query.locale = read_filter(tree, place);
        return;
    }
    Filter comparison{.kind = FilterKind::comparison, .key = "locale"};
    if (auto const elements = list_elements(tree)) {
        comparison.op = Operator::in;
        comparison.is_list = true;
        for (Tree const* element : *elements) {
            auto const code = script_text(*element);
            if (!code) comparison.values.note(unexpected(*element, "locale codes", place));
            comparison.values.edit().push_back(element->is_null() ? std::nullopt : code);
        }
    } else {
        comparison.values.edit().push_back(tree.text() ? Value(*tree.text()) : std::nullopt);
    }
    query.locale = std::move(comparison);
}

using OptionalFilter = std::optional<PublicationFilter>;

constexpr std::pair<std::string_view, PublicationFilter> filter_names[] = {
    {"never-published", PublicationFilter::never_published},
    {"has-published-version", PublicationFilter::has_published_version},
    {"modified", PublicationFilter::modified},
    {"unmodified", PublicationFilter::unmodified},
    {"never-published-document", PublicationFilter::never_published_document},
    {"has-published-version-document", PublicationFilter::has_published_version_document},
    {"published-without-draft", PublicationFilter::published_without_draft},
    {"published-with-draft", PublicationFilter::published_with_draft},
};

std::string all_names() {
    std::string names;
    for (auto const& [name, filter] : filter_names)
        names.append(names.empty() ? "" : ", ").append(name);
    return names;
}

// Any other value is an error, but Strapi 5.54 takes it for `draft`.
Result<PublicationState> read_status(Tree const& tree, QueryPlace const& place) {
    if (tree.text() && *tree.text() == "published") return PublicationState::live;
    if (tree.text() && *tree.text() == "draft") return PublicationState::draft;
    return unexpected(tree, "draft or published", place);
}

Result<OptionalFilter> read_publication_filter(Tree const& tree) {
    if (tree.is_null()) return OptionalFilter();
    std::string_view const text = tree.text() ? std::string_view(*tree.text()) : "";
    for (auto const& [name, filter] : filter_names)
        if (name == text) return OptionalFilter(filter);
    return invalid_in("publicationFilter",
                      "Invalid value for 'publicationFilter'. Expected one of: " + all_names() +
                          ".");
}

// Accepts `true` or `false` of the older parameter.
Result<OptionalFilter> read_has_published_version(Tree const& tree) {
    if (tree.is_null()) return OptionalFilter();
    std::string_view const text = tree.text() ? std::string_view(*tree.text()) : "";
    if (text == "true") return OptionalFilter(PublicationFilter::has_published_version_document);
    if (text == "false") return OptionalFilter(PublicationFilter::never_published_document);
    return Error{ErrorKind::invalid, "Invalid value for 'hasPublishedVersion'. Expected boolean or "
                                     "'true'/'false' string."};
}

// Stores what was read, or notes why it cannot be read.
template<class Read, class Part>
void take(Result<Read> const& read, Checked<Part>& part) {
    if (read)
        part.edit() = *read;
    else
        part.note(read.error());
}

bool is_publication(std::string_view key, QueryRules const& rules) {
    if (key == "status") return rules.has_status;
    return rules.has_publication_filter &&
           (key == "publicationFilter" || key == "hasPublishedVersion");
}

void read_publication(std::string_view key, Tree const& tree, QueryPlace const& place,
                      Query& query) {
    if (key == "status")
        take(read_status(tree, place), query.publication_state);
    else if (key == "publicationFilter")
        take(read_publication_filter(tree), query.publication_filter);
    else if (auto const older = read_has_published_version(tree);
             !older || !query.publication_filter.unchecked())
        take(older, query.publication_filter);
}

void read_parameter(std::string_view key, Tree const& tree, QueryRules const& rules, Query& query) {
    QueryPlace const place{nullptr, key};
    if (key == "fields") {
        query.selection.fields = read_fields(tree, rules, place);
    } else if (key == "populate") {
        query.selection.populate = read_populate(tree, rules, place);
    } else if (key == "filters") {
        query.selection.filters = read_filter(tree, place);
    } else if (key == "sort") {
        read_sort(tree, rules, place, query.selection);
    } else if (key == "pagination") {
        if (tree.object())
            query.pagination = read_pagination(*tree.object(), rules, place, query);
        else
            query.ignored.emplace_back(key);
    } else if (key == "locale") {
        read_locale(tree, rules, place, query);
    } else if (key == "publicationState" && !rules.has_status) {
        take(read_publication_state(tree, place), query.publication_state);
    } else if (is_publication(key, rules)) {
        read_publication(key, tree, place, query);
    } else if (key == "_q") {
        if (tree.text())
            query.search.edit() = *tree.text();
        else if (!tree.is_null())
            query.search.note(unexpected(tree, "a text", place));
    } else if (is_page_number(key)) {
        if (!tree.is_null()) read_root_page(key, tree, query);
    } else if (auto* number = find_number(query.root_pagination.edit(), key)) {
        if (!tree.is_null()) *number = read_number(tree, rules, place, query.root_pagination);
    } else if (key != with_count_path) {
        query.ignored.emplace_back(key);
    }
}

} // namespace

bool is_blank(Tree const& tree) {
    return tree.is_null() || (tree.text() && tree.text()->empty());
}

std::optional<bool> read_flag(std::string_view text) {
    if (text == "true" || text == "t" || text == "1") return true;
    if (text == "false" || text == "f" || text == "0") return false;
    return std::nullopt;
}

Result<PublicationState> read_publication_state(Tree const& tree, QueryPlace const& place) {
    if (tree.is_null()) return PublicationState::preview;
    if (tree.text() && *tree.text() == "live") return PublicationState::live;
    if (tree.text() && *tree.text() == "preview") return PublicationState::preview;
    return unexpected(tree, "live or preview", place);
}

Error unexpected(Tree const& tree, std::string_view expected, QueryPlace const& place) {
    if (tree.text()) return invalid_value(place.text(), expected, *tree.text());
    return invalid_value(place.text(), expected);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t from = 0;;) {
        std::size_t const to = text.find(separator, from);
        parts.push_back(text.substr(from, to - from));
        if (to == std::string_view::npos) return parts;
        from = to + 1;
    }
}

std::optional<std::vector<Tree const*>> list_elements(Tree const& tree) {
    std::vector<Tree const*> elements;
    if (List const* list = tree.list()) {
        for (Tree const& element : *list)
            elements.push_back(&element);
        return elements;
    }
    Object const* object = tree.object();
    if (!object || object->last_index < 0) return std::nullopt;
    for (auto const& member : object->members())
        elements.push_back(&member.second);
    return elements;
}

std::optional<std::string> script_text(Tree const& tree) {
    if (tree.is_null()) return "";
    if (tree.text()) return *tree.text();
    auto const elements = list_elements(tree);
    if (!elements) return std::nullopt;
    std::string list;
    for (Tree const* element : *elements) {
        auto const text = script_text(*element);
        if (!text) return std::nullopt;
        if (element != elements->front()) list += ',';
        list += *text;
    }
    return list;
}

Query read_query(QueryTree const& tree, QueryRules const& rules) {
    Query query;
    query.cut = tree.cut;
    for (auto const& [key, value] : tree.root.members())
        read_parameter(key, value, rules, query);
    auto& with_count = query.pagination.edit().with_count;
    if (tree.root.find(with_count_path) && !with_count) with_count = false;
    return query;
}

} // namespace parser
