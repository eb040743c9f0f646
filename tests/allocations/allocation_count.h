// Counts the heap allocations of a process whose program is linked with this: its malloc is
// replaced. What oneDNN asks for, which no caller of it can help, is counted apart.
#pragma once

#include <cstdint>

namespace plimsoll::testing {

struct AllocationCount {
  int64_t own = 0;  // allocations that oneDNN did not ask for
  int64_t own_bytes = 0;
  int64_t library = 0;  // allocations below a call of oneDNN
  int64_t library_largest = 0;
};

// Those of all threads are counted from now on, or no longer. With STEP_PROBE_TRACE in the
// environment, the stack of each that oneDNN did not ask for is written to standard error.
void count_allocations(bool is_counted);
// Of all times in which they were counted.
AllocationCount counted_allocations();

}  // namespace plimsoll::testing
