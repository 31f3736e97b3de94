#pragma once

#include "fcgi/notify/change_batch.hpp"
#include "parser/base/error.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

// Webhooks as https://www.standardwebhooks.com specifies them, version 1.0.0.

namespace fcgi::notify {

// Returns the bytes of a secret that is written as `whsec_` and base64. The message of an error
// shows nothing of it.
parser::Result<std::string> read_webhook_secret(std::string_view text);

// Returns `v1,…`, the signature of one attempt to deliver a webhook. `time` is in seconds.
std::string webhook_signature(std::string_view secret, std::string_view id, std::int64_t time,
                              std::string_view body);

std::string random_webhook_id();

// Returns what a request tells a receiver: the content, and since when it is known. Without
// document ids documents are told apart by number.
std::string webhook_body(ChangeBatch const& content, std::chrono::system_clock::time_point since,
                         bool has_document_ids);

} // namespace fcgi::notify
