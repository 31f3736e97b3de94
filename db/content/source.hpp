#pragma once

#include "parser/base/error.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
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

class Source {
  public:
    virtual ~Source() = default;
    // Reads up to `size` bytes, fewer only at the end. 0 means that there are no more, and that the
    // source was complete.
    virtual parser::Result<std::size_t> read(char* to, std::size_t size) = 0;
};

// Reads a file, which must stay open, from its first byte. Adds the bytes read to `read`.
std::unique_ptr<Source> file_source(int file, std::uint64_t& read);
std::unique_ptr<Source> decrypted(std::unique_ptr<Source> source, CipherKey const& key);
std::unique_ptr<Source> decompressed(std::unique_ptr<Source> source);

} // namespace db
