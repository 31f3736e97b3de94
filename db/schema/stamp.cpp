#include "db/schema/folder.hpp"
#include "db/schema/schema.hpp"

#include <array>
#include <memory>
#include <string_view>

#include <fts.h>
#include <sys/stat.h>

namespace db {

namespace {

// What changes with a file even where its times were set back, as archives and images do: nobody
// sets the time of the change itself (ctime), and a file that takes its place has another inode.
std::uint64_t digest_of(FTSENT const& file) {
    auto const& is = *file.fts_statp;
    std::int64_t const facts[] = {
        is.st_size,        is.st_mtim.tv_sec,  is.st_mtim.tv_nsec,
        is.st_ctim.tv_sec, is.st_ctim.tv_nsec, static_cast<std::int64_t>(is.st_ino),
    };
    std::string bytes(reinterpret_cast<char const*>(facts), sizeof facts);
    bytes += file.fts_path;
    return std::hash<std::string>()(bytes);
}

} // namespace

// By fts(3): the iterators of std::filesystem end the process where memory runs out.
ProjectStamp stamp_of(std::filesystem::path const& folder) {
    struct Close {
        void operator()(FTS* files) const { ::fts_close(files); }
    };
    ProjectStamp stamp;
    auto const found = find_source(folder);
    auto const& source = found ? *found : folder;
    std::array<std::string, 4> parts{source / "api", source / "components", source / "extensions",
                                     source / ".." / "package.json"};
    std::array<char*, 5> paths{};
    for (std::size_t i = 0; i < parts.size(); ++i)
        paths[i] = parts[i].data();
    std::unique_ptr<FTS, Close> const files(
        ::fts_open(paths.data(), FTS_LOGICAL | FTS_NOCHDIR, nullptr));
    while (FTSENT const* file = files ? ::fts_read(files.get()) : nullptr) {
        // What can't be read now is what load_schema() will complain about.
        if (file->fts_info != FTS_F && file->fts_info != FTS_D) continue;
        stamp.digest += digest_of(*file);
        ++stamp.files;
    }
    return stamp;
}

} // namespace db
