#pragma once

#include <string>
#include <string_view>

namespace db {

// Options of the client library's for which the Connector has no name: a file of them, as my.cnf is
// one, which the library reads when it connects. In memory, as long as this lives.
class OptionFile {
  public:
    // Throws std::system_error where the library would find none, and go on without.
    explicit OptionFile(std::string_view text);
    ~OptionFile();
    OptionFile(OptionFile const&) = delete;
    OptionFile& operator=(OptionFile const&) = delete;

    std::string path() const;

  private:
    int const descriptor_;
};

} // namespace db
