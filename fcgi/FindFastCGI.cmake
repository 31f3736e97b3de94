# Defines FastCGI::fcgi, libfcgi's multi-threaded interface (fcgiapp.h).
find_path(FASTCGI_INCLUDE_DIR fcgiapp.h)
find_library(FASTCGI_LIBRARY fcgi)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FastCGI
  REQUIRED_VARS FASTCGI_LIBRARY FASTCGI_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libfcgi-dev, or run nginx/install-packages")

if(FastCGI_FOUND AND NOT TARGET FastCGI::fcgi)
  add_library(FastCGI::fcgi UNKNOWN IMPORTED)
  set_target_properties(FastCGI::fcgi PROPERTIES
    IMPORTED_LOCATION ${FASTCGI_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${FASTCGI_INCLUDE_DIR})
endif()
