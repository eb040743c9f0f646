// What new variables begin with, and when it is written.
#pragma once

#include <functional>
#include <vector>

namespace plimsoll {

// While one is open on this thread, new variables are reserved but neither made resident nor filled
// by an initializer. For weights whose values come from a file, and for networks that are only
// planned: memory that is never written takes none of the machine's.
class WithoutInitialValues {
 public:
  WithoutInitialValues();
  ~WithoutInitialValues();
  WithoutInitialValues(const WithoutInitialValues&) = delete;
  WithoutInitialValues& operator=(const WithoutInitialValues&) = delete;

  static bool is_open();
};

// While one is open on this thread, new variables are reserved and their values are written by
// fill(), in the order in which the variables were made. So a run is planned before it takes the
// memory of its weights. Where fill() is not called, they are never written.
class LaterInitialValues {
 public:
  LaterInitialValues();
  ~LaterInitialValues();
  LaterInitialValues(const LaterInitialValues&) = delete;
  LaterInitialValues& operator=(const LaterInitialValues&) = delete;

  void fill();

 private:
  friend void fill_initially(std::function<void()> fill);
  std::vector<std::function<void()>> waiting_;
  LaterInitialValues* outer_;
};

// Calls `fill`, which writes the initial values of a variable: at once, or later, or not at all
// where one of the above is open.
void fill_initially(std::function<void()> fill);

}  // namespace plimsoll
