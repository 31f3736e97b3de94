#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Texts of one hash, as somebody would make them up who knows GCC's std::hash, MurmurHash64A.

namespace colliding {

constexpr std::uint64_t factor = 0xc6a4a7935bd1e995;
constexpr std::uint64_t seed = 0xc70f6907;
constexpr std::string_view characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

inline std::uint64_t inverse(std::uint64_t odd) {
    std::uint64_t found = 1;
    for (int i = 0; i < 6; ++i)
        found *= 2 - odd * found;
    return found;
}

// Each eight bytes are mixed before they meet what came before.
inline std::uint64_t mixed(std::string_view block) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, block.data(), sizeof bytes);
    bytes *= factor;
    bytes ^= bytes >> 47;
    return bytes * factor;
}

inline std::string block_of(std::uint64_t mixed) {
    mixed *= inverse(factor);
    mixed ^= mixed >> 47;
    mixed *= inverse(factor);
    std::string bytes(sizeof mixed, '\0');
    std::memcpy(bytes.data(), &mixed, sizeof mixed);
    return bytes;
}

inline std::string any_block(std::mt19937_64& random) {
    std::string block(sizeof(std::uint64_t), '\0');
    for (char& byte : block)
        byte = characters[random() % characters.size()];
    return block;
}

// Two texts of two blocks that may stand in a URL, and that lead from one state to the same next
// one.
inline std::pair<std::string, std::string> step(std::uint64_t& state, std::mt19937_64& random) {
    auto const begin = any_block(random), end = any_block(random);
    auto const before = ((state ^ mixed(begin)) * factor) ^ mixed(end);
    std::string other_begin, other_end;
    do {
        other_begin = any_block(random);
        other_end = block_of(((state ^ mixed(other_begin)) * factor) ^ before);
    } while (other_end.find_first_not_of(characters) != other_end.npos);
    state = before * factor;
    return {begin + end, other_begin + other_end};
}

// 2^pairs of them, in any order
inline std::vector<std::string> texts_of_one_hash(unsigned pairs) {
    std::mt19937_64 random;
    std::uint64_t state = seed ^ (std::uint64_t{pairs} * 2 * sizeof state * factor);
    std::vector<std::string> texts{""};
    for (unsigned pair = 0; pair < pairs; ++pair) {
        auto const [one, other] = step(state, random);
        std::vector<std::string> longer;
        for (auto const& text : texts) {
            longer.push_back(text + one);
            longer.push_back(text + other);
        }
        texts = std::move(longer);
    }
    std::ranges::shuffle(texts, random);
    return texts;
}

} // namespace colliding
