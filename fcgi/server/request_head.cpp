#include "fcgi/server/request_head.hpp"

#include "parser/base/limits.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fcgiapp.h>

namespace fcgi {

namespace {

constexpr std::size_t usual_count = 40; // a web server sends about so many

bool fits_environment(NameValuePair const& pair) {
    constexpr std::string_view not_in_names("\0=", 2);
    return pair.name.find_first_of(not_in_names) == pair.name.npos &&
           pair.value.find('\0') == pair.value.npos;
}

// A client may send so much that serves no request, bodies included, before it is closed.
constexpr std::size_t unused_limit = 64 * 1024;

constexpr std::size_t get_values_limit = 1024;

// Web servers send this record along with the head of a request that has no body.
bool ends_body(std::string_view bytes, std::uint16_t request_id) {
    if (bytes.size() < RecordHeader::bytes) return false;
    auto const record = RecordHeader::decode(bytes);
    return record.version == 1 && record.type == RecordType::body &&
           record.request_id == request_id && record.content_length == 0 &&
           record.padding_length == 0;
}

} // namespace

Parameters::Parameters(std::pmr::string contents)
    : text_(std::move(contents)), entries_(text_.get_allocator()) {
    entries_.reserve(usual_count);
    // A pair takes at least two bytes for its lengths, and here two for `=` and NUL: no byte is
    // moved behind its place.
    char* end = text_.data();
    for (std::string_view left = text_; !left.empty();) {
        auto const pair = cut_pair(left);
        bool const fits = pair && fits_environment(*pair);
        whole_ = whole_ && fits;
        if (!pair) break;
        if (!fits) continue;
        entries_.push_back(end);
        end = std::ranges::copy(pair->name, end).out;
        *end++ = '=';
        end = std::ranges::copy(pair->value, end).out;
        *end++ = '\0';
    }
    entries_.push_back(nullptr);
}

std::string_view Parameters::value(char const* name) const {
    char const* text = FCGX_GetParam(name, const_cast<char**>(entries_.data()));
    return text ? text : std::string_view();
}

std::string_view RequestHead::value(char const* name) const {
    return decoded ? decoded->value(name) : std::string_view();
}

HeadProgress HeadReader::progress() const {
    if (over_) return HeadProgress::over;
    if (complete_) return HeadProgress::complete;
    return begun_ || !header_.empty() ? HeadProgress::partial : HeadProgress::idle;
}

std::size_t HeadReader::take(std::string_view bytes) {
    auto rest = bytes;
    while (!rest.empty() && !over_ && !complete_) {
        if (header_.size() < RecordHeader::bytes) {
            header_ += cut_front(rest, RecordHeader::bytes - header_.size());
            if (header_.size() < RecordHeader::bytes) break;
            start_record();
            if (over_) break;
        }
        auto content = cut_front(rest, content_left_);
        content_left_ -= content.size();
        if (content_) content_->append(content);
        if (content_left_ == 0) padding_left_ -= cut_front(rest, padding_left_).size();
        if (content_left_ == 0 && padding_left_ == 0) finish_record();
    }
    if (complete_ && ends_body(rest, head_.id)) rest.remove_prefix(RecordHeader::bytes);
    return bytes.size() - rest.size();
}

void HeadReader::next() {
    head_ = {};
    head_.parameters.shrink_to_fit();
    begun_ = complete_ = false;
}

std::string HeadReader::take_replies() {
    return std::exchange(replies_, {});
}

void HeadReader::start_record() {
    record_ = RecordHeader::decode(header_);
    content_left_ = record_.content_length;
    padding_left_ = record_.padding_length;
    content_ = nullptr;
    small_content_.clear();
    if (record_.version != 1) return refuse();

    if (record_.type == RecordType::parameters && of_this_request()) {
        if (head_.parameters.size() + content_left_ > parameter_limit_)
            return refuse(parser::over_limit(&parser::Limits::parameters, parameter_limit_));
        content_ = &head_.parameters;
        return;
    }
    unused_bytes_ += RecordHeader::bytes + content_left_ + padding_left_;
    if (unused_bytes_ > unused_limit) return refuse();

    if (record_.type == RecordType::begin_request) {
        if (content_left_ != sizeof(FCGI_BeginRequestBody) || record_.request_id == 0 ||
            of_this_request())
            return refuse();
        content_ = &small_content_;
    } else if (record_.type == RecordType::get_values && record_.request_id == 0) {
        if (content_left_ > get_values_limit) return refuse();
        content_ = &small_content_;
    }
}

void HeadReader::finish_record() {
    header_.clear();
    if (record_.type == RecordType::begin_request) {
        begin_request();
    } else if (record_.request_id == 0) {
        reply_to_management();
    } else if (of_this_request()) {
        if (record_.type == RecordType::parameters && record_.content_length == 0) finish_head();
        if (record_.type == RecordType::abort_request) end_request(EndStatus::complete);
    }
}

void HeadReader::begin_request() {
    if (begun_)
        return append_end_request(replies_, record_.request_id, EndStatus::cannot_multiplex);
    FCGI_BeginRequestBody body;
    std::memcpy(&body, small_content_.data(), sizeof body);
    begun_ = true;
    head_.id = record_.request_id;
    head_.keep_connection = (body.flags & FCGI_KEEP_CONN) != 0;
    if ((body.roleB1 << 8 | body.roleB0) != FCGI_RESPONDER) end_request(EndStatus::unknown_role);
}

void HeadReader::end_request(EndStatus status) {
    append_end_request(replies_, head_.id, status);
    if (!head_.keep_connection) return refuse();
    next();
}

void HeadReader::finish_head() {
    decode();
    if (!head_.decoded->are_whole())
        return refuse(
            parser::Error{parser::ErrorKind::malformed, "The FastCGI parameters are malformed"});
    complete_ = true;
    unused_bytes_ = 0;
}

// We promise no number of connections or requests, so of the values that a web server may ask for,
// only "no multiplexing" gets a reply.
void HeadReader::reply_to_management() {
    if (record_.type != RecordType::get_values) {
        std::string content(8, '\0');
        content[0] = static_cast<char>(record_.type);
        return append_record(replies_, RecordType::unknown_type, 0, content);
    }
    std::string_view const known = "FCGI_MPXS_CONNS";
    std::string values;
    std::string_view asked = small_content_;
    while (auto pair = cut_pair(asked))
        if (pair->name == known && values.empty())
            values.append({static_cast<char>(known.size()), 1}).append(known).append("0");
    append_record(replies_, RecordType::get_values_result, 0, values);
}

void HeadReader::refuse(std::optional<parser::Error> why) {
    over_ = true;
    refusal_ = std::move(why);
    // The log reports the request as far as it is known.
    if (refusal_ && !head_.decoded) decode();
}

void HeadReader::decode() {
    head_.decoded = std::make_shared<Parameters const>(std::move(head_.parameters));
}

} // namespace fcgi
