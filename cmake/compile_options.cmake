# No -march: kernels choose the instruction set at run time through Highway. plimsoll_compile_options(TARGET [MORE]):
# MORE are vector targets of Highway to leave out too.
function(plimsoll_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                           -Wno-sign-conversion)
  # g++ reports overlapping and endless copies inside std::string and std::vector that are not there
  # (GCC bugs 105329 and 107852).
  target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow
                                           -Wno-stringop-overread -Wno-array-bounds)
  # g++ 13 and 14 cannot know that a Tensor is a handle: `node.input(0).shape()` refers to the node,
  # not to the handle. Older ones ignore the option.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-dangling-reference)
  endif()
  if(PLIMSOLL_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  # Each target costs a compilation of every kernel. Left are AVX3 (AVX-512), AVX2, SSE4 and the
  # baseline: SSE2, or plain loops with Highway 1.0.3. A better target has a lower bit; those that are
  # better than AVX3 add nothing that these kernels use.
  set(disabled "(HWY_AVX3-1)|HWY_SSSE3")
  if(ARGC GREATER 1)
    set(disabled "${disabled}|${ARGV1}")
  endif()
  target_compile_definitions(${target} PRIVATE "HWY_DISABLED_TARGETS=(${disabled})")
endfunction()

# AddressSanitizer and UndefinedBehaviorSanitizer. -O1 and few debug symbols: about as fast to run
# as to compile. With them, g++ 12 reports parts of std::regex as uninitialized. A null pointer that is used ends in
# AddressSanitizer anyway; without checks before each use, and of object sizes and virtual tables, a quarter of the time
# to compile is saved.
function(plimsoll_sanitize target)
  target_compile_options(${target} PRIVATE -O1 -g1 -UNDEBUG -D_GLIBCXX_ASSERTIONS
                         -fsanitize=address,undefined -fno-sanitize=null,object-size,vptr
                         -fno-sanitize-recover=all -fno-omit-frame-pointer -Wno-maybe-uninitialized)
  target_link_options(${target} INTERFACE -fsanitize=address,undefined)
endfunction()

# ThreadSanitizer. What it does not see in libraries that are compiled without it, it cannot report.
function(plimsoll_sanitize_threads target)
  target_compile_options(${target} PRIVATE -O1 -g1 -fsanitize=thread)
  target_link_options(${target} PRIVATE -fsanitize=thread)
endfunction()
