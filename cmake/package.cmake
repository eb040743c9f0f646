# Debian packages: plimsoll (the program) and libplimsoll-dev (the library and its headers). The
# dependencies of the program are found by dpkg-shlibdeps; a static library has none that it could see, so
# those of libplimsoll-dev are the packages that this build found.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The developers of Plimsoll")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program development)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME plimsoll)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "The command plimsoll, its manual page and its completion for bash.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libplimsoll-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
list(JOIN PLIMSOLL_PACKAGES ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "The library of Plimsoll and its headers, for C++20 programs.")

include(CPack)
