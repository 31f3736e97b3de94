#include "db/content/members.hpp"

#include <openssl/evp.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace db {

namespace {

constexpr std::size_t chunk = 64 * 1024;

class FileSource : public ByteSource {
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

// Makes its bytes from another source, a piece at a time.
class Layer : public ByteSource {
  public:
    explicit Layer(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

    parser::Result<std::size_t> read(char* to, std::size_t size) override {
        std::size_t got = 0;
        while (got < size) {
            if (begin_ == made_.size()) {
                if (is_done_) break;
                begin_ = 0;
                made_.clear();
                auto const more = make(made_);
                if (!more) return more.error();
                is_done_ = !*more;
                continue;
            }
            auto const count = std::min(size - got, made_.size() - begin_);
            std::memcpy(to + got, made_.data() + begin_, count);
            begin_ += count;
            got += count;
        }
        return got;
    }

  protected:
    // Appends some bytes. Returns false if these were the last.
    virtual parser::Result<bool> make(std::vector<char>& bytes) = 0;
    parser::Result<std::size_t> next_input() { return source_->read(input_.data(), input_.size()); }
    unsigned char* input() { return reinterpret_cast<unsigned char*>(input_.data()); }

  private:
    std::unique_ptr<ByteSource> source_;
    std::array<char, chunk> input_{};
    std::vector<char> made_;
    std::size_t begin_ = 0; // of what has not been read
    bool is_done_ = false;
};

class Decryption : public Layer {
  public:
    Decryption(std::unique_ptr<ByteSource> source, CipherKey const& key)
        : Layer(std::move(source)),
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
    std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context_{EVP_CIPHER_CTX_new(),
                                                                             EVP_CIPHER_CTX_free};
    bool const is_ready_;
};

class Decompression : public Layer {
  public:
    explicit Decompression(std::unique_ptr<ByteSource> source) : Layer(std::move(source)) {
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

namespace fs = std::filesystem;

class FolderMembers : public ArchiveMembers {
  public:
    FolderMembers(fs::path folder, std::uint64_t& read) : folder_(std::move(folder)), read_(read) {}
    FolderMembers(FolderMembers const&) = delete;
    FolderMembers& operator=(FolderMembers const&) = delete;
    ~FolderMembers() override { close_file(); }

    parser::Result<bool> next() override {
        if (!is_listed_)
            if (auto listed = list(); !listed) return listed.error();
        close_file();
        if (at_ == names_.size()) return false;
        name_ = names_[at_++];
        struct stat facts{};
        file_ = open((folder_ / name_).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (file_ < 0 && errno != ELOOP) return archive_error(name_ + ": " + std::strerror(errno));
        if (file_ < 0 || fstat(file_, &facts) != 0 || !S_ISREG(facts.st_mode))
            return archive_error(name_ + ": expected a file, found a link or a device");
        source_ = file_source(file_, read_);
        return true;
    }

    parser::Result<std::size_t> read(char* to, std::size_t size) override {
        return source_->read(to, size);
    }

  private:
    void close_file() {
        if (file_ >= 0) close(file_);
        file_ = -1;
    }

    // Lists the files in the order in which an archive has them, and follows no links.
    parser::Result<void> list() {
        is_listed_ = true;
        for (auto const* kind : {"schemas", "entities", "assets", "links", "configuration"}) {
            std::error_code error;
            auto const begin = static_cast<std::ptrdiff_t>(names_.size());
            if (!fs::exists(folder_ / kind, error)) continue;
            fs::recursive_directory_iterator file(folder_ / kind, error);
            while (!error && file != fs::recursive_directory_iterator()) {
                bool const is_folder = fs::is_directory(file->symlink_status(error));
                if (error) break;
                if (!is_folder) names_.push_back(file->path().lexically_relative(folder_).string());
                file.increment(error);
            }
            if (error) return archive_error(std::string(kind) + ": " + error.message());
            std::sort(names_.begin() + begin, names_.end());
        }
        std::error_code error;
        if (fs::exists(folder_ / "metadata.json", error)) names_.emplace_back("metadata.json");
        return {};
    }

    fs::path const folder_;
    std::uint64_t& read_;
    std::vector<std::string> names_;
    std::size_t at_ = 0;
    bool is_listed_ = false;
    int file_ = -1;
    std::unique_ptr<ByteSource> source_;
};

} // namespace

parser::Error archive_error(std::string message) {
    std::ranges::replace(message, '\n', '?'); // a name may have some; a message is one line
    return {parser::ErrorKind::invalid, std::move(message)};
}

std::unique_ptr<ByteSource> file_source(int file, std::uint64_t& read) {
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

std::unique_ptr<ByteSource> decrypted(std::unique_ptr<ByteSource> source, CipherKey const& key) {
    return std::make_unique<Decryption>(std::move(source), key);
}

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source) {
    return std::make_unique<Decompression>(std::move(source));
}

std::unique_ptr<ArchiveMembers> folder_members(fs::path folder, std::uint64_t& read) {
    return std::make_unique<FolderMembers>(std::move(folder), read);
}

} // namespace db
