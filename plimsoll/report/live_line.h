// The line that moves while batches are done:
//
//   epoch 2/5 ━━━━━╸────────── 320/938  0:03 left  loss 0.4312  accuracy 0.8467  memory 57.3 MiB
//   █████│░░  waits for data 12%  5,120 samples/s          (one line; here it is broken)
//
// The load line after the memory is as long as the memory that the run was given (or, if none was
// named, as the planned peak); █ is what the process holds, │ is the planned peak. "waits for data"
// is there if steps have waited more than a twentieth of the time.
//
// In a narrow terminal these are left out, one after another: samples/s; the number of the memory;
// most of the bar; the load line; the waiting; metrics from the last on, but loss and val_loss; the
// bar; the time left; val_loss; the batches; "epoch 2/5". The loss is the last that stays.
#pragma once

#include <cstddef>
#include <string_view>

#include "plimsoll/record/run_observer.h"
#include "plimsoll/report/terminal.h"

namespace plimsoll {

struct LiveLine {
  std::string_view text;
  size_t columns = 0;
};

// At most `columns` wide. Fits `into` of `size` bytes.
LiveLine live_line(const Progress& progress, const TerminalStyle& style, size_t columns, char* into,
                   size_t size);

}  // namespace plimsoll
