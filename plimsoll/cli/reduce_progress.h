// The progress of a reduction, on a terminal.
#pragma once

#include <cstddef>

#include "plimsoll/train/reduce/reduce.h"

namespace plimsoll::cli {

// A line on standard error that moves with the trials; nothing if no line can move.
class ReduceProgressLine {
 public:
  ReduceProgressLine();
  // Wipes the line.
  ~ReduceProgressLine();
  ReduceProgressLine(const ReduceProgressLine&) = delete;
  ReduceProgressLine& operator=(const ReduceProgressLine&) = delete;

  void show(const ReduceProgress& now);

 private:
  bool is_shown_;
  size_t width_ = 0;  // columns of the line that is on the screen
};

}  // namespace plimsoll::cli
