# Sources are compiled some at a time, with their common headers parsed once: the library builds in a
# quarter of the time. A group never spans two folders, so names in anonymous namespaces must be
# unique within a folder only. Kernels are compiled one by one: Highway includes each of them once for
# every instruction set.
option(PLIMSOLL_FAST_BUILD "Compile sources in groups, with precompiled headers" ON)
set(PLIMSOLL_GROUP_SIZE 8 CACHE STRING "Sources in a group")

function(plimsoll_group_sources target folder)
  set(number 0)
  foreach(source ${ARGN})
    math(EXPR group "${number} / ${PLIMSOLL_GROUP_SIZE}")
    string(MAKE_C_IDENTIFIER "${folder}_${group}" name)
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${name})
    math(EXPR number "${number} + 1")
  endforeach()
endfunction()

# plimsoll_fast_build(TARGET HEADER…): groups the sources of the target by folder and precompiles the
# headers.
function(plimsoll_fast_build target)
  if(NOT PLIMSOLL_FAST_BUILD)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  list(FILTER sources EXCLUDE REGEX "/kernels/")
  set(folders "")
  foreach(source ${sources})
    get_filename_component(folder ${source} ABSOLUTE)
    get_filename_component(folder ${folder} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "sources_${folder}" list)
    list(APPEND ${list} ${source})
    list(APPEND folders ${folder})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    string(MAKE_C_IDENTIFIER "sources_${folder}" list)
    plimsoll_group_sources(${target} ${folder} ${${list}})
  endforeach()
endfunction()
