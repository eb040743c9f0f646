# The library builds in a third of the time when common headers are parsed once and sources are
# compiled some at a time. A group never spans two folders, so names in anonymous namespaces must be
# unique within a folder only. Kernels are compiled one by one: Highway includes each of them once for
# every instruction set.
option(PLIMSOLL_FAST_BUILD "Compile sources in groups, with precompiled headers" ON)
set(PLIMSOLL_GROUP_SIZE 8 CACHE STRING "Sources in a group")

# plimsoll_precompile(TARGET HEADER…): parses the headers, and those that most sources include, once.
function(plimsoll_precompile target)
  if(PLIMSOLL_FAST_BUILD)
    target_precompile_headers(${target} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/precompiled.h ${ARGN})
  endif()
endfunction()

function(plimsoll_number_groups target folder)
  set(number 0)
  foreach(source ${ARGN})
    math(EXPR group "${number} / ${PLIMSOLL_GROUP_SIZE}")
    string(MAKE_C_IDENTIFIER "${folder}_${group}" name)
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${name})
    math(EXPR number "${number} + 1")
  endforeach()
endfunction()

# plimsoll_group_sources(TARGET): compiles the sources of a folder in groups.
function(plimsoll_group_sources target)
  if(NOT PLIMSOLL_FAST_BUILD)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  list(FILTER sources EXCLUDE REGEX "/kernels/")
  set(folders "")
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "sources_${folder}" list)
    list(APPEND ${list} ${source})
    list(APPEND folders ${folder})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    string(MAKE_C_IDENTIFIER "sources_${folder}" list)
    plimsoll_number_groups(${target} ${folder} ${${list}})
  endforeach()
endfunction()
