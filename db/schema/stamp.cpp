#include "db/schema/project_walk.hpp"
#include "db/schema/schema.hpp"

#include <functional>

#include <sys/stat.h>

namespace db {

namespace {

// Returns a digest that changes with the file even if its times are set back, as archives and
// images do: nobody can set the time of the change itself (ctime), and a file that replaces it has
// another inode.
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

ProjectStamp stamp_of(std::filesystem::path const& folder) {
    ProjectStamp stamp;
    for_each_file(folder, [&](FTSENT const& file) {
        stamp.digest += digest_of(file);
        ++stamp.files;
    });
    return stamp;
}

} // namespace db
