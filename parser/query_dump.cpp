#include "parser/query.hpp"

#include "parser/base/javascript_number.hpp"

namespace parser {

namespace {

// Parts of a line, apart by spaces.
class Line {
  public:
    Line& add(std::string part) {
        if (part.empty()) return *this;
        if (!text_.empty()) text_ += ' ';
        text_ += part;
        return *this;
    }
    Line& add(std::string_view name, std::string const& content) {
        if (content.empty()) return *this;
        return add(std::string(name).append("(").append(content).append(")"));
    }
    Line& add(std::string_view name, std::optional<double> number) {
        if (!number) return *this;
        std::string digits;
        append_number(digits, *number);
        return add(name, digits);
    }
    std::string const& text() const { return text_; }

  private:
    std::string text_;
};

std::string dump(Filter const& filter) {
    Line line;
    for (Filter const& member : filter.members)
        line.add(dump(member));
    for (Value const& value : filter.values)
        line.add(value ? '"' + *value + '"' : "null");
    if (filter.key.empty()) return line.text();
    return filter.key + "(" + line.text() + ")";
}

std::string dump(std::vector<SortKey> const& sort) {
    Line line;
    for (SortKey const& key : sort) {
        std::string path;
        for (std::string const& segment : key.path)
            path.append(path.empty() ? "" : ".").append(segment);
        line.add(key.descending ? path + ":desc" : path);
    }
    return line.text();
}

std::string dump(Selection const& selection);

std::string dump(Populate const& populate) {
    Line options;
    options.add(dump(populate.selection));
    if (populate.count) options.add("count");
    if (populate.reverse) options.add("ordering(desc)");
    if (populate.start) options.add("start", static_cast<double>(*populate.start));
    if (populate.limit) options.add("limit", static_cast<double>(*populate.limit));
    if (populate.publication_state)
        options.add(*populate.publication_state == PublicationState::live ? "live" : "preview");
    if (populate.on) {
        Line fragments;
        for (Populate const& fragment : *populate.on)
            fragments.add(dump(fragment));
        options.add("on(" + fragments.text() + ")");
    }
    return options.text().empty() ? populate.name : populate.name + "(" + options.text() + ")";
}

std::string dump(PopulateSet const& set) {
    Line line;
    if (set.everything) line.add("*");
    if (set.deep && set.deep->depth)
        line.add("deep", *set.deep->depth);
    else if (set.deep)
        line.add("deep()");
    for (Populate const& populate : set.members)
        line.add(dump(populate));
    return line.text();
}

std::string dump(Selection const& selection) {
    Line names;
    for (std::string const& name : selection.fields.names)
        names.add(name);
    return Line()
        .add("fields", names.text())
        .add("filters", dump(selection.filters))
        .add("sort", dump(selection.sort))
        .add("populate", dump(selection.populate))
        .text();
}

} // namespace

std::string dump(Query const& query) {
    Line line;
    line.add(dump(query.selection));
    line.add("page", query.pagination.page);
    line.add("pageSize", query.pagination.page_size);
    line.add("start", query.pagination.start);
    line.add("limit", query.pagination.limit);
    if (query.pagination.with_count) line.add(*query.pagination.with_count ? "count" : "no-count");
    if (query.all_locales) line.add("locale(all)");
    if (query.locale) line.add("locale", dump(*query.locale));
    if (query.publication_state == PublicationState::preview) line.add("preview");
    line.add("search", query.search);
    return line.text();
}

} // namespace parser
