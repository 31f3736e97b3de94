#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace fcgi {

// The bytes of a response: in a buffer of its own, which is used again, or bytes that many share
// and nobody changes.
class Body {
  public:
    Body() = default;
    explicit Body(std::shared_ptr<std::string const> shared) : shared_(std::move(shared)) {}

    std::string_view bytes() const { return shared_ ? std::string_view(*shared_) : own_; }
    std::size_t size() const { return bytes().size(); }
    bool empty() const { return bytes().empty(); }

    // Returns the buffer to write to. Shared bytes are dropped.
    std::string& own() {
        shared_.reset();
        return own_;
    }
    // Empties the body, and keeps the buffer.
    void clear() { own().clear(); }
    // Frees a buffer of more than `limit` bytes.
    void shrink_to(std::size_t limit) {
        if (own_.capacity() > limit) std::string().swap(own_);
    }

  private:
    std::string own_;
    std::shared_ptr<std::string const> shared_;
};

} // namespace fcgi
