#include "db/schema/layout.hpp"

#include <boost/algorithm/hex.hpp>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace db {

namespace {

constexpr std::size_t hash_digits = 5;

// Returns the first five hexadecimal digits of SHAKE-256.
std::string hash_of(std::string_view text) {
    std::array<unsigned char, (hash_digits + 1) / 2> bytes{};
    EVP_MD_CTX* const context = EVP_MD_CTX_new();
    EVP_DigestInit_ex(context, EVP_shake256(), nullptr);
    EVP_DigestUpdate(context, text.data(), text.size());
    EVP_DigestFinalXOF(context, bytes.data(), bytes.size());
    EVP_MD_CTX_free(context);
    std::string digits;
    boost::algorithm::hex_lower(bytes, std::back_inserter(digits));
    return digits.substr(0, hash_digits);
}

std::string joined(std::vector<std::string> const& parts) {
    std::string name;
    for (std::string const& part : parts)
        name.append(&part == &parts.front() ? "" : "_").append(part);
    return name;
}

// Returns how many characters each part that is not fixed may have, so that all together have
// `room`: the same for each, and what short ones leave goes to the others in turn.
std::vector<std::size_t> shares(std::vector<std::size_t> const& sizes, std::size_t room) {
    std::size_t const each = room / sizes.size();
    std::size_t rest = room % sizes.size();
    std::vector<std::size_t> shares;
    for (std::size_t const size : sizes) {
        shares.push_back(std::min(size, each));
        rest += each - shares.back();
    }
    for (bool is_short = true; rest > 0 && is_short;) {
        is_short = false;
        for (std::size_t i = 0; i < sizes.size() && rest > 0; ++i) {
            if (shares[i] == sizes[i]) continue;
            ++shares[i];
            --rest;
            is_short = true;
        }
    }
    return shares;
}

} // namespace

// Strapi 5.54 shortens identifiers: a part with too many characters keeps its first ones, followed
// by a hash of the whole part.
std::string Layout::name(std::initializer_list<Part> parts) const {
    std::vector<std::string> texts;
    std::vector<std::size_t> sizes; // of those that are not fixed
    std::size_t taken = parts.size() - 1;
    for (Part const& part : parts) {
        texts.push_back(part.text);
        if (part.is_fixed)
            taken += part.text.size();
        else
            sizes.push_back(part.text.size());
    }
    auto const whole = joined(texts);
    if (longest_name == 0 || whole.size() <= longest_name || sizes.empty() || taken > longest_name)
        return whole;
    auto const room = shares(sizes, longest_name - taken);
    auto share = room.begin();
    std::size_t at = 0;
    for (Part const& part : parts) {
        std::string& text = texts[at++];
        if (part.is_fixed) continue;
        std::size_t const most = *share++;
        if (text.size() > most && most > hash_digits)
            text = text.substr(0, most - hash_digits) + hash_of(text);
    }
    return joined(texts);
}

} // namespace db
