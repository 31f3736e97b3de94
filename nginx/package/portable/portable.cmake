# Included by project() of the preset `portable`: everything but glibc is linked in, and glibc as of an
# older Debian, so that the program runs with any that is not older. nginx/package/portable/build sets
#
#   POPULATE_OLDER_GLIBC   folder with libraries and start files of that glibc
#   POPULATE_LIBMARIADB    libmariadbclient.a that has all ways to log in built in
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(Boost_USE_STATIC_LIBS ON)
set(OPENSSL_USE_STATIC_LIBS ON)
set(MYSQLCONNECTORCPP_LIBRARY
    ${CMAKE_SOURCE_DIR}/build/mysql-connector/usr/lib/x86_64-linux-gnu/libmysqlcppconn-static.a)
set(LIBMARIADB_LIBRARY ${POPULATE_LIBMARIADB})

# What the compiler would link with by itself, but of that glibc. The parts of GCC are those of the compiler.
function(of_gcc variable name)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${name} OUTPUT_VARIABLE path
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${variable} ${path} PARENT_SCOPE)
endfunction()
of_gcc(begin crtbeginS.o)
of_gcc(end crtendS.o)
of_gcc(libgcc libgcc.a)
of_gcc(libstdcxx libstdc++.a)
set(glibc ${POPULATE_OLDER_GLIBC})
# Debian's compiler makes code for -pie by default. No option of its own is added, so that the compiled files are those of
# the package, which the compiler cache may have.
string(JOIN " " CMAKE_CXX_STANDARD_LIBRARIES -Wl,--start-group ${MYSQLCONNECTORCPP_LIBRARY} ${LIBMARIADB_LIBRARY}
       -l:libssl.a -l:libcrypto.a -l:libz.a ${libstdcxx} ${libgcc} -Wl,--end-group
       ${glibc}/libm.so.6 ${glibc}/libpthread.so.0 ${glibc}/libdl.so.2 ${glibc}/libgcc_s.so.1 ${glibc}/libc.so.6
       ${glibc}/libc_nonshared.a ${glibc}/ld-linux-x86-64.so.2 ${end} ${glibc}/crtn.o)

# Of the program alone, since checks of CMake link programs, too.
function(link_as_the_compiler_would)
  target_link_options(populate-fcgi PRIVATE -pie -nostartfiles -nodefaultlibs LINKER:--gc-sections
                      ${glibc}/Scrt1.o ${glibc}/crti.o ${begin})
  # What newer parts ask of glibc and the older one does not have.
  target_sources(populate-fcgi PRIVATE nginx/package/portable/older_glibc.cpp)
endfunction()
cmake_language(DEFER CALL link_as_the_compiler_would)
