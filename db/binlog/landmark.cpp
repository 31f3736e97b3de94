#include "db/binlog/landmark.hpp"

#include <utility>

namespace db {

namespace {

// The log has no such file, or no event begins there: ER_ERROR_WHEN_EXECUTING_COMMAND.
constexpr unsigned no_such_event = 1220;

} // namespace

bool is_landmark_file(std::string_view name) {
    return !name.empty() && name.find_first_of("'\\") == name.npos;
}

EndQuestion::EndQuestion(std::string_view end_question, std::optional<Landmark> landmark)
    : landmark_(std::move(landmark)) {
    if (landmark_)
        text_.append("SHOW BINLOG EVENTS IN '")
            .append(landmark_->file)
            .append("' FROM ")
            .append(std::to_string(landmark_->offset))
            .append(" LIMIT 1; ");
    text_.append(end_question);
}

bool EndQuestion::is_of_same_log(Wire& wire) const {
    if (!landmark_) return true;
    if (wire.error_code() != 0) return wire.error_code() != no_such_event;
    auto event = wire.take_first_rows();
    return event.next() && event.text("Info") == landmark_->text;
}

} // namespace db
