#include "fcgi/handler/envelope.hpp"

#include "fcgi/handler/scalar_json.hpp"
#include "parser/base/javascript.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <vector>

namespace fcgi {

using db::Attribute;
using db::AttributeType;
using db::Branch;
using db::Node;
using db::Row;

namespace {

// How an entry is written.
enum class EntryShape : std::uint8_t {
    enveloped, // {"id":1,"attributes":{…}}, relations below as {"data":…}
    component, // {"id":1,…}, relations below as {"data":…}
    raw,       // {"id":1,…}, and flat below as well
};

// Returns the shape of the entries behind an attribute of an entry of shape `above`.
EntryShape shape_below(Attribute const& attribute, EntryShape above) {
    if (above == EntryShape::raw) return EntryShape::raw;
    if (attribute.type == AttributeType::component || attribute.type == AttributeType::dynamic_zone)
        return EntryShape::component;
    return attribute.is_polymorphic() ? EntryShape::raw : EntryShape::enveloped;
}

class Writer {
  public:
    Writer(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
           WritingLimits const& limits = {}, std::string_view last = {})
        : out_(out),
          plan_(plan),
          json_(*plan.json),
          result_(result),
          limits_(limits),
          last_(last) {}

    WritingEnd write();
    void columns(Row const& row);

  private:
    void document();
    bool may_go_on();
    void look_at_size();
    void list(EntryShape shape);
    void pagination();

    void entry(std::uint32_t node, Row const& row, EntryShape shape, std::string_view type_key);
    void type(Node const& node, std::string_view type_key, bool& first);
    void columns(Node const& node, std::string_view const* cells, std::size_t from, std::size_t to,
                 bool& first);
    void branch(Branch const& branch, Row const& parent, EntryShape shape, bool& first);
    void related(Branch const& branch, std::span<Row const> rows, EntryShape shape);
    void polymorphic(Branch const& branch, std::span<Row const> rows, EntryShape shape);
    void counted(Branch const& branch, std::span<Row const> rows, EntryShape shape);
    // Returns the row of the target node behind a pair; null if it is missing or filtered out.
    Row const* target_row(Node const& pairs, Row const& pair) const;
    void key(std::string_view json, bool& first);

    void integer(std::uint64_t value) {
        char digits[20];
        auto const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        out_.append(digits, end);
    }

    std::string& out_;
    db::ReadPlan const& plan_;
    db::JsonRules const& json_;
    db::ResultTree const& result_;
    WritingLimits const& limits_;
    std::string_view const last_; // ends each entry of the root
    WritingEnd end_ = WritingEnd::whole;
    std::size_t room_ = 0;  // bytes that the memory share has been asked for
    std::size_t asked_ = 0; // calls of may_go_on()
    struct WrittenEntry {
        std::size_t begin = 0;
        std::size_t size = 0;
    };
    std::vector<std::size_t> first_entry_; // of each node, in written_
    std::vector<WrittenEntry> written_;    // where the entries are in out_
};

WritingEnd Writer::write() {
    document();
    if (end_ == WritingEnd::whole) look_at_size();
    return end_;
}

// Called before each entry.
bool Writer::may_go_on() {
    constexpr std::size_t entries_between_looks_at_the_clock = 64;
    if (end_ != WritingEnd::whole) return false;
    look_at_size();
    bool const looks_at_clock = ++asked_ % entries_between_looks_at_the_clock == 0;
    if (looks_at_clock && end_ == WritingEnd::whole && limits_.deadline.has_passed())
        end_ = WritingEnd::too_late;
    return end_ == WritingEnd::whole;
}

void Writer::look_at_size() {
    if (out_.size() > limits_.bytes) {
        end_ = WritingEnd::too_long;
    } else if (limits_.memory && out_.capacity() > room_) {
        if (!limits_.memory->grow(out_.capacity() - room_)) end_ = WritingEnd::no_memory;
        room_ = out_.capacity();
    }
}

void Writer::document() {
    using Outcome = db::ReadPlan::Outcome;
    std::size_t entries = 0;
    for (db::Rows const& rows : result_.nodes) {
        first_entry_.push_back(entries);
        entries += rows.entries;
    }
    written_.resize(entries);
    switch (plan_.outcome) {
    case Outcome::number:
        return integer(result_.total.value_or(0));
    case Outcome::plain_list:
        return list(EntryShape::raw);
    case Outcome::plain_entry:
        return entry(0, result_.nodes[0].rows.front(), EntryShape::raw, {});
    case Outcome::list:
    case Outcome::entry:
    case Outcome::array:
        break;
    }
    out_ += "{\"data\":";
    EntryShape const shape = json_.has_attributes ? EntryShape::enveloped : EntryShape::raw;
    if (plan_.outcome == Outcome::entry)
        entry(0, result_.nodes[0].rows.front(), shape, {});
    else
        list(shape);
    out_ += ",\"meta\":{";
    if (plan_.outcome == Outcome::list) pagination();
    out_ += "}}";
}

void Writer::list(EntryShape shape) {
    auto const& rows = result_.nodes[0].rows;
    out_ += '[';
    for (Row const& row : rows) {
        if (&row != &rows.front()) out_ += ',';
        entry(0, row, shape, {});
    }
    out_ += ']';
}

void Writer::pagination() {
    db::Page const& page = plan_.page;
    auto const total = page.counts_nothing ? 0 : result_.total;
    if (page.offset_form) {
        out_ += "\"pagination\":{\"start\":";
        integer(page.start);
        out_ += ",\"limit\":";
        if (page.limit)
            integer(*page.limit);
        else
            out_ += "-1";
    } else {
        out_ += "\"pagination\":{\"page\":";
        parser::append_number(out_, page.page);
        out_ += ",\"pageSize\":";
        parser::append_number(out_, page.page_size);
        if (total) {
            out_ += ",\"pageCount\":";
            parser::append_number(out_, std::ceil(static_cast<double>(*total) / page.page_size));
        }
    }
    if (total) {
        out_ += ",\"total\":";
        integer(*total);
    }
    out_ += '}';
}

void Writer::key(std::string_view json, bool& first) {
    if (!first) out_ += ',';
    first = false;
    out_ += json;
}

// `type_key` is that of the type's UID, if the entry has one. It and the shape are the same for all
// entries of a node, so an entry that several parents have is written once and copied for the
// others.
void Writer::entry(std::uint32_t index, Row const& row, EntryShape shape,
                   std::string_view type_key) {
    if (!may_go_on()) return;
    WrittenEntry& written = written_[first_entry_[index] + row.entry];
    if (written.size > 0) {
        out_.append(out_, written.begin, written.size);
        return;
    }
    std::size_t const begin = out_.size();
    Node const& node = plan_.nodes[index];
    std::string_view const* const cells = result_.nodes[index].cells_of(row);
    std::size_t apart = 0; // columns beside the attributes
    bool first = false;
    out_ += "{\"id\":";
    integer(row.id);
    if (shape == EntryShape::enveloped) {
        apart = json_.sets_document_apart && node.type->has_documents ? 1 : 0;
        columns(node, cells, 0, apart, first);
        out_ += ",\"attributes\":{";
        first = true;
    }
    if (!json_.type_is_last) type(node, type_key, first);
    columns(node, cells, apart, node.columns.size(), first);
    for (Branch const& below : node.branches)
        branch(below, row, shape, first);
    if (json_.type_is_last) type(node, type_key, first);
    if (index == 0) out_ += last_;
    out_ += shape == EntryShape::enveloped ? "}}" : "}";
    written = {begin, out_.size() - begin};
}

void Writer::type(Node const& node, std::string_view type_key, bool& first) {
    if (type_key.empty()) return;
    key(type_key, first);
    parser::append_json_string(out_, node.type->uid);
}

void Writer::columns(Node const& node, std::string_view const* cells, std::size_t from,
                     std::size_t to, bool& first) {
    for (std::size_t i = from; i < to; ++i) {
        key(node.columns[i]->json_key, first);
        append_scalar(out_, *node.columns[i], cells[i]);
    }
}

void Writer::columns(Row const& row) {
    bool first = false;
    out_ += "{\"id\":";
    integer(row.id);
    Node const& root = plan_.nodes[0];
    columns(root, result_.nodes[0].cells_of(row), 0, root.columns.size(), first);
}

void Writer::branch(Branch const& branch, Row const& parent, EntryShape shape, bool& first) {
    Node const& node = plan_.nodes[branch.node];
    auto const rows = result_.nodes[branch.node].of(parent.id, branch.slot);
    Attribute const& attribute = *branch.attribute;
    bool const is_zone = attribute.type == AttributeType::dynamic_zone;
    if (json_.empty_can_be_absent && attribute.is_polymorphic() && !is_zone && attribute.many &&
        !is_behind_inverse(plan_.nodes, node)) {
        bool any = false;
        for (Row const& pair : rows)
            any = any || target_row(node, pair);
        if (!any) return;
    }
    key(attribute.json_key, first);
    EntryShape const below = shape_below(attribute, shape);
    if (node.count)
        counted(branch, rows, below);
    else if (attribute.is_polymorphic())
        polymorphic(branch, rows, below);
    else
        related(branch, rows, below);
}

void Writer::related(Branch const& branch, std::span<Row const> rows, EntryShape shape) {
    Attribute const& attribute = *branch.attribute;
    // For createdBy, the pair is in the row of the entry and the rest in the row of its target.
    Node const& node = plan_.nodes[branch.node];
    std::uint32_t index = branch.node;
    if (node.source == db::RowSource::pairs) {
        Row const* target = rows.empty() ? nullptr : target_row(node, rows.front());
        rows = target ? std::span(target, 1) : std::span<Row const>();
        index = node.targets.front();
    }
    bool const wrapped = shape == EntryShape::enveloped;
    bool const null_if_empty =
        !attribute.many ||
        (json_.empty_can_be_null &&
         (attribute.type == AttributeType::media ||
          (attribute.is_relation() && attribute.relation == db::RelationKind::morph_many)));

    if (wrapped) out_ += "{\"data\":";
    if (rows.empty() && null_if_empty) {
        out_ += "null";
    } else if (!attribute.many) {
        entry(index, rows.front(), shape, {});
    } else {
        out_ += '[';
        for (Row const& row : rows) {
            if (&row != rows.data()) out_ += ',';
            entry(index, row, shape, {});
        }
        out_ += ']';
    }
    if (wrapped) out_ += '}';
}

void Writer::polymorphic(Branch const& branch, std::span<Row const> rows, EntryShape shape) {
    Node const& pairs = plan_.nodes[branch.node];
    bool const many = branch.attribute->many;
    std::string_view type_key;
    if (branch.attribute->type == AttributeType::dynamic_zone)
        type_key = "\"__component\":";
    else if (many || json_.one_says_type)
        type_key = "\"__type\":";
    bool first = true;
    if (many) out_ += '[';
    for (Row const& pair : rows) {
        Row const* row = target_row(pairs, pair);
        if (!row) continue;
        if (!first) out_ += ',';
        first = false;
        entry(pairs.targets[pair.target], *row, shape, type_key);
        if (!many) return;
    }
    out_ += many ? "]" : "null";
}

void Writer::counted(Branch const& branch, std::span<Row const> rows, EntryShape shape) {
    bool const is_component = branch.attribute->type == AttributeType::component;
    bool const are_pairs = plan_.nodes[branch.node].source == db::RowSource::pairs;
    bool const wrapped =
        shape == EntryShape::enveloped || (json_.wraps_flat_counts && !is_component);
    out_ += wrapped ? "{\"data\":{\"attributes\":{\"count\":" : "{\"count\":";
    if (are_pairs)
        integer(rows.size());
    else
        integer(rows.empty() ? 0 : rows.front().id);
    out_ += wrapped ? "}}}" : "}";
}

Row const* Writer::target_row(Node const& pairs, Row const& pair) const {
    auto const rows = result_.nodes[pairs.targets[pair.target]].of(pair.id);
    return rows.empty() ? nullptr : rows.data();
}

} // namespace

WritingEnd append_envelope(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                           WritingLimits const& limits, std::string_view last) {
    return Writer(out, plan, result, limits, last).write();
}

bool is_missing(db::ReadPlan const& plan, db::ResultTree const& result) {
    using Outcome = db::ReadPlan::Outcome;
    bool const is_entry = plan.outcome == Outcome::entry || plan.outcome == Outcome::plain_entry;
    return is_entry && result.nodes[0].rows.empty();
}

void append_columns(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                    Row const& row) {
    Writer(out, plan, result).columns(row);
}

} // namespace fcgi
