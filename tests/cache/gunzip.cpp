#include "gunzip.hpp"

#include <zlib.h>

namespace cache_test {

std::string gunzip(std::string_view packed) {
    constexpr int any_window = 15, with_gzip_header = 16;
    z_stream stream{};
    if (inflateInit2(&stream, any_window + with_gzip_header) != Z_OK) return {};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    std::string text, buffer(1 << 16, '\0');
    int result = Z_OK;
    while (result == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream.avail_out = static_cast<uInt>(buffer.size());
        result = inflate(&stream, Z_NO_FLUSH);
        text.append(buffer, 0, buffer.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    return result == Z_STREAM_END && stream.avail_in == 0 ? text : std::string();
}

} // namespace cache_test
