# Defines MySQLConnectorCpp::jdbc, MySQL Connector/C++ 1.1 (cppconn/*.h, mysql_driver.h).
#
# Debian 12's libmysqlcppconn-dev depends on Boost 1.74, which conflicts with the Boost >= 1.81 that
# Boost.JSON needs. nginx/install-packages therefore unpacks that package's headers and link name into
# build/mysql-connector, which is searched here after the system's folders.
set(_unpacked ${CMAKE_SOURCE_DIR}/build/mysql-connector/usr)
find_path(MYSQLCONNECTORCPP_INCLUDE_DIR mysql_driver.h HINTS ${_unpacked}/include)
find_library(MYSQLCONNECTORCPP_LIBRARY NAMES mysqlcppconn libmysqlcppconn.so.7)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MySQLConnectorCpp
  REQUIRED_VARS MYSQLCONNECTORCPP_LIBRARY MYSQLCONNECTORCPP_INCLUDE_DIR
  REASON_FAILURE_MESSAGE
    "run nginx/install-packages, or install libmysqlcppconn-dev where it does not conflict with Boost")

if(MySQLConnectorCpp_FOUND AND NOT TARGET MySQLConnectorCpp::jdbc)
  add_library(MySQLConnectorCpp::jdbc UNKNOWN IMPORTED)
  set_target_properties(MySQLConnectorCpp::jdbc PROPERTIES
    IMPORTED_LOCATION ${MYSQLCONNECTORCPP_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${MYSQLCONNECTORCPP_INCLUDE_DIR})
endif()
