# plimsoll_contain(TARGET): links a shared object with the engine and with the static form of the libraries under it, so
# that little has to be carried along with it. Libraries without a static form are linked as usual.
#
# Debian's static libraries are made for programs: they read the variables stdout and stderr of the C library directly,
# which code in a shared object cannot do. Copies of them read other variables instead, which python/contained_streams.cc
# defines; nothing else in them depends on where they are loaded.
function(plimsoll_contain target)
  set(archives "")
  set(others "")
  foreach(name png jpeg webp sharpyuv xxhash z)
    find_library(PLIMSOLL_${name}_ARCHIVE NAMES lib${name}.a)
    if(PLIMSOLL_${name}_ARCHIVE)
      set(copy ${CMAKE_CURRENT_BINARY_DIR}/lib${name}.a)
      if(NOT TARGET contained_archives)
        add_custom_command(OUTPUT ${copy} DEPENDS ${PLIMSOLL_${name}_ARCHIVE} VERBATIM
                           COMMAND ${CMAKE_OBJCOPY} --redefine-sym stdout=plimsoll_stdout
                                   --redefine-sym stderr=plimsoll_stderr ${PLIMSOLL_${name}_ARCHIVE} ${copy})
      endif()
      list(APPEND archives ${copy})
    endif()
  endforeach()
  foreach(library ${PLIMSOLL_LIBRARIES})
    string(REPLACE "plimsoll::" "" name ${library})
    if(NOT PLIMSOLL_${name}_ARCHIVE)
      list(APPEND others ${library})
    endif()
  endforeach()

  if(NOT TARGET contained_archives)
    add_custom_target(contained_archives DEPENDS ${archives})
  endif()
  add_dependencies(${target} contained_archives plimsoll)
  target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/python/contained_streams.cc)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  # Symbols of the archives stay inside, so that those of other packages in the same process never mix with them.
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL -Wl,--gc-sections)
  target_link_libraries(${target} PRIVATE $<TARGET_FILE:plimsoll> ${archives} ${others}
                                          OpenMP::OpenMP_CXX ${CMAKE_DL_LIBS})
endfunction()
