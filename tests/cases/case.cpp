#include "tests/cases/case.hpp"

#include <boost/algorithm/string.hpp>

#include <algorithm>
#include <fstream>
#include <set>
#include <stdexcept>

namespace cases {

namespace {

using Texts = std::vector<std::string_view>;

std::string_view trimmed(std::string_view text) {
    auto const from = text.find_first_not_of(' ');
    if (from == text.npos) return text.substr(text.size());
    return text.substr(from, text.find_last_not_of(' ') - from + 1);
}

Texts split(std::string_view text, std::string_view separator) {
    Texts parts;
    for (;;) {
        auto const end = text.find(separator);
        parts.push_back(trimmed(text.substr(0, end)));
        if (end == text.npos) return parts;
        text.remove_prefix(end + separator.size());
    }
}

std::uint64_t number(std::string_view text) {
    return std::stoull(std::string(text));
}

template<class List, class Projection>
std::uint32_t place_of(List const& list, std::string_view name, Projection projection) {
    auto const found = std::ranges::find(list, name, projection);
    if (found == list.end()) throw std::invalid_argument("no " + std::string(name));
    return static_cast<std::uint32_t>(found - list.begin());
}

// Puts one line after another into a tree.
class RowReader {
  public:
    explicit RowReader(db::ReadPlan const& plan) : plan_(plan) {
        for (db::Node const& node : plan.nodes)
            result_.nodes.push_back(
                {.width = node.count ? 0 : node.columns.size() + node.keys.size()});
        entries_.resize(plan.nodes.size());
    }

    void take(std::string_view line) {
        auto const colon = line.find(':');
        if (line.starts_with("total"))
            result_.total = number(line.substr(colon + 1));
        else
            take_row(number(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    }

    db::ResultTree result() { return std::move(result_); }

  private:
    void take_row(std::size_t index, std::string_view text) {
        db::Node const& node = plan_.nodes.at(index);
        db::Rows& rows = result_.nodes[index];
        auto const cells = split(text, "|");
        auto row = place_of_row(node, cells[0]);
        auto const known = entries_[index].emplace(row.id, rows.entries);
        row.entry = known.first->second;
        rows.rows.push_back(row);
        if (!known.second || node.count) return;
        ++rows.entries;
        if (cells.size() - 1 != rows.width)
            throw std::invalid_argument(std::to_string(rows.width) +
                                        " cells: " + std::string(text));
        for (auto cell = cells.begin() + 1; cell != cells.end(); ++cell)
            rows.cells.push_back(*cell == "NULL" ? std::string_view() : *cell);
    }

    db::Row place_of_row(db::Node const& node, std::string_view text) const {
        auto const sides = split(text, ">");
        db::Row row;
        if (sides.size() == 1) {
            row.id = row.parent = number(text);
            return row;
        }
        auto const parent = split(sides[0], " ");
        auto const entry = split(sides[1], " ");
        row.parent = number(parent[0]);
        row.id = number(entry.back());
        if (parent.size() > 1)
            row.slot = place_of(node.slots, parent[1], [](auto slot) { return slot->name; });
        if (node.source == db::RowSource::pairs)
            row.target = place_of(node.targets, entry[0],
                                  [this](auto target) { return plan_.nodes[target].type->uid; });
        return row;
    }

    db::ReadPlan const& plan_;
    db::ResultTree result_;
    std::vector<std::map<std::uint64_t, std::uint32_t>> entries_; // of each node, by id
};

void read_file(std::filesystem::path const& path, std::vector<Case>& cases) {
    std::ifstream file(path);
    std::string* section = nullptr;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("=== ")) {
            cases.push_back({path.filename(), line.substr(4), {}, {}});
            section = nullptr;
        } else if (cases.empty()) {
            continue; // what the file says about itself
        } else if (line.starts_with("GET ")) {
            cases.back().request = line.substr(4);
        } else if (line.starts_with("--- ")) {
            section = &cases.back().sections[line.substr(4)];
        } else if (section && !line.empty()) {
            section->append(line) += '\n';
        }
    }
}

} // namespace

std::vector<Case> read_cases(std::filesystem::path const& folder) {
    std::set<std::filesystem::path> files;
    for (auto const& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".txt") files.insert(entry.path());
    std::vector<Case> cases;
    for (auto const& file : files)
        read_file(file, cases);
    return cases;
}

db::ResultTree read_rows(db::ReadPlan const& plan, std::string const& rows) {
    RowReader reader(plan);
    for (auto const line : split(rows, "\n"))
        if (!line.empty()) reader.take(line);
    return reader.result();
}

} // namespace cases
