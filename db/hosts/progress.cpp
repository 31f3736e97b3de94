#include "db/hosts/progress.hpp"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>

#include <cctype>
#include <charconv>
#include <string>
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

void Progress::add(std::string_view source, std::uint64_t first, std::uint64_t last) {
    of_[std::string(source)] += boost::icl::interval<std::uint64_t>::closed(first, last);
}

std::optional<Progress> Progress::of_mariadb(std::string_view positions) {
    Progress progress;
    for (auto const& position : split(positions, ',')) {
        if (position.empty()) continue;
        auto const parts = split(position, '-'); // domain, server, number
        auto const last = parts.size() == 3 ? number_in(parts[2]) : std::nullopt;
        if (!last) return std::nullopt;
        progress.add(parts[0], 0, *last);
    }
    return progress;
}

std::optional<Progress> Progress::of_mysql(std::string_view executed) {
    Progress progress;
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
            progress.add(source, *first, *last);
        }
    }
    return progress;
}

Progress Progress::of_galera(std::string_view cluster, std::uint64_t last_committed) {
    Progress progress;
    progress.add(cluster, 0, last_committed);
    return progress;
}

bool Progress::includes(Progress const& other) const {
    for (auto const& [source, numbers] : other.of_) {
        auto const own = of_.find(source);
        if (own == of_.end() || !boost::icl::contains(own->second, numbers)) return false;
    }
    return true;
}

void Progress::add(Progress const& other) {
    for (auto const& [source, numbers] : other.of_)
        of_[source] += numbers;
}

} // namespace db
