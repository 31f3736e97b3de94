#pragma once

#include "fcgi/server/record.hpp"
#include "parser/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The head of a FastCGI request, from BEGIN to the empty PARAMS record, judged as its bytes arrive.

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

struct RequestHead {
    std::uint16_t id = 0;
    bool keep_connection = false;
    std::pmr::string parameters = {}; // the contents of its PARAMS records, joined, as they arrive
    // Holds them once the head is complete, or as many as arrived if it is refused.
    std::shared_ptr<Parameters const> decoded = {};

    // Returns the value of a parameter; empty if it is not there.
    std::string_view value(char const* name) const;
};

enum class HeadProgress {
    idle,     // between requests, nothing begun
    partial,  // a part of a record or of a head has arrived
    complete, // head() is a request; next() goes on after it
    over,     // there is nothing more to read from this connection
};

// Reads one connection. Takes heads of any shape (byte by byte, in tiny or padded records) in
// linear time, and holds no more than the parameters of one request.
//
// Records that belong to no request in flight are skipped. So nothing waits for a request body,
// which a read API does not need, or for a late abort.
class HeadReader {
  public:
    // `parameter_limit` is in bytes of PARAMS content. A head takes its memory from `memory`. If
    // that throws, so does take(), and head() has the id of the request afterwards.
    explicit HeadReader(std::size_t parameter_limit,
                        std::pmr::memory_resource* memory = std::pmr::get_default_resource())
        : parameter_limit_(parameter_limit), head_{.parameters = std::pmr::string(memory)} {}
    HeadReader(HeadReader const&) = delete;
    HeadReader& operator=(HeadReader const&) = delete;

    // Takes bytes until they end or the progress is `complete` or `over`; returns how many it took.
    // With a head it takes the record that ends the body, if that comes along and there is no body.
    std::size_t take(std::string_view bytes);
    HeadProgress progress() const;

    RequestHead const& head() const { return head_; }
    void next(); // frees what the head took

    // Once `over`: the error to send to the request head().id before closing. Absent: close
    // without one, because the bytes are no FastCGI, for example.
    std::optional<parser::Error> const& refusal() const { return refusal_; }

    // Returns records to send to the client before anything else; empties the list.
    std::string take_replies();

  private:
    void start_record();
    void finish_record();
    void begin_request();
    void end_request(EndStatus status);
    void finish_head();
    void decode();
    void reply_to_management();
    void refuse(std::optional<parser::Error> why = {});
    bool of_this_request() const { return begun_ && record_.request_id == head_.id; }

    std::size_t parameter_limit_;
    RequestHead head_;
    bool begun_ = false;
    bool complete_ = false;
    bool over_ = false;
    std::optional<parser::Error> refusal_;
    std::string replies_;

    // The record being read.
    std::string header_; // fewer than RecordHeader::bytes: not all there yet
    RecordHeader record_;
    std::pmr::string* content_ = nullptr; // where its content goes; null skips it
    std::pmr::string small_content_;      // of BEGIN and GET_VALUES
    std::size_t content_left_ = 0;
    std::size_t padding_left_ = 0;
    std::size_t unused_bytes_ = 0; // since the last complete head
};

} // namespace fcgi
