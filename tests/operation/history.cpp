#include "history.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>

#include <unistd.h>

namespace operation {

namespace {

// `name{a="b"}` as it is stored, with the labels of the target.
std::string stored(std::string const& series) {
    auto const name = series.substr(0, series.find('{'));
    auto const labels = name == series ? "" : "," + series.substr(name.size() + 1);
    return name + R"({job="populate-fcgi",instance="here")" + (labels.empty() ? "}" : labels);
}

// Returns the output of a command and, where it fails, a line that says so.
std::string output_of(std::string const& command) {
    std::string text;
    auto* const pipe = ::popen((command + " 2>&1").c_str(), "r");
    BOOST_TEST_REQUIRE(pipe != nullptr);
    std::array<char, 4'096> piece;
    while (auto const size = std::fread(piece.data(), 1, piece.size(), pipe))
        text.append(piece.data(), size);
    if (::pclose(pipe) != 0) text += "it failed\n";
    return text;
}

} // namespace

void History::add(Samples const& samples) {
    for (auto const& [series, value] : samples) {
        std::array<char, 32> digits;
        auto const end = std::to_chars(digits.begin(), digits.end(), value).ptr;
        add(stored(series), {digits.begin(), end});
    }
    add(stored("up"), "1");
    ++scrapes_;
}

void History::add_nobody_answered() {
    add(stored("up"), "0");
    ++scrapes_;
}

void History::add(std::string const& series, std::string const& value) {
    auto& values = values_[series];
    values.resize(scrapes_, "stale"); // it was in none of the scrapes between
    values.push_back(value);
}

void History::check_fired(std::vector<std::string> const& alerts, std::size_t scrapes) const {
    auto const path = std::filesystem::temp_directory_path() /
                      ("populate-alerts." + std::to_string(::getpid()) + ".yml");
    std::ofstream file(path);
    file << "rule_files: [" RULES "]\nevaluation_interval: 1m\n"
            "tests:\n- interval: 1m\n  input_series:\n";
    for (auto const& [series, values] : values_) {
        file << "  - {series: '" << series << "', values: '";
        for (std::size_t i = 0; i < scrapes_; ++i)
            file << (i < values.size() ? values[i] : "stale") << ' ';
        file << "'}\n";
    }
    file << "  promql_expr_test:\n"
            "  - expr: count by (alertname) (max_over_time(ALERTS{alertstate=\"firing\"}[1d]))\n"
            "    eval_time: "
         << scrapes - 1 << "m\n    exp_samples:\n";
    for (auto const& alert : alerts)
        file << "    - {labels: '{alertname=\"" << alert << "\"}', value: 1}\n";
    file.close();
    auto const said = output_of("promtool test rules " + path.string());
    BOOST_TEST((said.find("SUCCESS") != said.npos && said.find("it failed") == said.npos), said);
    std::filesystem::remove(path);
}

} // namespace operation
