// What a trained model makes of data that it was validated on: classes that it confuses, and
// records for which it is most wrong.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/report/run_report.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

struct SeeOptions {
  std::vector<std::string> class_names = {};
  ReadingOptions reading = {};    // records that cannot be used are left out, whatever it says
  int64_t most_records = 10'000;  // the first of them
  double most_seconds = 60;       // then it ends with the records that were seen
};

// The model has weights and is compiled. Of an output of classes, the confusion matrix; of one of
// numbers, what was predicted for what. A sentence instead where the model has several outputs or
// one that is neither.
Part<SeenPredictions> see_predictions(Model model, const Dataset& data, const SeeOptions& options);

}  // namespace plimsoll
