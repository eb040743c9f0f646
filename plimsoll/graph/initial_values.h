// WithoutInitialValues: while one is open on this thread, new variables are reserved but neither
// made resident nor filled by an initializer. For weights whose values come from a file, and for
// networks that are only planned: memory that nobody writes takes none of the machine's.
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
