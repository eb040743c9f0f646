// Does this program watch its own memory (ASan)? Then what the process takes is not what it holds:
// freed blocks are kept aside for a while.
#pragma once

extern "C" __attribute__((weak)) void __asan_init();

namespace plimsoll {

inline bool is_sanitized() {
  return &__asan_init != nullptr;
}

}  // namespace plimsoll
