// Windows over a series: each record is some consecutive rows of another source, and the target is
// that of a later row.
//
//   rows      0 1 2 3 4 5 6 7          window 3, horizon 2, stride 1
//   record 0  [-----]   y              inputs are rows 0, 1, 2; the target is that of row 4
//   record 1    [-----]   y
//   record 3        [-----]   y        the last: there is no row after 7
#pragma once

#include "plimsoll/data/source.h"

namespace plimsoll {

struct WindowOptions {
  int64_t window = 0;   // rows of a record
  int64_t horizon = 1;  // the target is that many rows after the last of them
  int64_t stride = 1;   // rows from the beginning of one window to the next
  // The first fields are inputs: those of the window's rows, with an axis of `window` before their
  // own. All others are targets and weights: those of the target's row.
  int inputs = 1;
};

// Rows are in the order of time. With targets, as Keras's timeseries_dataset_from_array(data,
// targets[window - 1 + horizon:], window, sequence_stride=stride): as many windows as have a
// target. Without (all fields are inputs), also those whose target would come after the last row. A
// record has the name of the row that its target is in; "a.csv:61+2" is the second row after the
// last one. InvalidArgument, beginning with `path`, where there is no window.
SourcePtr windows(SourcePtr rows, const WindowOptions& options, const std::string& path);

}  // namespace plimsoll
