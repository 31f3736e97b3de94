#include "db/content/archive.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace db {

namespace {

namespace fs = std::filesystem;

// Strapi writes at most this many characters into one file, however long the line.
constexpr std::size_t longest_line = 256'000'000;
constexpr std::size_t piece = 256 * 1024;
constexpr std::size_t head_size = 512;

constexpr std::pair<std::string_view, Section> sections[] = {
    {"schemas/", Section::schemas},
    {"entities/", Section::entities},
    {"assets/", Section::assets},
    {"links/", Section::links},
    {"configuration/", Section::configuration},
};

bool is_gzip(std::string_view head) {
    return head.starts_with("\x1f\x8b");
}

parser::Result<std::string> head_of(std::unique_ptr<ByteSource> source) {
    std::string head(head_size, '\0');
    auto const got = source->read(head.data(), head.size());
    // A source that is shorter, or does not decrypt, has no known format.
    head.resize(got ? *got : 0);
    return head;
}

parser::Error input_error() {
    return archive_error(std::string("-: standard input cannot be copied: ") +
                         std::strerror(errno));
}

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        auto const done = write(file, bytes.data(), bytes.size());
        if (done < 0 && errno != EINTR) return false;
        if (done > 0) bytes.remove_prefix(static_cast<std::size_t>(done));
    }
    return true;
}

bool copy_input(int file) {
    std::string bytes(piece, '\0');
    for (;;) {
        auto const got = read(STDIN_FILENO, bytes.data(), bytes.size());
        if (got == 0) return true;
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 || !write_all(file, {bytes.data(), static_cast<std::size_t>(got)}))
            return false;
    }
}

// Copies it into a file that only this process can read, and that is gone when it is closed.
parser::Result<int> copy_of_input() {
    char const* const folder = std::getenv("TMPDIR");
    std::string name = std::string(folder ? folder : "/tmp") + "/populate-fcgi.XXXXXX";
    int const file = mkostemp(name.data(), O_CLOEXEC); // with mode 0600
    if (file < 0) return input_error();
    unlink(name.c_str());
    if (copy_input(file)) return file;
    auto error = input_error();
    close(file);
    return error;
}

// `.\a` and `./a` are `a`: Strapi up to 4.9 on Windows, and tar on a folder, write them so.
std::string plain_name(std::string name) {
    std::ranges::replace(name, '\\', '/');
    while (name.starts_with("./"))
        name.erase(0, 2);
    return name;
}

bool leads_out(std::string_view name) {
    return name.empty() || name.front() == '/' || name == ".." || name.starts_with("../") ||
           name.ends_with("/..") || name.find("/../") != name.npos || name.find('\0') != name.npos;
}

} // namespace

bool is_archive(fs::path const& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) return path == "-" || fs::exists(path, error);
    return fs::exists(path / "metadata.json", error) || fs::is_directory(path / "schemas", error);
}

Archive::Archive(fs::path path, std::string passphrase)
    : path_(std::move(path)), passphrase_(std::move(passphrase)) {
}

Archive::~Archive() {
    if (descriptor_ >= 0) close(descriptor_);
}

parser::Result<std::unique_ptr<Archive>> Archive::open(fs::path const& path,
                                                       std::string passphrase) {
    std::unique_ptr<Archive> archive(new Archive(path, std::move(passphrase)));
    std::error_code error;
    if (!fs::is_directory(path, error))
        if (auto opened = archive->open_file(); !opened) return opened.error();
    if (auto begun = archive->rewind(); !begun) return begun.error();
    return archive;
}

parser::Result<void> Archive::open_file() {
    if (path_ == "-") {
        auto const copy = copy_of_input();
        if (!copy) return copy.error();
        descriptor_ = *copy;
    } else {
        descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (descriptor_ < 0) return archive_error(path_.string() + ": " + std::strerror(errno));
    }
    struct stat facts{};
    if (fstat(descriptor_, &facts) != 0 || !S_ISREG(facts.st_mode))
        return archive_error(path_.string() + ": expected a file or a folder");
    size_ = static_cast<std::uint64_t>(facts.st_size);
    return {};
}

// Looks at what comes out of each layer before it adds the next one.
parser::Result<std::unique_ptr<ByteSource>> Archive::layers() {
    std::uint64_t ignored = 0;
    auto const refuse = [this](std::string const& what) {
        return archive_error(path_.string() + ": " + what);
    };
    bool is_encrypted = false;
    bool is_compressed = false;
    auto const layered = [&](std::uint64_t& read) {
        auto source = file_source(descriptor_, read);
        if (is_encrypted) source = decrypted(std::move(source), *key_);
        if (is_compressed) source = decompressed(std::move(source));
        return source;
    };
    auto head = head_of(layered(ignored));
    if (!head) return head.error();
    if (!is_gzip(*head) && !is_tar(*head)) {
        if (passphrase_.empty())
            return refuse("is neither a tar file nor a gzip file; if it is encrypted, name the "
                          "file of its key with --key-file, or set POPULATE_ARCHIVE_KEY");
        is_encrypted = true;
        if (!key_) {
            auto const key = cipher_key(passphrase_);
            if (!key) return key.error();
            key_ = *key;
        }
        head = head_of(layered(ignored));
        if (!head) return head.error();
        if (!is_gzip(*head) && !is_tar(*head))
            return refuse("is not an archive that was encrypted with this key");
    }
    if (is_gzip(*head)) {
        is_compressed = true;
        head = head_of(layered(ignored));
        if (!head) return head.error();
        if (!is_tar(*head)) return refuse("is compressed, but not a tar file");
    }
    return layered(read_);
}

parser::Result<void> Archive::rewind() {
    read_ = 0;
    files_.clear();
    file_.clear();
    section_ = Section::schemas;
    has_entities_ = has_links_ = has_file_ = false;
    if (descriptor_ < 0) {
        members_ = folder_members(path_, read_);
        return {};
    }
    auto source = layers();
    if (!source) return source.error();
    members_ = tar_members(*std::move(source));
    return {};
}

parser::Error Archive::error(std::string const& message) const {
    auto place = path_.string() + ": ";
    if (!file_.empty()) place += file_;
    if (!file_.empty() && line_ > 0) place += ':' + std::to_string(line_);
    if (!file_.empty()) place += ": ";
    return archive_error(place + message);
}

parser::Result<bool> Archive::next() {
    for (;;) {
        if (!has_file_) {
            auto const is_there = next_file();
            if (!is_there || !*is_there) return is_there;
            if (section_ == Section::assets) return true;
            has_file_ = true;
        }
        auto const is_there = next_line();
        if (!is_there) return is_there;
        has_file_ = *is_there && section_ != Section::metadata;
        if (*is_there && !text_.empty()) return true;
    }
}

parser::Result<std::size_t> Archive::read(char* to, std::size_t size) {
    auto const got = members_->read(to, size);
    if (!got) return error(got.error().message);
    return got;
}

parser::Result<bool> Archive::next_file() {
    auto const is_there = members_->next();
    line_ = 0;
    if (!is_there) {
        file_.clear();
        return error(is_there.error().message);
    }
    if (!*is_there) return false;
    file_ = plain_name(members_->name());
    text_.clear();
    buffer_.clear();
    begin_ = 0;
    if (auto found = find_section(); !found) return found.error();
    return true;
}

parser::Result<void> Archive::find_section() {
    if (leads_out(file_)) return error("expected a name within the archive");
    if (!files_.insert(file_).second) return error("occurs twice in the archive");
    if (file_ == "metadata.json") {
        section_ = Section::metadata;
        return {};
    }
    auto const folder = std::ranges::find_if(
        sections, [this](auto const& each) { return file_.starts_with(each.first); });
    bool const is_known = folder != std::end(sections) &&
                          (folder->second == Section::assets || file_.ends_with(".jsonl"));
    if (!is_known) return error("is not a file of an archive that `strapi export` writes");
    bool const is_late = (folder->second == Section::schemas && has_entities_) ||
                         (folder->second <= Section::entities && has_links_);
    if (is_late) return error("expected schemas before entities, and these before links");
    section_ = folder->second;
    has_entities_ |= section_ == Section::entities;
    has_links_ |= section_ == Section::links;
    return {};
}

parser::Result<bool> Archive::next_line() {
    text_.clear();
    ++line_;
    bool has_any = false;
    for (;;) {
        auto const rest = std::string_view(buffer_).substr(begin_);
        auto const end = section_ == Section::metadata ? rest.npos : rest.find('\n');
        has_any |= !rest.empty();
        if (text_.size() + std::min(end, rest.size()) > longest_line)
            return error("expected a line of at most 256,000,000 bytes");
        text_.append(rest.substr(0, end));
        if (end != rest.npos) {
            begin_ += end + 1;
            return true;
        }
        buffer_.resize(piece);
        begin_ = 0;
        auto const got = members_->read(buffer_.data(), buffer_.size());
        if (!got) return error(got.error().message);
        buffer_.resize(*got);
        if (*got > 0) continue;
        if (section_ == Section::metadata) line_ = 0;
        return has_any;
    }
}

} // namespace db
