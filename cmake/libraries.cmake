# The libraries whose own CMake files ask for more than is used here, or that have none. Gives a target
# plimsoll::NAME for each, their list PLIMSOLL_LIBRARIES and the list PLIMSOLL_PACKAGES of the Debian
# packages that they come from; the installed package reads this file too and looks at PLIMSOLL_MISSING.
set(PLIMSOLL_LIBRARIES "")
set(PLIMSOLL_PACKAGES zlib1g-dev)
set(PLIMSOLL_MISSING "")

# plimsoll_library(NAME PACKAGE)
macro(plimsoll_library name package)
  if(NOT TARGET plimsoll::${name})
    find_library(PLIMSOLL_${name}_LIBRARY NAMES ${name})
    if(PLIMSOLL_${name}_LIBRARY)
      add_library(plimsoll::${name} UNKNOWN IMPORTED GLOBAL)
      set_target_properties(plimsoll::${name} PROPERTIES
                            IMPORTED_LOCATION "${PLIMSOLL_${name}_LIBRARY}")
    else()
      list(APPEND PLIMSOLL_MISSING "lib${name} (Debian package ${package})")
    endif()
  endif()
  list(APPEND PLIMSOLL_LIBRARIES plimsoll::${name})
  list(APPEND PLIMSOLL_PACKAGES ${package})
endmacro()

plimsoll_library(dnnl libdnnl-dev)
plimsoll_library(hwy libhwy-dev)
plimsoll_library(jpeg libjpeg-dev)
plimsoll_library(png libpng-dev)
plimsoll_library(webp libwebp-dev)
plimsoll_library(fmt libfmt-dev)
plimsoll_library(xxhash libxxhash-dev)
