// How a run may save memory where it would not fit, and how it may not.
#pragma once

#include <cstdint>
#include <optional>

namespace plimsoll {

struct SavingOptions {
  bool recompute = true;       // values may be computed again instead of kept
  bool sequence_parts = true;  // recurrent layers may run in parts of their sequence
  bool micro_batches = true;   // a batch may run in parts that add up to it
  bool spill = true;           // values may go to a file, in TMPDIR or /var/tmp: the last resort
  // Where nothing else is enough: each weight may be updated as soon as its gradient is there. A
  // step whose loss or gradient is not finite has then changed some weights. Never with a global
  // norm.
  bool early_updates = true;
  // Batches run in parts of at most so many samples, whether or not that is needed.
  std::optional<int64_t> micro_batch = {};
  // Layers that normalise by the statistics of a batch may take those of its parts. The result is
  // no longer that of the whole batch.
  bool batch_statistics_per_part = false;
};

}  // namespace plimsoll
