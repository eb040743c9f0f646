# Writes the stubs for editors, and py.typed, into an installed package. They are made by the package itself, so it must
# run: PYTHON needs NumPy.
#   cmake -DPYTHON=… -DSOURCES=python/plimsoll -DEXTENSION=FOLDER -DINTO=FOLDER -DSCRATCH=FOLDER -P write_stubs.cmake
# EXTENSION holds the compiled parts, INTO is the folder `plimsoll` of what is installed.
file(REMOVE_RECURSE ${SCRATCH})
file(COPY ${SOURCES} DESTINATION ${SCRATCH} PATTERN __pycache__ EXCLUDE PATTERN *.so EXCLUDE)
file(GLOB compiled ${EXTENSION}/*.so)
file(COPY ${compiled} DESTINATION ${SCRATCH}/plimsoll)
set(path ${SCRATCH})
if(DEFINED ENV{PYTHONPATH})
  string(APPEND path ":$ENV{PYTHONPATH}") # pip says there where NumPy is
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${path} PYTHONDONTWRITEBYTECODE=1 ${PYTHON} -m
                        plimsoll.keras._stubs ${INTO}
                OUTPUT_QUIET ERROR_VARIABLE complaint RESULT_VARIABLE failed)
file(REMOVE_RECURSE ${SCRATCH})
if(failed)
  message(FATAL_ERROR "the stubs of the Python package cannot be made: ${complaint}")
endif()
file(TOUCH ${INTO}/py.typed)
