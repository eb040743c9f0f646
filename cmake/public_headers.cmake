# The public headers are plimsoll/plimsoll.h and every header that it includes, directly or not. They are
# found here by reading the includes, at install time, so there is no list to keep.
cmake_policy(VERSION 3.25)

# plimsoll_public_headers(VARIABLE ROOT): paths relative to ROOT, the folder that holds plimsoll/.
function(plimsoll_public_headers variable root)
  set(found plimsoll/plimsoll.h)
  set(unread ${found})
  while(unread)
    list(POP_FRONT unread header)
    file(STRINGS ${root}/${header} includes REGEX "^#include \"plimsoll/")
    foreach(include ${includes})
      string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" include "${include}")
      if(NOT include IN_LIST found)
        list(APPEND found ${include})
        list(APPEND unread ${include})
      endif()
    endforeach()
  endwhile()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# plimsoll_install_public_headers(ROOT DESTINATION): DESTDIR is put before an absolute destination.
function(plimsoll_install_public_headers root destination)
  plimsoll_public_headers(headers ${root})
  foreach(header ${headers})
    get_filename_component(folder ${header} DIRECTORY)
    file(INSTALL ${root}/${header} DESTINATION ${destination}/${folder})
  endforeach()
endfunction()
