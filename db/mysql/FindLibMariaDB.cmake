# Defines LibMariaDB::libmariadb, the client library that Debian's Connector/C++ is built on
# (mariadb/mysql.h, mariadb/mariadb_rpl.h).
find_path(LIBMARIADB_INCLUDE_DIR mariadb/mariadb_rpl.h)
find_library(LIBMARIADB_LIBRARY mariadb)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibMariaDB
  REQUIRED_VARS LIBMARIADB_LIBRARY LIBMARIADB_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "run nginx/install-packages, or install libmariadb-dev")

if(LibMariaDB_FOUND AND NOT TARGET LibMariaDB::libmariadb)
  add_library(LibMariaDB::libmariadb UNKNOWN IMPORTED)
  set_target_properties(LibMariaDB::libmariadb PROPERTIES
    IMPORTED_LOCATION ${LIBMARIADB_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES
      "${LIBMARIADB_INCLUDE_DIR};${LIBMARIADB_INCLUDE_DIR}/mariadb") # its headers include each other so
endif()
