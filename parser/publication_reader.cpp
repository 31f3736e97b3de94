// Reads `publicationState` of Strapi 4, and `status`, `publicationFilter` and `hasPublishedVersion`
// of Strapi 5.

#include "parser/query_reader.hpp"

#include <algorithm>

namespace parser {

namespace {

using OptionalFilter = std::optional<PublicationFilter>;

struct FilterName {
    std::string_view name;
    PublicationFilter filter;
};

constexpr FilterName filter_names[] = {
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
    for (FilterName const& known : filter_names)
        names.append(names.empty() ? "" : ", ").append(known.name);
    return names;
}

} // namespace

Result<PublicationState> read_publication_state(Tree const& tree, Place const& place) {
    if (tree.is_null()) return PublicationState::preview;
    if (tree.text() && *tree.text() == "live") return PublicationState::live;
    if (tree.text() && *tree.text() == "preview") return PublicationState::preview;
    return unexpected(tree, "live or preview", place);
}

Result<PublicationState> read_status(Tree const& tree, Place const& place) {
    if (tree.text() && *tree.text() == "published") return PublicationState::live;
    if (tree.text() && *tree.text() == "draft") return PublicationState::draft;
    return unexpected(tree, "draft or published", place);
}

Result<OptionalFilter> read_publication_filter(Tree const& tree) {
    if (tree.is_null()) return OptionalFilter();
    std::string_view const text = tree.text() ? std::string_view(*tree.text()) : "";
    auto const* known = std::ranges::find(filter_names, text, &FilterName::name);
    if (known != std::end(filter_names)) return OptionalFilter(known->filter);
    return invalid_in("publicationFilter",
                      "Invalid value for 'publicationFilter'. Expected one of: " + all_names() +
                          ".");
}

Result<OptionalFilter> read_has_published_version(Tree const& tree) {
    if (tree.is_null()) return OptionalFilter();
    std::string_view const text = tree.text() ? std::string_view(*tree.text()) : "";
    if (text == "true") return OptionalFilter(PublicationFilter::has_published_version_document);
    if (text == "false") return OptionalFilter(PublicationFilter::never_published_document);
    return Error{ErrorKind::invalid, "Invalid value for 'hasPublishedVersion'. Expected boolean or "
                                     "'true'/'false' string."};
}

} // namespace parser
