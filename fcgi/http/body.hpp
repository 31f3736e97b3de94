#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace fcgi {

// The bytes of an answer: in a buffer of its own, which is used again, or bytes that many share and
// nobody changes.
class Body {
  public:
    Body() = default;
    explicit Body(std::shared_ptr<std::string const> shared) : shared_(std::move(shared)) {}

    std::string_view bytes() const { return shared_ ? std::string_view(*shared_) : own_; }
    std::size_t size() const { return bytes().size(); }
    bool empty() const { return bytes().empty(); }

    // To be written to. What it shared is dropped.
    std::string& own() {
        shared_.reset();
        return own_;
    }
    // Keeps the buffer.
    void clear() { own().clear(); }
    // Gives a buffer of more than `limit` bytes back.
    void shrink_to(std::size_t limit) {
        if (own_.capacity() > limit) std::string().swap(own_);
    }

  private:
    std::string own_;
    std::shared_ptr<std::string const> shared_;
};

} // namespace fcgi
