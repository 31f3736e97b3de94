#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace fcgi::notify {

struct ChangedDocument {
    std::string type;     // the content type's UID
    std::string document; // its document id; the id with Strapi 4
    bool is_published = false;

    auto operator<=>(ChangedDocument const&) const = default;
};

// What targets are told of one transaction, or of several in their order.
struct ChangeBatch {
    std::vector<std::string> names = {}; // of tags, sorted, each once; empty with `site`
    bool site = false;                   // everything may have changed
    std::vector<ChangedDocument> documents = {};
    // Grows from batch to batch; says up to where all targets were told.
    std::uint64_t position = 0;
};

} // namespace fcgi::notify
