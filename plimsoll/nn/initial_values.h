// WithoutInitialValues: while one is open on this thread, new weights are reserved but not filled.
// For weights whose values come from a file, or that will never be read because the network is only
// planned: memory that nobody writes takes none of the machine's.
#pragma once

namespace plimsoll {

class WithoutInitialValues {
 public:
  WithoutInitialValues();
  ~WithoutInitialValues();
  WithoutInitialValues(const WithoutInitialValues&) = delete;
  WithoutInitialValues& operator=(const WithoutInitialValues&) = delete;

  static bool is_open();
};

}  // namespace plimsoll
