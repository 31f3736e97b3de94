#include "fcgi/cache/gzip.hpp"

#include <boost/algorithm/string/predicate.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <libdeflate.h>

#include <algorithm>
#include <memory>
#include <new>
#include <optional>

namespace fcgi {

namespace {

// This packs 97 KB of JSON into 17 KB, in a third of zlib's time.
constexpr int level = 6;

// These are zero: `0`, `0.`, `0.000`.
bool is_zero(std::string_view weight) {
    return weight.starts_with('0') && weight.find_first_not_of("0.") == weight.npos;
}

// Returns whether an item like `coding;q=0.5` takes this coding; absent: it names another.
std::optional<bool> is_taken(std::string_view item, std::string_view coding) {
    auto const semicolon = std::min(item.find(';'), item.size());
    if (!boost::iequals(boost::trim_copy(std::string(item.substr(0, semicolon))), coding))
        return std::nullopt;
    auto parameter =
        boost::trim_copy(std::string(item.substr(std::min(semicolon + 1, item.size()))));
    if (!boost::istarts_with(parameter, "q=")) return true;
    return !is_zero(std::string_view(parameter).substr(2));
}

} // namespace

bool takes_gzip(std::string_view accept_encoding) {
    std::optional<bool> any;
    while (!accept_encoding.empty()) {
        auto const item = accept_encoding.substr(0, accept_encoding.find(','));
        accept_encoding.remove_prefix(std::min(item.size() + 1, accept_encoding.size()));
        if (auto const taken = is_taken(item, "gzip")) return *taken;
        if (auto const taken = is_taken(item, "*")) any = taken;
    }
    return any.value_or(false);
}

std::string gzip(std::string_view bytes) {
    std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> const compressor(
        libdeflate_alloc_compressor(level), &libdeflate_free_compressor);
    if (!compressor) throw std::bad_alloc();
    std::string packed(libdeflate_gzip_compress_bound(compressor.get(), bytes.size()), '\0');
    packed.resize(libdeflate_gzip_compress(compressor.get(), bytes.data(), bytes.size(),
                                           packed.data(), packed.size()));
    packed.shrink_to_fit();
    return packed;
}

} // namespace fcgi
