// How data is read while a model runs.
#pragma once

#include <cstdint>
#include <optional>

#include "plimsoll/data/loader/loader.h"
#include "plimsoll/data/stages/repaired.h"

namespace plimsoll {

struct ReadingOptions {
  // Threads that read ahead. None: as many as compute, if reading is more than a copy.
  std::optional<int> workers = {};
  // The memory that batches that are read ahead may take. None: a sixteenth of the budget.
  std::optional<int64_t> ahead_bytes = {};
  BadRecordOptions bad = {};
  // NaN and infinity in inputs that are tables become the mean or the median of their column in the
  // training data.
  std::optional<RepairWith> repair = {};
  // What replaces them, a list of numbers for each input of the model: of evaluate and predict what
  // fit has learnt (History::repair_values). None: fit learns it if it repairs.
  ColumnValues repair_values = {};
  bool allow_not_finite = false;  // NaN and infinity in the data are no error
};

// `options`, completed for windows of so many records.
LoaderOptions loader_options(const Source& source, int64_t window_records, LoaderOptions options,
                             const ReadingOptions& reading);

}  // namespace plimsoll
