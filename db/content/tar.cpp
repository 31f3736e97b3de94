#include "db/content/members.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

// The format is POSIX.1-2017, pax: ustar interchange format and extended headers.

namespace db {

namespace {

constexpr std::size_t block_size = 512;
// Bytes of a pax header, or a GNU one: many times the longest path of a system.
constexpr std::uint64_t longest_header = 1024 * 1024;
constexpr std::size_t longest_path = 4096; // PATH_MAX of Linux

using Block = std::array<char, block_size>;

std::string_view field(Block const& block, std::size_t begin, std::size_t size) {
    std::string_view const all(block.data() + begin, size);
    return all.substr(0, std::min(all.find('\0'), all.size()));
}

// Reads octal digits between spaces or, if the first bit is set, a binary number.
std::optional<std::uint64_t> number(Block const& block, std::size_t begin, std::size_t size) {
    auto const first = static_cast<unsigned char>(block[begin]);
    if (first & 0x80U) {
        std::uint64_t value = first & 0x7FU;
        for (std::size_t i = 1; i < size; ++i) {
            if (value >> 55) return std::nullopt;
            value = value << 8 | static_cast<unsigned char>(block[begin + i]);
        }
        return value;
    }
    auto text = field(block, begin, size);
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    std::uint64_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 8);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

constexpr std::size_t checksum_begin = 148;
constexpr std::size_t checksum_size = 8;

bool has_checksum(Block const& block) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < block_size; ++i) {
        bool const is_of_sum = i >= checksum_begin && i < checksum_begin + checksum_size;
        sum += is_of_sum ? ' ' : static_cast<unsigned char>(block[i]);
    }
    return number(block, checksum_begin, checksum_size) == sum;
}

bool is_zero(char const* bytes, std::size_t size) {
    return std::all_of(bytes, bytes + size, [](char c) { return c == 0; });
}

class TarMembers : public ArchiveMembers {
  public:
    explicit TarMembers(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

    parser::Result<bool> next() override {
        Extension extension;
        for (;;) {
            if (auto skipped = skip_rest(); !skipped) return skipped.error();
            auto const header = read_block();
            if (!header) return header.error();
            if (is_zero(header->data(), block_size)) return read_end();
            auto const size = number(*header, 124, 12);
            if (!is_tar({header->data(), block_size}) || !has_checksum(*header) || !size)
                return archive_error("expected the header of a file" + behind());
            char const type = (*header)[156];
            bool const is_of_next = type == 'x' || type == 'L';
            left_ = extension.has_size && !is_of_next ? extension.size : *size;
            if (left_ > std::numeric_limits<std::uint64_t>::max() - block_size)
                return archive_error("expected the size of a file" + behind());
            padding_ = (block_size - left_ % block_size) % block_size;
            if (type == 'g') continue;
            if (is_of_next) {
                auto done = read_extension(type, extension);
                if (!done) return done.error();
                continue;
            }
            name_ = extension.name.empty() ? name_of(*header) : extension.name;
            if (type == '5') {
                extension = {};
                continue;
            }
            if (type == '0' || type == '\0') return true;
            return archive_error(name_ + ": expected a file, found a link or a device");
        }
    }

    parser::Result<std::size_t> read(char* to, std::size_t size) override {
        auto const wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, left_));
        auto const got = source_->read(to, wanted);
        if (!got) return got;
        if (*got < wanted) return cut_off();
        left_ -= wanted;
        return wanted;
    }

  private:
    // What the headers before that of a file say about it.
    struct Extension {
        std::string name;
        bool has_size = false;
        std::uint64_t size = 0;
    };

    static std::string name_of(Block const& header) {
        bool const is_posix = field(header, 257, 6) == "ustar"; // GNU has other things there
        std::string name(is_posix ? field(header, 345, 155) : std::string_view());
        if (!name.empty()) name += '/';
        return name.append(field(header, 0, 100));
    }

    std::string behind() const { return name_.empty() ? "" : " after " + name_; }
    parser::Error cut_off() const { return archive_error("is cut off" + behind()); }

    parser::Result<Block> read_block() {
        Block block{};
        auto const got = source_->read(block.data(), block.size());
        if (!got) return got.error();
        if (*got < block.size()) return cut_off();
        return block;
    }

    parser::Result<void> skip_rest() {
        std::array<char, 16 * block_size> rest{};
        for (auto left = left_ + padding_; left > 0;) {
            auto const wanted = std::min<std::uint64_t>(left, rest.size());
            auto const got = source_->read(rest.data(), wanted);
            if (!got) return got.error();
            if (*got < wanted) return cut_off();
            left -= wanted;
        }
        left_ = padding_ = 0;
        return {};
    }

    // Reads what precedes a file: `27 path=entities/a name\n` of pax, or GNU's name alone.
    parser::Result<void> read_extension(char type, Extension& extension) {
        auto const refuse = [this] { return archive_error("expected a pax header" + behind()); };
        if (left_ > longest_header) return refuse();
        std::string text(left_, '\0');
        if (auto const got = read(text.data(), text.size()); !got) return got.error();
        if (type == 'L') {
            extension.name = text.substr(0, text.find('\0'));
            return extension.name.size() > longest_path ? refuse() : parser::Result<void>();
        }
        for (std::string_view rest = text; !rest.empty();) {
            std::size_t length = 0;
            auto const [end, error] =
                std::from_chars(rest.data(), rest.data() + rest.size(), length);
            auto const begin = static_cast<std::size_t>(end - rest.data()) + 1;
            if (error != std::errc() || length > rest.size() || length < begin + 2 || *end != ' ' ||
                rest[length - 1] != '\n')
                return refuse();
            auto const record = rest.substr(begin, length - begin - 1);
            rest.remove_prefix(length);
            if (record.starts_with("path=")) extension.name = record.substr(5);
            if (extension.name.size() > longest_path) return refuse();
            if (!record.starts_with("size=")) continue;
            auto const digits = record.substr(5);
            auto const [last, wrong] =
                std::from_chars(digits.data(), digits.data() + digits.size(), extension.size);
            if (wrong != std::errc() || last != digits.data() + digits.size()) return refuse();
            extension.has_size = true;
        }
        return {};
    }

    // Expects a second block of zeros, and nothing but zeros behind it.
    parser::Result<bool> read_end() {
        if (auto const second = read_block(); !second) return second.error();
        std::array<char, 16 * block_size> rest{};
        for (;;) {
            auto const got = source_->read(rest.data(), rest.size());
            if (!got) return got.error();
            if (!is_zero(rest.data(), *got)) return archive_error("there is data after its end");
            if (*got < rest.size()) return false;
        }
    }

    std::unique_ptr<ByteSource> source_;
    std::uint64_t left_ = 0; // bytes of the file
    std::uint64_t padding_ = 0;
};

} // namespace

bool is_tar(std::string_view head) {
    return head.size() == block_size && head.substr(257, 5) == "ustar";
}

std::unique_ptr<ArchiveMembers> tar_members(std::unique_ptr<ByteSource> source) {
    return std::make_unique<TarMembers>(std::move(source));
}

} // namespace db
