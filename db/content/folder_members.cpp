#include "db/content/members.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace db {

namespace {

namespace fs = std::filesystem;

class FolderMembers : public Members {
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
    std::unique_ptr<Source> source_;
};

} // namespace

std::unique_ptr<Members> folder_members(fs::path folder, std::uint64_t& read) {
    return std::make_unique<FolderMembers>(std::move(folder), read);
}

} // namespace db
