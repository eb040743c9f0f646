# Installs the program, the library, its headers, and the CMake package that find_package(plimsoll)
# reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/plimsoll)

install(TARGETS plimsoll EXPORT plimsoll_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET plimsoll_cli)
  install(TARGETS plimsoll_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# Private: tests, the command line, and the SIMD code that Highway includes once for each target.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/plimsoll/
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/plimsoll
        FILES_MATCHING PATTERN "*.h"
        PATTERN "*_test.h" EXCLUDE
        PATTERN "*-inl.h" EXCLUDE
        PATTERN "cli" EXCLUDE)

install(EXPORT plimsoll_targets NAMESPACE plimsoll:: FILE plimsoll-targets.cmake
        DESTINATION ${package_dir})
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/plimsoll-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/plimsoll-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/plimsoll-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/libraries.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/plimsoll-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/plimsoll-config-version.cmake
        DESTINATION ${package_dir})
