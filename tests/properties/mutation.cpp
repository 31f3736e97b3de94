#include "tests/properties/mutation.hpp"

#include "tests/properties/random.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <sstream>

namespace properties {

namespace {

using Pieces = std::vector<std::string>;

// A URL is cut into these: path segments, parameters, keys and values, key segments, parts of
// values, bytes.
constexpr std::string_view cuts[] = {"/?", "?&", "?&=", "?&=[", "?&=[,.:", ""};

// Texts that mean something somewhere, or should mean nothing anywhere.
constexpr char odd_texts[] =
    "0 -1 1.5 1e400 -0 0x10 NaN Infinity 9007199254740993 99999999999999999999999999 "
    "null true false undefined * deep,3 id %00 %0A %FF %C3%28 %ED%A0%80 %F0%9F%98%80 % "
    "%2 %25 %5B %5D %26 %3D + ' %27%20OR%201=1-- %22 %5C ` _ %25%25 ; # \xFF \x01 [ ] [] "
    "[0] [100] [$not] [$and][0] [$or][1] [$null] [$in] [$between] [$eqi] [$contains] "
    "[$jsonSupersetOf] [on] [populate] [filters] [fields] [sort] [limit] [start] [count] "
    "[publicationState] [__proto__] [id] [documentId] [createdBy] [localizations] 2024-02-30 "
    "draft modified status publicationFilter lookup "
    "2024-01-01T00:00:00Z 25:61:61 12:00:00.5 {\"a\":[1,2]} [1,2 .. // me count";

std::vector<std::string> split(std::string const& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

void encode(std::string& piece, Random& random) {
    constexpr char digits[] = "0123456789abcdefABCDEF";
    std::size_t const at = random.below(piece.size());
    auto const byte = static_cast<unsigned char>(piece[at]);
    auto const digit = [&](unsigned value) {
        return digits[value >= 10 && random.below(2) == 0 ? value + 6 : value];
    };
    piece.replace(at, 1, {'%', digit(byte / 16U), digit(byte % 16U)});
}

void replace_text(std::string& piece, std::string_view text, Random& random) {
    // Its separator stays, mostly: without, the piece joins the one before.
    bool const keeps = random.below(8) > 0;
    piece.resize(std::min<std::size_t>(piece.size(), keeps));
    piece += text;
}

void change(std::string& text, std::string const& other, std::string_view word, Random& random) {
    auto const cut = random.of(cuts);
    auto pieces = pieces_of(text, cut);
    auto const others = pieces_of(other, cut);
    std::size_t const index = random.below(pieces.size());
    auto const at = pieces.begin() + static_cast<std::ptrdiff_t>(index);
    switch (random.below(10)) {
    case 0:
        pieces.erase(at);
        break;
    case 1:
        pieces.insert(at, std::string(*at));
        break;
    case 2:
        std::swap(*at, pieces[random.below(pieces.size())]);
        break;
    case 3:
        at->resize(random.below(at->size() + 1));
        break;
    case 4:
        pieces.resize(index + 1);
        break;
    case 5:
        if (!at->empty()) encode(*at, random);
        break;
    case 6:
        *at = random.of(others);
        break;
    case 7:
        pieces.insert(at + 1, random.of(others));
        break;
    case 8:
        replace_text(*at, word, random);
        break;
    default:
        pieces.insert(at + 1, std::string(word));
        break;
    }
    text = std::accumulate(pieces.begin(), pieces.end(), std::string());
}

// Path and query, which begins with `?` or is empty.
std::pair<std::string, std::string> halves(std::string const& url) {
    auto const path_end = std::min(url.find('?'), url.size());
    return {url.substr(0, path_end), url.substr(path_end)};
}

// A query whose first parameter was dropped begins with `&`.
void make_valid(std::string& query) {
    if (query.starts_with('&')) query[0] = '?';
}

} // namespace

std::vector<std::string> pieces_of(std::string const& url, std::string_view separators) {
    std::vector<std::string> pieces(1);
    for (char const c : url) {
        bool const cut = separators.empty() || separators.find(c) != separators.npos;
        if (cut && !pieces.back().empty()) pieces.emplace_back();
        pieces.back() += c;
    }
    return pieces;
}

Mutation::Mutation(std::vector<Request> originals, std::vector<std::string> names)
    : originals_(std::move(originals)), names_(std::move(names)), odd_(split(odd_texts)) {
}

Request Mutation::mutant(std::uint64_t seed, std::uint64_t number) const {
    Random random(seed, number);
    Request request = random.of(originals_);
    do {
        auto [path, query] = halves(request.url);
        auto const [other_path, other_query] = halves(random.of(originals_).url);
        auto const& word = random.of(random.below(2) == 0 ? names_ : odd_);
        // Most changes of a path end in 404.
        if (random.below(12) == 0)
            change(path, other_path, word, random);
        else
            change(query, other_query, word, random);
        make_valid(query);
        request.url = path + query;
    } while (random.below(2) == 0);
    return request;
}

} // namespace properties
