#include "parser/pagination.hpp"

#include <cmath>

namespace parser {

Error both_page_forms() {
    return {ErrorKind::invalid_pagination,
            "Invalid pagination attributes. You cannot use page and offset pagination in the same "
            "query"};
}

bool counts_pages(double number) {
    return number > 0 && std::floor(number) == number;
}

Error no_page_number(std::string_view name, std::string_view received) {
    return {ErrorKind::invalid_pagination,
            "Invalid '" + std::string(name) +
                "' parameter. Expected an integer > 0, received: " + std::string(received)};
}

} // namespace parser
