#pragma once

#include "db/content/source.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace db {

// Reads the files of an archive, one after the other.
class Members {
  public:
    virtual ~Members() = default;
    // Goes to the next file, whatever is left of the one before. Returns false if there are no
    // more, and all of them were complete.
    virtual parser::Result<bool> next() = 0;
    // The name as the archive has it.
    std::string const& name() const { return name_; }
    // Reads up to `size` bytes of the file, fewer only at its end.
    virtual parser::Result<std::size_t> read(char* to, std::size_t size) = 0;

  protected:
    std::string name_;
};

// Reads a tar file: ustar with pax headers, as Strapi writes it, and with the long names of GNU
// tar. Folders are skipped; links and devices are refused.
std::unique_ptr<Members> tar_members(std::unique_ptr<Source> source);
// Reads a folder that is laid out like the tar file, in Strapi's order. Adds the bytes that it
// reads to `read`.
std::unique_ptr<Members> folder_members(std::filesystem::path folder, std::uint64_t& read);

// Returns whether the first 512 bytes of something are those of a tar file.
bool is_tar(std::string_view head);

} // namespace db
