# No -march: kernels choose the instruction set at run time through Highway.
function(plimsoll_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                           -Wno-sign-conversion)
  # g++ 12 reports overlapping and endless copies inside std::string that are not there (GCC bug
  # 105329).
  target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow
                                           -Wno-array-bounds)
  if(PLIMSOLL_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  # Each target costs a compilation of every kernel; these three and the baseline cover the field.
  target_compile_definitions(
    ${target} PRIVATE "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3_DL)")
endfunction()

# AddressSanitizer and UndefinedBehaviorSanitizer. -O1 and few debug symbols: about as fast to run
# as to compile.
function(plimsoll_sanitize target)
  target_compile_options(${target} PRIVATE -O1 -g1 -UNDEBUG -D_GLIBCXX_ASSERTIONS
                         -fsanitize=address,undefined -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
  target_link_options(${target} INTERFACE -fsanitize=address,undefined)
endfunction()
