#pragma once

#include "parser/base/error.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

// Bytes of a file, decrypted and decompressed on their way: in the order in which Strapi's export
// makes an archive, a tar is compressed with gzip, and that is encrypted with AES-128-ECB, its key
// made of a passphrase by scrypt.

namespace db {

// What is wrong with an archive. Its message begins with the place and has no value of the archive.
parser::Error archive_error(std::string message);

using CipherKey = std::array<unsigned char, 16>;
// Takes some 40 ms by design.
parser::Result<CipherKey> cipher_key(std::string_view passphrase);

class Source {
  public:
    virtual ~Source() = default;
    // Reads up to `size` bytes, fewer only at the end; 0: there are no more, and what there was is
    // whole.
    virtual parser::Result<std::size_t> read(char* to, std::size_t size) = 0;
};

// A file that is open as long as this, from its first byte. Adds to `read` what has been read.
std::unique_ptr<Source> file_source(int file, std::uint64_t& read);
std::unique_ptr<Source> decrypted(std::unique_ptr<Source> source, CipherKey const& key);
std::unique_ptr<Source> decompressed(std::unique_ptr<Source> source);

} // namespace db
