#include "db/content/source.hpp"

#include <openssl/evp.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <unistd.h>

namespace db {

namespace {

constexpr std::size_t chunk = 64 * 1024;

class FileSource : public Source {
  public:
    FileSource(int file, std::uint64_t& read) : file_(file), read_(read) {}

    parser::Result<std::size_t> read(char* to, std::size_t size) override {
        std::size_t got = 0;
        while (got < size) {
            auto const count = pread(file_, to + got, size - got, static_cast<off_t>(at_));
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) return archive_error(std::strerror(errno));
            if (count == 0) break;
            got += static_cast<std::size_t>(count);
            at_ += static_cast<std::uint64_t>(count);
            read_ += static_cast<std::uint64_t>(count);
        }
        return got;
    }

  private:
    int const file_;
    std::uint64_t at_ = 0;
    std::uint64_t& read_;
};

// Holds bytes that have been made but not been read yet.
class Ready {
  public:
    std::vector<char>& refill() {
        begin_ = 0;
        bytes_.clear();
        return bytes_;
    }
    bool empty() const { return begin_ == bytes_.size(); }
    std::size_t take(char* to, std::size_t size) {
        auto const count = std::min(size, bytes_.size() - begin_);
        std::memcpy(to, bytes_.data() + begin_, count);
        begin_ += count;
        return count;
    }

  private:
    std::vector<char> bytes_;
    std::size_t begin_ = 0;
};

// Makes its bytes from another source, a piece at a time.
class Filter : public Source {
  public:
    explicit Filter(std::unique_ptr<Source> source) : source_(std::move(source)) {}

    parser::Result<std::size_t> read(char* to, std::size_t size) override {
        std::size_t got = 0;
        while (got < size) {
            if (ready_.empty()) {
                if (is_done_) break;
                auto const more = make(ready_.refill());
                if (!more) return more.error();
                is_done_ = !*more;
                continue;
            }
            got += ready_.take(to + got, size - got);
        }
        return got;
    }

  protected:
    // Appends some bytes. Returns false if these were the last.
    virtual parser::Result<bool> make(std::vector<char>& bytes) = 0;
    parser::Result<std::size_t> next_input() { return source_->read(input_.data(), input_.size()); }
    unsigned char* input() { return reinterpret_cast<unsigned char*>(input_.data()); }

  private:
    std::unique_ptr<Source> source_;
    std::array<char, chunk> input_{};
    Ready ready_;
    bool is_done_ = false;
};

class Decryption : public Filter {
  public:
    Decryption(std::unique_ptr<Source> source, CipherKey const& key)
        : Filter(std::move(source)),
          is_ready_(EVP_DecryptInit_ex(context_.get(), EVP_aes_128_ecb(), nullptr, key.data(),
                                       nullptr) == 1) {}

  protected:
    parser::Result<bool> make(std::vector<char>& bytes) override {
        if (!is_ready_) return archive_error("no cipher is available to decrypt it");
        auto const size = next_input();
        if (!size) return size.error();
        bytes.resize(*size + EVP_MAX_BLOCK_LENGTH);
        auto* const to = reinterpret_cast<unsigned char*>(bytes.data());
        int made = 0;
        bool const is_end = *size == 0;
        bool const is_good = is_end ? EVP_DecryptFinal_ex(context_.get(), to, &made) == 1
                                    : EVP_DecryptUpdate(context_.get(), to, &made, input(),
                                                        static_cast<int>(*size)) == 1;
        if (!is_good) return archive_error("the encrypted file is cut off, or has been changed");
        bytes.resize(static_cast<std::size_t>(made));
        return !is_end;
    }

  private:
    struct Free {
        void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
    };
    std::unique_ptr<EVP_CIPHER_CTX, Free> context_{EVP_CIPHER_CTX_new()};
    bool const is_ready_;
};

class Decompression : public Filter {
  public:
    explicit Decompression(std::unique_ptr<Source> source) : Filter(std::move(source)) {
        constexpr int gzip_alone = 15 + 16; // zlib's window bits
        is_ready_ = inflateInit2(&stream_, gzip_alone) == Z_OK;
    }
    Decompression(Decompression const&) = delete;
    Decompression& operator=(Decompression const&) = delete;
    ~Decompression() override { inflateEnd(&stream_); }

  protected:
    parser::Result<bool> make(std::vector<char>& bytes) override {
        if (!is_ready_) return archive_error("there is not enough memory to decompress it");
        if (stream_.avail_in == 0) {
            auto const size = next_input();
            if (!size) return size.error();
            if (*size == 0) return archive_error("the compressed file is cut off");
            stream_.next_in = input();
            stream_.avail_in = static_cast<uInt>(*size);
        }
        bytes.resize(chunk);
        stream_.next_out = reinterpret_cast<unsigned char*>(bytes.data());
        stream_.avail_out = chunk;
        auto const result = inflate(&stream_, Z_NO_FLUSH);
        bytes.resize(chunk - stream_.avail_out);
        if (result == Z_OK || (result == Z_BUF_ERROR && stream_.avail_in == 0)) return true;
        if (result != Z_STREAM_END)
            return archive_error("the compressed file has been changed, or is not a gzip file");
        // At its end the source reports whether it is complete.
        auto const more = stream_.avail_in > 0 ? 1 : next_input();
        if (!more) return more.error();
        if (*more > 0) return archive_error("there is data after the end of the compressed file");
        return false;
    }

  private:
    z_stream stream_{};
    bool is_ready_ = false;
};

} // namespace

parser::Error archive_error(std::string message) {
    std::ranges::replace(message, '\n', '?'); // a name may have some; a message is one line
    return {parser::ErrorKind::invalid, std::move(message)};
}

std::unique_ptr<Source> file_source(int file, std::uint64_t& read) {
    return std::make_unique<FileSource>(file, read);
}

// Makes the key as `crypto.scryptSync(passphrase, '', 16)` of Node does, which Strapi calls.
parser::Result<CipherKey> cipher_key(std::string_view passphrase) {
    constexpr std::uint64_t most_memory = 64 * 1024 * 1024;
    CipherKey key{};
    if (EVP_PBE_scrypt(passphrase.data(), passphrase.size(), nullptr, 0, 16'384, 8, 1, most_memory,
                       key.data(), key.size()) != 1)
        return archive_error("the key cannot be derived from the passphrase");
    return key;
}

std::unique_ptr<Source> decrypted(std::unique_ptr<Source> source, CipherKey const& key) {
    return std::make_unique<Decryption>(std::move(source), key);
}

std::unique_ptr<Source> decompressed(std::unique_ptr<Source> source) {
    return std::make_unique<Decompression>(std::move(source));
}

} // namespace db
