#include "parser/query.hpp"

#include "parser/base/javascript.hpp"

#include <algorithm>
#include <cmath>

namespace parser {

namespace {

// A line of parts that are separated by spaces.
class Notation {
  public:
    Notation& add(std::string part) {
        if (part.empty()) return *this;
        if (!text_.empty()) text_ += ' ';
        text_ += part;
        return *this;
    }
    Notation& add(std::string_view name, std::string const& content) {
        if (content.empty()) return *this;
        return add(std::string(name).append("(").append(content).append(")"));
    }
    Notation& add(std::string_view name, std::optional<double> number) {
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
    Notation line;
    for (Filter const& member : filter.members.unchecked())
        line.add(dump(member));
    for (Value const& value : filter.values.unchecked())
        line.add(value ? '"' + *value + '"' : "null");
    if (filter.key.empty()) return line.text();
    return filter.key + "(" + line.text() + ")";
}

std::string dump(std::vector<Checked<SortKey>> const& sort) {
    Notation line;
    for (Checked<SortKey> const& checked : sort) {
        SortKey const& key = checked.unchecked();
        std::string path;
        for (std::string const& segment : key.path)
            path.append(path.empty() ? "" : ".").append(segment);
        line.add(key.descending ? path + ":desc" : path);
    }
    return line.text();
}

std::string dump(Selection const& selection);

std::string dump(Populate const& populate) {
    PopulateOptions const& written = populate.options.unchecked();
    Notation options;
    options.add(dump(written.selection));
    if (written.count) options.add("count");
    if (written.reverse) options.add("ordering(desc)");
    if (written.start) options.add("start", static_cast<double>(*written.start));
    if (written.limit) options.add("limit", static_cast<double>(*written.limit));
    if (written.publication_state)
        options.add(*written.publication_state == PublicationState::live ? "live" : "preview");
    if (written.on) {
        Notation fragments;
        for (Populate const& fragment : *written.on)
            fragments.add(dump(fragment));
        options.add("on(" + fragments.text() + ")");
    }
    return options.text().empty() ? populate.name : populate.name + "(" + options.text() + ")";
}

std::string dump(PopulateSet const& set) {
    Notation line;
    if (set.everything) line.add("*");
    if (set.deep && set.depth)
        line.add("deep", set.depth);
    else if (set.deep)
        line.add("deep()");
    for (std::string const& path : set.paths)
        line.add(path);
    for (Populate const& populate : set.members)
        line.add(dump(populate));
    return line.text();
}

std::string dump(Selection const& selection) {
    Notation names;
    for (std::string const& name : selection.fields.unchecked().names)
        names.add(name);
    return Notation()
        .add("fields", names.text())
        .add("filters", dump(selection.filters))
        .add("sort", dump(selection.sort.unchecked()))
        .add("populate", dump(selection.populate.unchecked()))
        .text();
}

} // namespace

std::string QueryPlace::text() const {
    std::string text = parent ? parent->text() : std::string();
    if (text.empty()) return std::string(key);
    return text.append("[").append(key).append("]");
}

Populate* PopulateSet::find(std::string_view name) {
    auto const found = std::ranges::find(members, name, &Populate::name);
    return found == members.end() ? nullptr : &*found;
}

Error both_page_forms() {
    return {ErrorKind::invalid_pagination,
            "Invalid pagination attributes. You cannot use page and offset pagination in the same "
            "query"};
}

bool counts_pages(double number) {
    return number > 0 && std::floor(number) == number;
}

Error no_page_number(std::string_view name, std::string_view received) {
    return {ErrorKind::invalid_pagination,
            "Invalid '" + std::string(name) +
                "' parameter. Expected an integer > 0, received: " + std::string(received)};
}

std::string dump(Query const& query) {
    Notation line;
    line.add(dump(query.selection));
    Pagination const& pagination = query.pagination.unchecked();
    line.add("page", pagination.page);
    line.add("pageSize", pagination.page_size);
    line.add("start", pagination.start);
    line.add("limit", pagination.limit);
    if (pagination.with_count) line.add(*pagination.with_count ? "count" : "no-count");
    if (query.all_locales) line.add("locale(all)");
    if (query.locale) line.add("locale", dump(*query.locale));
    if (query.publication_state.unchecked() == PublicationState::preview) line.add("preview");
    line.add("search", query.search.unchecked());
    return line.text();
}

} // namespace parser
