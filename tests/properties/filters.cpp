#include "db/schema/project_folder.hpp"
#include "tests/conformance/asker.hpp"
#include "tests/properties/filter_reference.hpp"
#include "tests/properties/random.hpp"

#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include <algorithm>
#include <iostream>

// No tree of filters, whatever its objects, lists and keys, gives more entries than Strapi's code
// gives. Where that fails, or compares what is no value, the filters are refused.

using namespace properties;

namespace {

using db::Attribute;
using db::ContentType;
using Segments = std::vector<std::string>;

// Makes parameters of `filters` on entries of a type. Most are as a client writes them.
class Trees {
  public:
    explicit Trees(ContentType const& type) : type_(type) {}

    // The same seed and number always make the same parameters.
    std::string operator()(std::uint64_t seed, std::uint64_t number) {
        random_.emplace(seed, number);
        std::string text;
        Segments earlier;
        for (std::size_t left = 1 + random_->below(3); left > 0; --left) {
            value_ = "1";
            segments_.clear();
            if (earlier.empty() || random_->below(2) == 0)
                entries(type_, 0);
            else
                digress(earlier);
            earlier = segments_;
            text += "&filters";
            for (std::string const& segment : segments_)
                text += "[" + segment + "]";
            if (random_->below(12) > 0) text += "=" + value_;
        }
        return text;
    }

  private:
    static constexpr char const* strays[] = {"a",   "id",   "name", "stock",    "tags",     "$eq",
                                             "$in", "$not", "$and", "$null",    "$notNull", "0",
                                             "1",   "$or",  "$lt",  "$contains"};
    static constexpr char const* operators[] = {
        "$eq",  "$eqi",      "$ne",      "$lt",   "$gte", "$in",      "$in",       "$notIn",
        "$not", "$contains", "$between", "$null", "$gt",  "$notNull", "$endsWithi"};

    void add(std::string segment) { segments_.push_back(std::move(segment)); }
    void add_index() { add(std::to_string(random_->below(3))); }

    // Goes on from a part of an earlier path.
    void digress(Segments const& earlier) {
        segments_.assign(earlier.begin(),
                         earlier.begin() + 1 + static_cast<long>(random_->below(earlier.size())));
        for (std::size_t left = random_->below(3); left > 0; --left)
            add(random_->of(strays));
    }

    void entries(ContentType const& type, std::size_t depth) {
        switch (random_->below(depth > 3 ? 4 : 10)) {
        case 0:
            add(random_->below(3) == 0 ? random_->of(strays) : "id");
            return operation(0);
        case 5:
        case 6:
            return relation(type, depth);
        case 7:
        case 8:
            add(random_->of(std::array{"$and", "$or"}));
            if (random_->below(12) > 0) add_index();
            return entries(type, depth + 1);
        case 9:
            add("$not");
            if (random_->below(4) == 0) add_index();
            return entries(type, depth + 1);
        default:
            return scalar(type);
        }
    }

    template<class Fits>
    Attribute const& any_attribute(ContentType const& type, Fits const& fits) {
        std::vector<Attribute const*> fitting;
        for (Attribute const& attribute : type.attributes)
            if (!attribute.is_hidden() && fits(attribute)) fitting.push_back(&attribute);
        return *random_->of(fitting);
    }

    void scalar(ContentType const& type) {
        auto const& attribute = any_attribute(type, [](Attribute const& a) {
            return a.type == db::AttributeType::string || a.type == db::AttributeType::integer ||
                   a.type == db::AttributeType::boolean;
        });
        add(attribute.name);
        if (attribute.type == db::AttributeType::string)
            value_ = random_->of(std::array{"a", "e", "Brass", "x", "1"});
        else if (attribute.type == db::AttributeType::integer)
            value_ = random_->of(std::array{"0", "1", "20", "50", "x"});
        else
            value_ = random_->of(std::array{"true", "true", "false", "0", "x"});
        operation(0);
    }

    void operation(std::size_t depth) {
        std::size_t const choice = random_->below(12);
        if (choice < 2 || depth > 2) return;
        if (choice == 2) return add_index();
        if (choice == 3) return add(random_->of(strays));
        add(random_->of(operators));
        switch (random_->below(8)) {
        case 0:
            return operation(depth + 1);
        case 1:
            return add(random_->of(strays));
        case 2:
            add_index();
            return add(random_->of(strays));
        case 3:
            return add_index();
        }
    }

    void relation(ContentType const& type, std::size_t depth) {
        auto const& attribute = any_attribute(type, [&](Attribute const& a) {
            return a.is_relation() && a.target && !a.is_creator &&
                   (a.name == "tags" || a.name == "categories" || a.name == "products" ||
                    a.name == "similar");
        });
        add(attribute.name);
        if (random_->below(5) == 0) return operation(0);
        entries(*attribute.target, depth + 1);
    }

    ContentType const& type_;
    std::optional<Random> random_;
    Segments segments_;
    std::string value_;
};

// What is answered to some filters.
struct Outcome {
    int status = 0;
    std::int64_t total = -1;
    std::string ids = {}; // of the first page
    bool operator==(Outcome const&) const = default;
};

Outcome ask(conformance::Asker& asker, std::string const& url) {
    conformance::Record request;
    request.method = "GET";
    request.path = url;
    auto const response = asker.response(request, "");
    if (response.status != 200) return {.status = response.status};
    auto const body = boost::json::parse(response.body);
    std::string ids;
    for (auto const& entry : body.at("data").as_array())
        ids += serialize(entry.at("id")) + " ";
    return {200, body.at("meta").at("pagination").at("total").as_int64(), ids};
}

// Compares what is answered to filters with what Strapi makes of them.
class Comparison {
  public:
    Comparison(std::string const& socket, std::string const& reference)
        : ours_(conformance::ask_socket(socket)) {
        if (!reference.empty()) reference_ = conformance::ask_web_server(reference);
    }

    void compare(std::string const& filters, FilterOutcome const& outcome) {
        std::string const list = "/api/products?fields[0]=id&sort=id&pagination[pageSize]=100";
        Outcome const found = ask(*ours_, list + filters);
        std::optional<Outcome> plain;
        if (outcome.kind == FilterOutcome::Kind::conditions) {
            std::string const text = filters_text(outcome.conditions);
            plain = ask(*ours_, list + "&" + text.substr(std::min<std::size_t>(1, text.size())));
            if (plain->status != 200) report("the plain filters are refused", text, *plain);
        }
        check(filters, outcome, found, plain);
        if (reference_) check_reference(filters, outcome, ask(*reference_, list + filters), plain);
    }

    void print() const {
        std::cout << equal_ << " trees find what Strapi finds, " << fewer_ << " fewer, " << refused_
                  << " are refused where Strapi answers, " << failures_ << " where it fails, "
                  << others_ << " are not compared, " << faults_ << " find more\n";
    }
    bool passes() const { return faults_ == 0 && equal_ > others_; }

  private:
    void report(char const* what, std::string const& filters, Outcome const& found) {
        if (++faults_ > 20) return;
        std::cout << what << ": " << found.status << " " << found.total << " " << filters << '\n';
    }

    void check(std::string const& filters, FilterOutcome const& outcome, Outcome const& found,
               std::optional<Outcome> const& plain) {
        if (found.status != 200 && found.status != 400) return report("no answer", filters, found);
        if (plain && found.status == 200) {
            if (found.total > plain->total) return report("more", filters, found);
            ++(found == *plain ? equal_ : fewer_);
        } else if (plain) {
            ++refused_;
        } else if (outcome.kind == FilterOutcome::Kind::failure) {
            if (found.status == 200) return report("answered, though Strapi fails", filters, found);
            ++failures_;
        } else {
            ++others_;
        }
    }

    // Whether a live Strapi does what is expected of it.
    void check_reference(std::string const& filters, FilterOutcome const& outcome,
                         Outcome const& found, std::optional<Outcome> const& plain) {
        bool const fails = outcome.kind == FilterOutcome::Kind::failure;
        if (fails && found.status == 200) report("Strapi answers", filters, found);
        if (plain && found != *plain) report("Strapi finds others", filters, found);
    }

    std::unique_ptr<conformance::Asker> ours_, reference_;
    std::uint64_t equal_ = 0, fewer_ = 0, refused_ = 0, failures_ = 0, others_ = 0, faults_ = 0;
};

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Asks for entries by random trees of filters");
    std::string socket, folder, reference;
    std::uint64_t seed = 1, count = 3000;
    app.add_option("--socket", socket)->required()->envname("STACK_SOCKET");
    app.add_option("--schema", folder)->required()->envname("POPULATE_SCHEMA");
    app.add_option("--reference", reference, "http://host:port of a live Strapi");
    app.add_option("--seed", seed);
    app.add_option("--count", count);
    CLI11_PARSE(app, argc, argv);

    auto const version = db::project_version(folder).value_or(db::Version::strapi4);
    auto const schema = db::load_schema(folder, {{}, version}).value();
    ContentType const& products = *schema->find("api::product.product");
    Trees trees(products);
    Comparison comparison(socket, reference);
    for (std::uint64_t number = 0; number < count; ++number) {
        auto const filters = trees(seed, number);
        auto const tree = parser::parse_query_string(filters);
        comparison.compare(filters, strapi_filters(*tree.root.find("filters"), products, version));
    }
    comparison.print();
    return comparison.passes() ? 0 : 1;
}
