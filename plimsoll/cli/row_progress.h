// Progress of work on the rows of data, on a terminal.
#pragma once

#include <cstdint>
#include <string>

#include "plimsoll/report/console_progress.h"
#include "plimsoll/train/loop.h"

namespace plimsoll::cli {

// A line on standard error that moves while rows are done; nothing if no line can move.
class RowProgress {
 public:
  RowProgress(std::string work, int64_t rows);
  // So many more are done; the line ends with the last.
  void add(int64_t rows);

 private:
  std::string work_;
  int64_t rows_, done_ = 0;
  bool is_shown_;
  Stopwatch watch_;
  ConsoleProgress line_;
};

}  // namespace plimsoll::cli
