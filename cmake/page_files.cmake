# The pages of reports and of plimsoll serve are files of plimsoll/report/page, which become part of the library.

# plimsoll_embed_files(LIST HEADER NAME FILE…): writes a source that defines NAME, a string_view of namespace plimsoll
# that the header declares: the contents of the files, one after the other. Adds the path of the source to the list.
# CMake runs again when a file has changed.
function(plimsoll_embed_files list header name)
  set(text "#include \"${header}\"\n\nnamespace plimsoll {\nconstinit const std::string_view ${name} =")
  foreach(file ${ARGN})
    set(path ${PROJECT_SOURCE_DIR}/${file})
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} contents)
    string(APPEND text "\n    R\"~~~~(${contents})~~~~\"")
  endforeach()
  string(APPEND text ";\n}  // namespace plimsoll\n")
  set(source ${PROJECT_BINARY_DIR}/generated/${name}.cc)
  set(before "")
  if(EXISTS ${source})
    file(READ ${source} before)
  endif()
  if(NOT before STREQUAL text)
    file(WRITE ${source} "${text}")
  endif()
  set(${list} ${${list}} ${source} PARENT_SCOPE)
endfunction()

# Scripts share one scope, in this order.
set(chart_scripts text.js dom.js chart_frame.js line_picture.js line_chart.js heat_map.js roofline.js plan_picture.js)
set(report_scripts curves.js memory.js profile.js model.js model_graph.js statistics.js data.js predictions.js findings.js report.js
                   compare.js)
set(serve_scripts live_run.js run_list.js compared_runs.js start.js)

# plimsoll_page_files(LIST): adds the sources of all pages to the list.
function(plimsoll_page_files list)
  set(page plimsoll/report/page)
  set(header plimsoll/report/page_files.h)
  foreach(room chart report serve)
    list(TRANSFORM ${room}_scripts PREPEND ${page}/${room}/)
  endforeach()
  plimsoll_embed_files(${list} ${header} kPageStyle ${page}/page.css)
  plimsoll_embed_files(${list} ${header} kChartScript ${chart_scripts})
  plimsoll_embed_files(${list} ${header} kReportHtml ${page}/report/report.html)
  plimsoll_embed_files(${list} ${header} kReportScript ${report_scripts})
  plimsoll_embed_files(${list} ${header} kReportStart ${page}/report/start.js)
  plimsoll_embed_files(${list} ${header} kServeHtml ${page}/serve/index.html)
  plimsoll_embed_files(${list} ${header} kServeScript ${serve_scripts})
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()
