# plimsoll.pc. It finds the prefix from where it is itself, so an installed package may be moved.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH PLIMSOLL_PC_PREFIX /prefix/${pc_dir} /prefix)

set(PLIMSOLL_PC_LIBRARIES "")
foreach(library ${PLIMSOLL_LIBRARIES})
  string(REPLACE "plimsoll::" " -l" library ${library})
  string(APPEND PLIMSOLL_PC_LIBRARIES ${library})
endforeach()
string(APPEND PLIMSOLL_PC_LIBRARIES " -lz ${OpenMP_CXX_FLAGS}")
# A static library cannot be linked without the libraries that it uses, so users need not pass --static.
set(PLIMSOLL_PC_STATIC_LIBRARIES "")
get_target_property(type plimsoll TYPE)
if(type STREQUAL STATIC_LIBRARY)
  set(PLIMSOLL_PC_STATIC_LIBRARIES ${PLIMSOLL_PC_LIBRARIES})
endif()

configure_file(${PROJECT_SOURCE_DIR}/cmake/plimsoll.pc.in ${CMAKE_CURRENT_BINARY_DIR}/plimsoll.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/plimsoll.pc DESTINATION ${pc_dir} COMPONENT development)
