// History: what fit returns.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plimsoll/train/memory/memory_plan.h"

namespace plimsoll {

struct History {
  // The logs at the end of each epoch: "loss", "accuracy", "val_loss", … A number that was not
  // known after every epoch, because of validation_freq for example, has fewer values.
  std::map<std::string, std::vector<double>> epochs;
  std::vector<int64_t> epoch;       // the numbers of the epochs, from 0
  MemoryPlan memory;                // as planned before the first step
  int64_t measured_peak_bytes = 0;  // of the process, after the last
  // Of a training step, its data included: the mean of all but the first, or the only one.
  double measured_step_seconds = 0;
  // The share of the time of all training steps that was spent waiting for data.
  double data_wait_share = 0;
  // What replaced NaN and infinity, a list of numbers for each input, if fit repaired.
  std::vector<std::vector<float>> repair_values = {};
};

}  // namespace plimsoll
