#pragma once

#include "db/content/members.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

// An archive is what `strapi export` of Strapi 4.6 to 5 writes: a tar file, which may be compressed
// and then encrypted, or a folder of the same files. Each file holds lines of JSON, except uploaded
// files and metadata.json, which says the release of Strapi:
//
//     schemas/schemas_00001.jsonl       a content type or component, as its file says it
//     entities/entities_00001.jsonl     {"type": UID, "id": 7, "data": {...}}, a row
//     assets/uploads/..., assets/metadata/...
//     links/links_00001.jsonl           a pair of a relation, from the row that owns it
//     configuration/configuration_00001.jsonl
//     metadata.json                     the last
//
// An archive is a secret, since it holds the hashes of passwords: no error shows a value of it.

namespace db {

enum class Section : std::uint8_t { schemas, entities, assets, links, configuration, metadata };

// Returns whether the path is that of an archive, and not of a folder of files of entries.
bool is_archive(std::filesystem::path const& path);

// Reads an archive from its beginning to its end, as often as it is rewound. It holds only a line
// and the names of the files in memory.
class Archive {
  public:
    // The content says what an archive is, not its name. `-` is standard input, of which a copy is
    // made that nobody else can read and that is removed with this. `passphrase` is empty if there
    // is none.
    static parser::Result<std::unique_ptr<Archive>> open(std::filesystem::path const& path,
                                                         std::string passphrase);
    ~Archive();
    Archive(Archive const&) = delete;
    Archive& operator=(Archive const&) = delete;

    // Goes to the next line that is not empty; in `metadata.json` to all of it, in an uploaded file
    // to its beginning. Returns false at the end of a complete archive. Schemas must come before
    // entities, and these before links. Anything that does not belong in an archive is an error.
    parser::Result<bool> next();
    Section section() const { return section_; }
    std::string_view text() const { return text_; } // valid until next()
    // Reads up to `size` bytes of an uploaded file, fewer only at its end.
    parser::Result<std::size_t> read(char* to, std::size_t size);
    // The file, such as `entities/entities_00001.jsonl`, and its line; 0 means the whole file.
    std::string const& file() const { return file_; }
    std::size_t line() const { return line_; }
    // Returns an error with `FILE: entities/entities_00001.jsonl:57: <message>`.
    parser::Error error(std::string const& message) const;

    parser::Result<void> rewind();

    // Bytes on the disk. The size of a folder is 0: only what has been read of it is known.
    std::uint64_t size() const { return size_; }
    std::uint64_t bytes_read() const { return read_; }

  private:
    Archive(std::filesystem::path path, std::string passphrase);
    parser::Result<void> open_file();
    parser::Result<std::unique_ptr<ByteSource>> layers();
    parser::Result<bool> next_file();
    parser::Result<void> find_section();
    parser::Result<bool> next_line();

    std::filesystem::path const path_;
    std::string const passphrase_;
    std::optional<CipherKey> key_; // made from the passphrase when it is needed
    int descriptor_ = -1;          // -1: a folder
    std::uint64_t size_ = 0;
    std::uint64_t read_ = 0;
    std::unique_ptr<ArchiveMembers> members_;
    std::unordered_set<std::string> files_; // names so far
    std::string file_;
    Section section_ = Section::schemas;
    bool has_entities_ = false; // so far
    bool has_links_ = false;
    bool has_file_ = false; // its lines are being read
    std::size_t line_ = 0;
    std::string text_;
    std::string buffer_;
    std::size_t begin_ = 0; // of the unread rest of the buffer
};

} // namespace db
