#pragma once

#include "db/mysql/sql_text.hpp"

#include <string>

// Identifies the server that a connection leads to. No single variable does: MySQL has a
// server_uuid; MariaDB since 10.11 has a server_uid, which two servers without a port on one
// machine share; and copies of a machine have the same values of everything but the name.

namespace db {

inline constexpr SqlPiece server_question =
    "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('datadir', 'hostname', 'port', 'server_id',"
    " 'server_uid', 'server_uuid', 'socket')";

// Makes a text of its rows that is the same for all connections to one server, and for no other.
template<class Rows>
std::string server_of(Rows& rows) {
    std::string server;
    while (rows.next()) {
        server.append(rows.text(0)).append("=");
        server.append(rows.text(1)).append("\n");
    }
    return server;
}

} // namespace db
