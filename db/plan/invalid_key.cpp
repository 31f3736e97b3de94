#include "db/plan/invalid_key.hpp"

#include "parser/base/json_string.hpp"

#include <memory>
#include <utility>

namespace db {

std::optional<std::string> dotted(parser::Place const* path) {
    if (!path) return std::nullopt;
    auto text = dotted(path->parent);
    if (!text) return std::string(path->key);
    if (!path->key.starts_with('[')) *text += '.';
    return text->append(path->key);
}

parser::Error invalid_key(std::string_view key, std::optional<std::string> path,
                          std::string_view param) {
    parser::Error error{parser::ErrorKind::unknown_name, "Invalid key "};
    error.message += key;
    parser::Error::Subject subject{.place = std::string(param), .received = std::string(key)};
    subject.details = "{\"key\":";
    parser::append_json_string(subject.details, key);
    subject.details += ",\"path\":";
    if (path) {
        if (*path != key) error.message.append(" at ").append(*path);
        parser::append_json_string(subject.details, *path);
    } else {
        subject.details += "null";
    }
    if (!param.empty())
        subject.details.append(",\"source\":\"query\",\"param\":\"").append(param).append("\"");
    subject.details += '}';
    error.subject = std::make_shared<parser::Error::Subject const>(std::move(subject));
    return error;
}

parser::Error invalid(std::string message) {
    return {parser::ErrorKind::invalid, std::move(message)};
}

} // namespace db
