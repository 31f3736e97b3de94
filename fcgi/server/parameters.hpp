#pragma once

#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

namespace fcgi {

// The parameters of one request, in the form in which libfcgi keeps and finds them: an environment
// of C strings `NAME=value`. Only this class decodes them, and only it calls libfcgi.
class Parameters {
  public:
    // Decodes the joined contents of PARAMS records in their place: name-value pairs, the last of
    // which may be cut short. All that is held is memory of their allocator.
    explicit Parameters(std::pmr::string contents);
    Parameters(Parameters const&) = delete;
    Parameters& operator=(Parameters const&) = delete;

    // Returns whether all of it was pairs that an environment can hold. Others are left out: a NUL
    // would cut one short, and a name that holds `=` would become another name, with a part of it
    // as value.
    bool are_whole() const { return whole_; }

    // Returns the value, of two the first; empty if it is not there. Valid as long as this.
    std::string_view value(char const* name) const;

  private:
    std::pmr::string text_;
    std::pmr::vector<char*> entries_; // into `text_`, then a null pointer: an FCGX_ParamArray
    bool whole_ = true;
};

} // namespace fcgi
