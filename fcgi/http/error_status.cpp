#include "fcgi/http/error_status.hpp"

namespace fcgi {

ErrorStatus error_status(parser::ErrorKind kind) {
    using enum parser::ErrorKind;
    switch (kind) {
    case invalid:
    case unknown_name:
    case over_limit:
        return {400, "ValidationError"};
    case invalid_pagination:
        return {400, "PaginationError"};
    case malformed:
        return {.status = 400, .name = "BadRequestError", .has_details = false};
    case unauthenticated:
        return {
            .status = 401, .name = "UnauthorizedError", .handed_over = HandOver::unknown_caller};
    case not_permitted:
        return {403, "ForbiddenError"};
    case not_found:
        return {.status = 404, .name = "NotFoundError", .handed_over = HandOver::not_found};
    case method_not_allowed:
        return {405, "MethodNotAllowedError"};
    case not_implemented:
        return {501, "NotImplementedError"};
    case unreachable:
    case connection_lost:
    case schema_changed:
    case unsupported:
    case not_granted:
        return {.status = 502,
                .name = "BadGatewayError",
                .retry_after = 1,
                .handed_over = HandOver::database};
    case unavailable:
    case conflict:
        return {.status = 503, .name = "ServiceUnavailableError", .retry_after = 1};
    case timed_out:
        return {504, "GatewayTimeoutError"};
    case configuration:
    case internal:
        break;
    }
    return {.status = 500,
            .name = "InternalServerError",
            .has_details = false,
            .handed_over = HandOver::error};
}

} // namespace fcgi
