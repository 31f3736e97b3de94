#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Requests and the responses that Strapi 4.26.2 gave to them, as recorded in tests/data/ks.

namespace conformance {

struct Record {
    std::string id;
    std::string group;
    std::string method;
    std::string path;                                         // with its query string, raw
    std::vector<std::pair<std::string, std::string>> headers; // sent besides Authorization
    std::string auth; // who asks: `public`, the name of a token, `jwt:<user>`, `raw:<header>`

    int status = 0;
    bool has_headers = true;  // or else the next two were not recorded
    std::string content_type; // empty: none
    std::string allow;        // empty: none
    // The body as it was sent, and others that are as right (another MySQL driver, another run).
    std::vector<std::string> bodies;
    // SQL left the order open: lists of entries are sets.
    bool any_order = false;
    // Not all entries are on the page: an open order leaves open which.
    bool is_cut = false;
};

// Test values for `auth`.
class Secrets {
  public:
    // Exits with a message if the file is not as expected.
    explicit Secrets(std::string const& file);

    // The Authorization header for a record's `auth`; empty: none is sent.
    std::string authorization(std::string_view auth) const;

  private:
    std::vector<std::pair<std::string, std::string>> tokens_; // by `auth`
};

// From a gzip file of one JSON object a line. Exits with a message if it is not as expected.
std::vector<Record> read_records(std::string const& file);

// Whether a record is in the first slice of the API: lists and single entries for the public, read
// with `fields`, `populate` (nested, with `$eq` filters, sort and `on`) and `pagination` alone.
bool in_first_slice(Record const& record);

} // namespace conformance
