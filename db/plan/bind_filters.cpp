#include "db/plan/bind_passes.hpp"

#include "db/plan/cast.hpp"

#include <algorithm>
#include <utility>

namespace db {

using parser::Filter;
using parser::FilterKind;
using parser::PublicationFilter;
using parser::PublicationState;
using parser::QueryPlace;

namespace {

// Negates a condition as Strapi 4.26 does. Its joins make one row of an entry and a related row, so
// `$not` around a relation asks for a related row that does not satisfy the condition, rather than
// for none that does. A condition that restricts nothing restricts nothing when negated either.
Condition negate(Condition condition) {
    if (condition.always_true()) return condition;
    switch (condition.kind) {
    case ConditionKind::version:
    case ConditionKind::comparison: {
        Condition negation{.kind = ConditionKind::none_of};
        negation.members.push_back(std::move(condition));
        return negation;
    }
    case ConditionKind::none_of:
        return std::move(condition.members[0]);
    case ConditionKind::all_of:
        condition.kind = ConditionKind::any_of;
        break;
    case ConditionKind::any_of:
        condition.kind = ConditionKind::all_of;
        break;
    case ConditionKind::related: {
        Condition all{.members = std::move(condition.members)};
        condition.members = {negate(std::move(all))};
        return condition;
    }
    }
    for (Condition& member : condition.members)
        member = negate(std::move(member));
    return condition;
}

bool is_comparison(Filter const& filter) {
    return filter.kind == FilterKind::comparison;
}

// Whether the filter is a `$not` without a value.
bool is_null(Filter const& filter) {
    auto const& members = filter.members.unchecked();
    return members.size() == 1 && is_comparison(members[0]) &&
           members[0].op == parser::Operator::eq &&
           members[0].values.unchecked() == std::vector<parser::Value>{std::nullopt};
}

// A condition in a list has the place of the list.
QueryPlace place_of(Filter const& member, QueryPlace const& place) {
    return member.key.empty() ? place : QueryPlace{&place, member.key};
}

// A scalar that operators are applied to.
struct FilteredScalar {
    std::string_view column;
    AttributeType type;
    ContentType const& owner;
};
FilteredScalar id_of(ContentType const& type) {
    return {"id", AttributeType::string, type};
}

// Checks a name where operators or a value are expected. Strapi 4.26 drops those that it does not
// know.
void check_stray_name(BindContext& context, FilteredScalar const& scalar, std::string const& name,
                      QueryPlace const& place) {
    if (scalar.column == "id")
        context.refuse(Pass::unknown, name, place);
    else if (name == "id" || scalar.owner.find(name))
        context.expect("an operator", place);
    else
        context.ignore(name, place);
}

// Checks what an operand names that should be a value.
void check_operand(BindContext& context, FilteredScalar const& scalar, Filter const& comparison,
                   QueryPlace const& place) {
    for (Filter const& member : context.use(comparison.members))
        if (member.kind == FilterKind::name)
            check_stray_name(context, scalar, member.key, place_of(member, place));
        else if (member.kind != FilterKind::comparison)
            context.expect("a value", place);
}

// Binds the operators on a scalar, which are at `place`.
Condition scalar_condition(BindContext& context, FilteredScalar const& scalar, Filter const& filter,
                           QueryPlace const& place);

Condition scalar_member(BindContext& context, FilteredScalar const& scalar, Filter const& member,
                        QueryPlace const& place) {
    QueryPlace const here = place_of(member, place);
    switch (member.kind) {
    case FilterKind::comparison:
        check_operand(context, scalar, member, here);
        return bind_comparison(context, scalar.column, scalar.type, member, here);
    case FilterKind::none_of: {
        Condition condition = scalar_condition(context, scalar, member, here);
        if (condition.always_true()) context.expect("an operator and its value", here);
        return negate(std::move(condition));
    }
    case FilterKind::all_of:
        if (member.key.empty()) // one of a list
            return scalar_condition(context, scalar, member, here);
        [[fallthrough]];
    case FilterKind::any_of:
        context.expect("an operator and its value", here);
        return {};
    case FilterKind::name:
        check_stray_name(context, scalar, member.key, here);
    }
    return {};
}

Condition scalar_condition(BindContext& context, FilteredScalar const& scalar, Filter const& filter,
                           QueryPlace const& place) {
    Condition all;
    for (Filter const& member : context.use(filter.members))
        require(all, scalar_member(context, scalar, member, place));
    return all;
}

// The first binds all members of a filter on the entries of `type`, the second one of them, which
// is at `place`.
Condition entry_condition(BindContext& context, Filter const& filter, ContentType const& type,
                          QueryPlace const& place);
Condition entry_member(BindContext& context, Filter const& member, ContentType const& type,
                       QueryPlace const& place);

// Strapi 4.26 looks for names below an operator, too.
void check_names(BindContext& context, Filter const& comparison, ContentType const& type,
                 QueryPlace const& place) {
    for (Filter const& member : context.use(comparison.members))
        entry_member(context, member, type, place_of(member, place));
}

// The members are either conditions on attributes of the target or one operator.
Condition related_value(BindContext& context, ContentType const& target, Filter const& filter,
                        QueryPlace const& place) {
    auto const& members = context.use(filter.members);
    bool const has_operator = std::ranges::any_of(
        members, [](Filter const& member) { return member.kind != FilterKind::name; });
    if (has_operator && members.size() > 1) context.expect("one operator, or attributes", place);
    Condition all;
    for (Filter const& member : members) {
        QueryPlace const here = place_of(member, place);
        if (is_comparison(member)) {
            require(all, bind_comparison(context, "id", AttributeType::string, member, here));
            check_names(context, member, target, here);
            continue;
        }
        bool const negated = member.kind == FilterKind::none_of;
        if (negated && std::ranges::all_of(context.use(member.members), is_comparison)) {
            require(all, scalar_member(context, id_of(target), member, place));
            continue;
        }
        require(all, entry_member(context, member, target, here));
        if (negated) context.expect("a value", here);
    }
    return all;
}

bool compares_columns_of(ContentType const& type, Condition const& condition) {
    if (condition.kind == ConditionKind::comparison) {
        if (condition.column == "id") return true;
        Attribute const* attribute = type.find_by_column(condition.column);
        return attribute && !attribute->is_hidden();
    }
    return !condition.target &&
           std::ranges::all_of(condition.members, [&](Condition const& member) {
               return compares_columns_of(type, member);
           });
}

// Binds a filter on a relation of `owner`.
Condition related_condition(BindContext& context, Attribute const& attribute,
                            ContentType const& owner, Filter const& filter,
                            QueryPlace const& place) {
    bool const is_last = context.hops == context.limits.filter_hops;
    if (context.is_over(is_last, &parser::Limits::filter_hops)) return {};
    ++context.hops;
    Condition condition = related_value(context, *attribute.target, filter, place);
    --context.hops;
    if (condition.always_true()) return {};
    // The releases that compare the owner's columns return 500 if it has none of those names.
    bool const is_inverse = !attribute.link.parent_type_column.empty();
    if (context.rules.filters_inverses_by_owner && is_inverse &&
        compares_columns_of(owner, condition))
        return condition;
    Condition related{.kind = ConditionKind::related};
    related.members.push_back(std::move(condition));
    related.link = &attribute.link;
    related.target = attribute.target;
    return related;
}

Condition name_condition(BindContext& context, Filter const& member, ContentType const& type,
                         QueryPlace const& place) {
    if (member.key == "id") return scalar_condition(context, id_of(type), member, place);
    Attribute const* attribute = type.find(member.key);
    if (!attribute) {
        // The name of a column is accepted for its attribute's, but restricts nothing.
        if (type.find_by_column(member.key))
            context.ignore(member.key, place);
        else
            context.refuse(Pass::unknown, member.key, place);
        return {};
    }
    context.check_use(*attribute, place);
    bool const names_column = attribute->column == member.key && context.hops == 0;
    if (context.names_columns && !names_column) context.expect("the name of a column", place);
    auto const compared = context.names_columns ? AttributeType::string : attribute->type;
    if (attribute->is_scalar())
        return scalar_condition(context, {attribute->column, compared, type}, member, place);
    return attribute->target ? related_condition(context, *attribute, type, member, place)
                             : Condition{};
}

// Strapi hands a list below `$not` to the database as it was written: its names are those of
// columns, and its values texts.
Condition negated_condition(BindContext& context, Filter const& filter, ContentType const& type,
                            QueryPlace const& place) {
    bool const outer =
        std::exchange(context.names_columns, context.names_columns || filter.is_list);
    Condition negation = negate(entry_condition(context, filter, type, place));
    context.names_columns = outer;
    return negation;
}

Condition entry_member(BindContext& context, Filter const& member, ContentType const& type,
                       QueryPlace const& place) {
    switch (member.kind) {
    case FilterKind::name:
        return name_condition(context, member, type, place);
    case FilterKind::all_of:
        return entry_condition(context, member, type, place);
    case FilterKind::none_of:
        return is_null(member) ? Condition{} : negated_condition(context, member, type, place);
    case FilterKind::any_of: {
        Condition any{.kind = ConditionKind::any_of};
        for (Filter const& alternative : context.use(member.members))
            any.members.push_back(
                entry_member(context, alternative, type, place_of(alternative, place)));
        // An alternative that was dropped or is empty has no effect, as in Strapi.
        std::erase_if(any.members, [](Condition const& c) { return c.always_true(); });
        return any.members.empty() ? Condition{} : any;
    }
    case FilterKind::comparison:
        check_names(context, member, type, place);
        context.use(member.values);
        context.expect("an attribute to compare", place);
        break;
    }
    return {};
}

Condition entry_condition(BindContext& context, Filter const& filter, ContentType const& type,
                          QueryPlace const& place) {
    Condition all;
    for (Filter const& member : context.use(filter.members))
        require(all, entry_member(context, member, type, place_of(member, place)));
    return all;
}

// Whether anything is left of a condition on a value when names that are no operators are dropped.
bool restricts(Filter const& filter) {
    if (is_comparison(filter)) return true;
    return std::ranges::any_of(filter.members.unchecked(), [](Filter const& member) {
        return member.kind != FilterKind::name && restricts(member);
    });
}

// Writes the locale as JavaScript does.
parser::Error no_locale_of_one(Filter const& locale) {
    std::string written;
    for (parser::Value const& value : locale.values.unchecked())
        written.append(written.empty() ? "" : ",").append(value.value_or(""));
    if (!is_comparison(locale)) written = "[object Object]";
    return {parser::ErrorKind::invalid,
            "Invalid locale param " + written + " provided. Document locales must be strings."};
}

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
    if (asks == Asks::no_row) return {.kind = ConditionKind::any_of};
    Condition other{
        .kind = ConditionKind::version, .target = &type, .of_any_locale = row.of_any_locale};
    other.members.push_back(in_state(is_draft ? PublicationState::live : PublicationState::draft));
    if (row.updated) {
        other.column = "updated_at";
        other.comparator = is_draft ? *row.updated : turned(*row.updated);
    }
    if (asks == Asks::other) return other;
    Condition none{.kind = ConditionKind::none_of};
    none.members.push_back(std::move(other));
    return none;
}

} // namespace

Condition bind_filters(BindContext& context, Filter const& filter, ContentType const& type,
                       QueryPlace const& place) {
    context.refusals.begin_parameter();
    QueryPlace const here{&place, "filters"};
    context.use(filter.members);
    // At the root a list, or an empty text, works only if Strapi 4.26 adds a condition on the
    // locale beside it.
    if (filter.is_list && !type.localized) context.expect("conditions by attribute", here);
    return entry_condition(context, filter, type, here);
}

Condition bind_locale(BindContext& context, parser::Query const& query, ReadTarget const& target,
                      QueryPlace const& place) {
    if (query.all_locales) {
        if (target.action == Action::find || !context.rules.one_obeys_query) return {};
        // For one document Strapi 5.54 takes `*` as the name of a locale, which no row has.
        return compare("locale", Comparator::in, {});
    }
    // Strapi 5.54 lets the root's filters replace `locale`, member by member.
    auto const& filters = query.selection.filters.members.unchecked();
    auto const is_of_locale = [](Filter const& f) { return f.key == "locale" && restricts(f); };
    if (context.rules.filters_replace_locale && std::ranges::any_of(filters, is_of_locale))
        return {};
    ContentType const& type = *target.type;
    if (!query.locale)
        return compare("locale", Comparator::eq, {Literal(context.options.default_locale)});
    QueryPlace const here{&place, "locale"};
    bool const is_text = is_comparison(*query.locale) && !query.locale->is_list;
    if (context.rules.one_obeys_query && target.action != Action::find && !is_text)
        context.refuse_value(no_locale_of_one(*query.locale));
    if (is_comparison(*query.locale))
        return bind_comparison(context, "locale", AttributeType::string, *query.locale, here);
    return scalar_condition(context, {"locale", AttributeType::string, type}, *query.locale, here);
}

Condition bind_search(std::string_view text, ContentType const& type) {
    if (text.empty()) return {};
    std::string const pattern = '%' + escaped(text, "*%\\") + '%';
    bool const numeric = cast(AttributeType::floating, text, {}).has_value();
    Condition any{.kind = ConditionKind::any_of};
    any.members.push_back(compare("id", Comparator::like, {Literal(pattern)}));
    for (Attribute const& attribute : type.attributes) {
        if (!attribute.searchable || attribute.is_hidden() ||
            !is_searched(attribute.scalar(), numeric))
            continue;
        any.members.push_back(compare(attribute.column, Comparator::like, {Literal(pattern)}));
    }
    return any;
}

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
