#pragma once

#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

namespace fcgi {

// The parameters of one request, in the form in which libfcgi keeps and finds them: an environment
// of C strings `NAME=value`. The one place that decodes them, and the only one that uses libfcgi.
class Parameters {
  public:
    // Decodes the contents of PARAMS records, joined, in their place: name-value pairs, of which
    // one may be cut short at the end. All that is held is memory of their allocator.
    explicit Parameters(std::pmr::string contents);
    Parameters(Parameters const&) = delete;
    Parameters& operator=(Parameters const&) = delete;

    // All of it were pairs that an environment can hold. A NUL would cut one short, and of a name
    // that holds `=` would come another name, with a part of it for a value: these are left out.
    bool are_whole() const { return whole_; }

    // Empty if it is not there. Of two, the first. Valid as long as this.
    std::string_view value(char const* name) const;

  private:
    std::pmr::string text_;
    std::pmr::vector<char*> entries_; // into `text_`, then a null pointer: an FCGX_ParamArray
    bool whole_ = true;
};

} // namespace fcgi
