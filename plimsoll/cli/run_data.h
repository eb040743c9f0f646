// The data of a run of train: opened, split and augmented as its arguments say.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/cli/findings.h"
#include "plimsoll/cli/train_arguments.h"
#include "plimsoll/train/data/validation_split.h"
#include "plimsoll/train/model.h"

namespace plimsoll::cli {

struct RunData : TrainingData {
  std::vector<std::string> class_names = {};
};

// `folder` is where compressed arrays are expanded.
RunData open_run_data(const TrainArguments& arguments, const Model& model,
                      const std::string& folder, Findings& findings);

}  // namespace plimsoll::cli
