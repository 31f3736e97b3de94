#include "fcgi/cache/gzip.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

#include <zlib.h>

BOOST_AUTO_TEST_SUITE(gzip)

namespace {

// By another library than the one that packs.
std::string unpacked(std::string const& packed, std::size_t size) {
    std::string bytes(size + 1, '\0');
    z_stream stream{};
    BOOST_TEST_REQUIRE(::inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_out = static_cast<uInt>(bytes.size());
    BOOST_TEST(::inflate(&stream, Z_FINISH) == Z_STREAM_END);
    bytes.resize(stream.total_out);
    ::inflateEnd(&stream);
    return bytes;
}

} // namespace

// RFC 9110, 12.4.2 and 12.5.3.
BOOST_AUTO_TEST_CASE(an_accept_encoding_takes_gzip_by_its_name_or_by_any) {
    std::pair<char const*, bool> const table[] = {
        {"", false},
        {"gzip", true},
        {"GZIP", true},
        {"gzip, deflate, br", true},
        {"br;q=1.0, gzip;q=0.8, *;q=0.1", true},
        {"deflate , gzip ; q=0.001", true},
        {"gzip;q=0", false},
        {"gzip;q=0.000, *", false},
        {"*", true},
        {"*;q=0", false},
        {"identity", false},
        {"x-gzip", false},
        {"deflate, br", false},
        {",,", false},
        {"gzip;", true},
    };
    for (auto const& [header, expected] : table)
        BOOST_TEST(fcgi::takes_gzip(header) == expected, header);
}

BOOST_AUTO_TEST_CASE(what_is_packed_comes_out_as_it_went_in) {
    for (std::size_t const size : {0U, 1U, 1'000U, 100'000U, 3'000'000U}) {
        std::string bytes;
        for (std::size_t i = 0; bytes.size() < size; ++i)
            bytes += R"({"id":)" + std::to_string(i * 7919) + "},";
        bytes.resize(size);
        auto const packed = fcgi::gzip(bytes);
        BOOST_TEST((unpacked(packed, size) == bytes));
        if (size >= 1'000) BOOST_TEST(packed.size() < size / 2);
    }
}

BOOST_AUTO_TEST_SUITE_END()
