#include "db/content/contents.hpp"
#include "tests/fuzz/expect.hpp"

#include <cstdint>
#include <map>
#include <numeric>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

// Archives of `strapi export`, with any bytes in them. Not encrypted ones: each key takes 40 ms.

using fuzz::expect;

namespace {

constexpr std::size_t block = 512;
constexpr std::size_t checksum = 148;
constexpr std::size_t checksum_size = 8;

// Few changes of a header would be found otherwise, behind its sum.
void set_checksums(std::string& tar) {
    for (std::size_t begin = 0; begin + block <= tar.size(); begin += block) {
        if (tar.compare(begin + 257, 5, "ustar") != 0) continue;
        tar.replace(begin + checksum, checksum_size, checksum_size, ' ');
        auto sum = std::accumulate(
            tar.begin() + static_cast<std::ptrdiff_t>(begin),
            tar.begin() + static_cast<std::ptrdiff_t>(begin + block), 0U,
            [](unsigned so_far, char c) { return so_far + static_cast<unsigned char>(c); });
        for (std::size_t digit = checksum_size - 2; digit-- > 0; sum /= 8)
            tar[begin + checksum + digit] = static_cast<char>('0' + sum % 8);
    }
}

class File {
  public:
    explicit File(std::string const& bytes) : descriptor_(memfd_create("archive", 0)) {
        bool const is_written =
            write(descriptor_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
        expect(is_written, "there is memory for a file");
    }
    File(File const&) = delete;
    File& operator=(File const&) = delete;
    ~File() { close(descriptor_); }
    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

  private:
    int const descriptor_;
};

// Returns what is wrong with it, or nothing.
std::string read(db::Archive& archive, std::map<std::string, std::size_t>& entries) {
    auto const contents = db::read_contents(archive, [] {});
    if (!contents) return contents.error().message;
    entries = contents->entries;
    expect(contents->release[0] == '4' || contents->release[0] == '5', "its release is known");
    expect(!contents->schemas.empty(), "it has types");
    return "";
}

// The second pass, as an import makes it.
void expect_entries_and_links(db::Archive& archive,
                              std::map<std::string, std::size_t> const& entries) {
    std::map<std::string, std::size_t> found;
    expect(bool(archive.rewind()), "it is read again");
    for (;;) {
        auto const more = archive.next();
        expect(bool(more), "what was whole is whole again");
        if (!*more) break;
        if (archive.section() == db::Section::links)
            expect(bool(db::read_link(archive)), "links are links again");
        if (archive.section() != db::Section::entities) continue;
        auto const entry = db::read_entry(archive);
        expect(bool(entry), "entries are entries again");
        ++found[entry->type];
    }
    expect(found == entries, "all entries are counted");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string bytes(reinterpret_cast<char const*>(data), size);
    set_checksums(bytes);
    File const file(bytes);
    auto const archive = db::Archive::open(file.path(), "");
    if (!archive) {
        expect(archive.error().message.starts_with(file.path()), "the file is named");
        return 0;
    }
    std::map<std::string, std::size_t> entries;
    auto const wrong = read(**archive, entries);
    expect(wrong.find('\n') == wrong.npos, "what is wrong is one line", wrong);
    if (wrong.empty()) expect_entries_and_links(**archive, entries);
    return 0;
}
