#include "db/binlog/protocol.hpp"

namespace db {

Protocol const& protocol() {
    static constexpr Protocol proved;
    return proved;
}

} // namespace db
