#include "fcgi/openapi/documents.hpp"

namespace fcgi {

parser::Result<Answer> Documents::find(DocumentForm form, parser::Deadline const& deadline) {
    std::unique_lock const lock(mutex_, deadline.at);
    if (!lock)
        return parser::timed_out(options_.limits, &parser::Limits::request,
                                 "waiting for the OpenAPI document");
    auto& made = made_.at(static_cast<std::size_t>(form));
    if (!made) {
        Answer answer;
        answer.body =
            Body(std::make_shared<std::string const>(openapi_document(*schema_, options_, form)));
        add_entity_tag(answer);
        made = std::move(answer);
    }
    return *made;
}

} // namespace fcgi
