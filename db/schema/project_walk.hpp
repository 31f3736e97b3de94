#pragma once

#include "db/schema/folder.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include <fts.h>

namespace db {

// Returns what load_schema() reads: four folders and a file, each of which may be absent.
inline std::array<std::string, 5> project_parts(std::filesystem::path const& folder) {
    auto const found = find_source(folder);
    auto const& source = found ? *found : folder;
    return {source / "api", source / "components", source / "extensions", source / "middlewares",
            source / ".." / "package.json"};
}

// Calls `visit` with the FTSENT of each file and folder that load_schema() reads, following links.
// It uses fts(3) because the iterators of std::filesystem end the process when memory runs out.
void for_each_file(std::filesystem::path const& folder, auto visit) {
    struct Close {
        void operator()(FTS* files) const { ::fts_close(files); }
    };
    auto parts = project_parts(folder);
    std::array<char*, 6> paths{}; // the last is null
    for (std::size_t i = 0; i < parts.size(); ++i)
        paths[i] = parts[i].data();
    std::unique_ptr<FTS, Close> const files(
        ::fts_open(paths.data(), FTS_LOGICAL | FTS_NOCHDIR, nullptr));
    while (FTSENT const* file = files ? ::fts_read(files.get()) : nullptr)
        // load_schema() reports what can't be read now.
        if (file->fts_info == FTS_F || file->fts_info == FTS_D) visit(*file);
}

} // namespace db
