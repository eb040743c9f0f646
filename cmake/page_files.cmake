# The pages of reports are files of plimsoll/report/page, which become part of the library: one source with
# their text is written when CMake runs, and CMake runs again when one of them has changed.

# plimsoll_page_files(VARIABLE): sets it to the path of that source.
function(plimsoll_page_files variable)
  set(folder ${PROJECT_SOURCE_DIR}/plimsoll/report/page)
  set(script text.js dom.js chart_frame.js line_chart.js heat_map.js curves.js plan_picture.js memory.js model.js
             statistics.js data.js predictions.js findings.js report.js compare.js start.js)
  set(path ${PROJECT_BINARY_DIR}/generated/report/page_files.cc)
  set(text "// Made from plimsoll/report/page.\n#include \"plimsoll/report/page_files.h\"\n\nnamespace plimsoll {\n")
  plimsoll_page_function(text html ${folder}/page.html)
  plimsoll_page_function(text style ${folder}/page.css)
  list(TRANSFORM script PREPEND ${folder}/)
  plimsoll_page_function(text script ${script})
  string(APPEND text "}  // namespace plimsoll\n")
  set(before "")
  if(EXISTS ${path})
    file(READ ${path} before)
  endif()
  if(NOT before STREQUAL text)
    file(WRITE ${path} "${text}")
  endif()
  set(${variable} ${path} PARENT_SCOPE)
endfunction()

# Adds to the variable called `into` a function that returns the files, one after the other.
function(plimsoll_page_function into name)
  set(literals "")
  foreach(file ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} content)
    string(APPEND literals "R\"page(${content})page\"\n")
  endforeach()
  set(${into} "${${into}}\nstd::string_view page_${name}() {\n  return ${literals};\n}\n" PARENT_SCOPE)
endfunction()
