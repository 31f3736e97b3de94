#include "fcgi/server/client.hpp"

#include "fcgi/http/http.hpp"

#include <new>
#include <utility>

namespace fcgi {

// The web server sends the target as REQUEST_URI. Without it, path and query are taken from other
// parameters, which are decoded and merged: there is nothing better then.
void Client::begin_request(Time now, std::chrono::milliseconds limit) {
    RequestHead const& head = reader.head();
    request = {};
    coalesced = false;
    request.arrived = now;
    request.deadline = {now + limit, &abandoned};
    request.method = head.value("REQUEST_METHOD");
    for (RequestHeader const& header : request_headers)
        request.*header.value = head.value(header.parameter);
    request.accept_encoding = head.value("HTTP_ACCEPT_ENCODING");
    if (auto const target = head.value("REQUEST_URI"); !target.empty()) {
        auto const [path, query] = split_target(target);
        request.path = path;
        request.query = query;
        return;
    }
    request.path = head.value("DOCUMENT_URI");
    if (request.path.empty())
        request.path =
            joined_path_.assign(head.value("SCRIPT_NAME")).append(head.value("PATH_INFO"));
    request.query = head.value("QUERY_STRING");
}

void Client::begin_response(std::shared_ptr<Response const> response) {
    writer.start(reader.head().id, *response);
    outgoing = std::move(response);
    coalesced = false;
    suspended.reset();
}

bool Client::try_begin_coalesced_response(std::shared_ptr<Response const> response) try {
    begin_response(std::move(response));
    return coalesced = true;
} catch (std::bad_alloc const&) {
    return false;
}

SendResult Client::send(Observer const& observe) {
    auto const result = writer.send(socket);
    if (result == SendResult::done || result == SendResult::failed)
        end_response(result == SendResult::done, observe);
    return result;
}

void Client::end_response(bool is_sent, Observer const& observe) {
    bool const may_ask_again = reader.progress() == HeadProgress::complete;
    keep = is_sent && may_ask_again && reader.head().keep_connection;
    observe(ResponseSent{reader.head(), *outgoing, request.number, coalesced,
                         Time::clock::now() - request.arrived, writer.bytes_left()});
    outgoing = nullptr;
}

void Client::drop_request() {
    reader.next();
    for (auto* const text : {&joined_path_, &unread}) {
        text->clear();
        text->shrink_to_fit();
    }
    memory.settle();
}

Response& fresh(std::shared_ptr<Response>& place) {
    if (!place) place = std::make_shared<Response>();
    place->clear();
    return *place;
}

} // namespace fcgi
