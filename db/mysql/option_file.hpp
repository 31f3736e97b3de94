#pragma once

#include <string>
#include <string_view>

namespace db {

// A file of options that the client library knows and the Connector has no name for. It is like
// my.cnf, and the library reads it when it connects. It is in memory, and exists as long as this
// object.
class OptionFile {
  public:
    // Throws std::system_error if the library could not read the file, since the library itself
    // would ignore that.
    explicit OptionFile(std::string_view text);
    ~OptionFile();
    OptionFile(OptionFile const&) = delete;
    OptionFile& operator=(OptionFile const&) = delete;

    std::string path() const;

  private:
    int const descriptor_;
};

} // namespace db
