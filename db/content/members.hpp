#pragma once

#include "parser/base/error.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

// Sources read the bytes of a file, and decrypt and decompress them. Strapi's export makes an
// archive in this order: a tar file is compressed with gzip, and that is encrypted with
// AES-128-ECB, with a key that scrypt makes from a passphrase.

namespace db {

// Returns an archive's error; its message begins with the place and has no value of the archive.
parser::Error archive_error(std::string message);

using CipherKey = std::array<unsigned char, 16>;
// Takes some 40 ms by design.
parser::Result<CipherKey> cipher_key(std::string_view passphrase);

class ByteSource {
  public:
    virtual ~ByteSource() = default;
    // Reads up to `size` bytes, fewer only at the end. 0 means that there are no more, and that the
    // source was complete.
    virtual parser::Result<std::size_t> read(char* to, std::size_t size) = 0;
};

// Reads a file, which must stay open, from its first byte. Adds the bytes read to `read`.
std::unique_ptr<ByteSource> file_source(int file, std::uint64_t& read);
std::unique_ptr<ByteSource> decrypted(std::unique_ptr<ByteSource> source, CipherKey const& key);
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source);

// Reads the files of an archive, one after the other.
class ArchiveMembers {
  public:
    virtual ~ArchiveMembers() = default;
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
std::unique_ptr<ArchiveMembers> tar_members(std::unique_ptr<ByteSource> source);
// Reads a folder that is laid out like the tar file, in Strapi's order. Adds the bytes that it
// reads to `read`.
std::unique_ptr<ArchiveMembers> folder_members(std::filesystem::path folder, std::uint64_t& read);

// Returns whether the first 512 bytes of something are those of a tar file.
bool is_tar(std::string_view head);

} // namespace db
