# Installs two components. `program` is the command plimsoll with its manual page and its completion for
# bash. `development` is the library, its public headers, and the files that find_package(plimsoll) and
# pkg-config read.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(cmake/pkg_config.cmake)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/plimsoll)

install(TARGETS plimsoll EXPORT plimsoll_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(CODE "include(\"${PROJECT_SOURCE_DIR}/cmake/public_headers.cmake\")
              plimsoll_install_public_headers(\"${PROJECT_SOURCE_DIR}\"
                                              \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")"
        COMPONENT development)

if(TARGET plimsoll_serve)
  install(TARGETS plimsoll_serve RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/plimsoll
          COMPONENT program)
endif()
if(TARGET plimsoll_cli)
  install(TARGETS plimsoll_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  # Both are written by the program itself, from the definitions of its commands.
  set(manual ${CMAKE_CURRENT_BINARY_DIR}/plimsoll.1)
  set(completion ${CMAKE_CURRENT_BINARY_DIR}/plimsoll.bash)
  add_custom_command(TARGET plimsoll_cli POST_BUILD
                     COMMAND plimsoll_cli manual > ${manual}
                     COMMAND plimsoll_cli completion bash > ${completion} VERBATIM)
  install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
  install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME plimsoll COMPONENT program)
endif()

install(EXPORT plimsoll_targets NAMESPACE plimsoll:: FILE plimsoll-targets.cmake
        DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/plimsoll-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/plimsoll-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/plimsoll-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/libraries.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/plimsoll-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/plimsoll-config-version.cmake
        DESTINATION ${package_dir} COMPONENT development)

include(cmake/package.cmake)
