#include "db/plan/publication.hpp"

#include "db/plan/bind_comparison.hpp"

#include <algorithm>

namespace db {

using parser::PublicationFilter;
using parser::PublicationState;

namespace {

// What a filter requires of a row: nothing satisfies it (no_row), or there is a row of the other
// state (other), or there is none (no_other).
enum class Asks : std::uint8_t { no_row, other, no_other };

// Strapi 5.54, buildPublicationFilterWhere(). `draft` and `published` say what is required of rows
// of that state; `updated` says how the draft's time compares to that of what is published.
struct FilterRow {
    PublicationFilter filter;
    Asks draft;
    Asks published;
    bool of_any_locale = false;
    std::optional<Comparator> updated = {};
};

constexpr FilterRow filter_rows[] = {
    {PublicationFilter::never_published, Asks::no_other, Asks::no_row},
    {PublicationFilter::has_published_version, Asks::other, Asks::other},
    {PublicationFilter::modified, Asks::other, Asks::other, false, Comparator::gt},
    {PublicationFilter::unmodified, Asks::other, Asks::other, false, Comparator::lte},
    {PublicationFilter::never_published_document, Asks::no_other, Asks::no_row, true},
    {PublicationFilter::has_published_version_document, Asks::other, Asks::other, true},
    {PublicationFilter::published_without_draft, Asks::no_row, Asks::no_other},
    {PublicationFilter::published_with_draft, Asks::no_row, Asks::other},
};

Condition in_state(PublicationState state) {
    if (state == PublicationState::preview) return {};
    bool const is_draft = state == PublicationState::draft;
    return compare("published_at", is_draft ? Comparator::is_null : Comparator::is_not_null, {});
}

// Returns the comparison with both sides exchanged.
Comparator turned(Comparator comparator) {
    return comparator == Comparator::gt ? Comparator::lt : Comparator::gte;
}

Condition filtered(FilterRow const& row, PublicationState state, ContentType const& type) {
    bool const is_draft = state == PublicationState::draft;
    Asks const asks = is_draft ? row.draft : row.published;
    if (asks == Asks::no_row) return {.kind = Condition::Kind::any_of};
    Condition other{
        .kind = Condition::Kind::version, .target = &type, .of_any_locale = row.of_any_locale};
    other.members.push_back(in_state(is_draft ? PublicationState::live : PublicationState::draft));
    if (row.updated) {
        other.column = "updated_at";
        other.comparator = is_draft ? *row.updated : turned(*row.updated);
    }
    if (asks == Asks::other) return other;
    Condition none{.kind = Condition::Kind::none_of};
    none.members.push_back(std::move(other));
    return none;
}

} // namespace

Condition published_as(parser::Publication const& publication, ContentType const& type) {
    auto const& [state, filter] = publication;
    if (!type.draft_and_publish) return {};
    Condition condition = in_state(state);
    if (!filter) return condition;
    auto const* row = std::ranges::find(filter_rows, *filter, &FilterRow::filter);
    Condition all;
    require(all, std::move(condition));
    require(all, filtered(*row, state, type));
    return all;
}

} // namespace db
