#include "db/mysql/progress.hpp"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <boost/icl/interval_set.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace db {

namespace {

std::optional<std::uint64_t> number_in(std::string_view text) {
    std::uint64_t number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    boost::split(parts, text, [separator](char c) { return c == separator; });
    for (auto& part : parts)
        boost::trim(part); // MySQL breaks its lines
    return parts;
}

} // namespace

// By source of transactions.
struct Progress::Numbers
    : std::map<std::string, boost::icl::interval_set<std::uint64_t>, std::less<>> {
    void add(std::string const& source, std::uint64_t first, std::uint64_t last) {
        (*this)[source] += boost::icl::interval<std::uint64_t>::closed(first, last);
    }
};

Progress::Progress() : Progress(Numbers()) {
}

Progress::Progress(Numbers numbers)
    : numbers_(std::make_shared<Numbers const>(std::move(numbers))) {
}

std::optional<Progress> Progress::of_mariadb(std::string_view positions) {
    Numbers numbers;
    for (auto const& position : split(positions, ',')) {
        if (position.empty()) continue;
        auto const parts = split(position, '-'); // domain, server, number
        auto const last = parts.size() == 3 ? number_in(parts[2]) : std::nullopt;
        if (!last) return std::nullopt;
        numbers.add(parts[0], 0, *last);
    }
    return Progress(std::move(numbers));
}

std::optional<Progress> Progress::of_mysql(std::string_view executed) {
    Numbers numbers;
    for (auto const& of_server : split(executed, ',')) {
        if (of_server.empty()) continue;
        auto const parts = split(of_server, ':');
        std::string source = parts[0];
        for (std::size_t i = 1; i < parts.size(); ++i) {
            if (parts[i].empty()) return std::nullopt;
            if (!std::isdigit(static_cast<unsigned char>(parts[i][0]))) {
                source = parts[0] + ':' + parts[i];
                continue;
            }
            auto const range = split(parts[i], '-');
            auto const first = number_in(range.front());
            auto const last = number_in(range.back());
            if (range.size() > 2 || !first || !last || *last < *first) return std::nullopt;
            numbers.add(source, *first, *last);
        }
    }
    return Progress(std::move(numbers));
}

Progress Progress::of_galera(std::string_view cluster, std::uint64_t last_committed) {
    Numbers numbers;
    numbers.add(std::string(cluster), 0, last_committed);
    return Progress(std::move(numbers));
}

bool Progress::includes(Progress const& other) const {
    return std::ranges::all_of(*other.numbers_, [this](auto const& of_source) {
        auto const own = numbers_->find(of_source.first);
        return own != numbers_->end() && boost::icl::contains(own->second, of_source.second);
    });
}

void Progress::add(Progress const& other) {
    Numbers sum = *numbers_;
    for (auto const& [source, numbers] : *other.numbers_)
        sum[source] += numbers;
    *this = Progress(std::move(sum));
}

bool Progress::operator==(Progress const& other) const {
    return *numbers_ == *other.numbers_;
}

} // namespace db
