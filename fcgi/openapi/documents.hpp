#pragma once

#include "fcgi/http/answer.hpp"
#include "fcgi/openapi/openapi.hpp"
#include "parser/base/error.hpp"
#include "parser/base/limits.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <optional>

namespace fcgi {

// The OpenAPI documents of one schema as responses. Each is made once, when it is first requested;
// all requests share its bytes. Any thread may use this. `options` must outlive it.
class Documents {
  public:
    Documents(std::shared_ptr<db::Schema const> schema, Options const& options)
        : schema_(std::move(schema)), options_(options) {}

    // Fails with 504 if the deadline passes while another thread makes one.
    parser::Result<Answer> find(DocumentForm form, parser::Deadline const& deadline);

    std::shared_ptr<db::Schema const> const& schema() const { return schema_; }

  private:
    std::shared_ptr<db::Schema const> const schema_;
    Options const& options_;
    std::timed_mutex mutex_;                    // protects those below; held while one is made
    std::array<std::optional<Answer>, 2> made_; // by form
};

} // namespace fcgi
