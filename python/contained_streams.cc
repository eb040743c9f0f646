// The streams of libraries that a shared object contains; see cmake/contained_libraries.cmake.
#include <cstdio>

extern "C" {
extern FILE* plimsoll_stdout;
extern FILE* plimsoll_stderr;
FILE* plimsoll_stdout = stdout;
FILE* plimsoll_stderr = stderr;
}
