// What the doctor looks at: a model and data that a command is given, or the run in a folder.
#pragma once

#include <string>

#include "plimsoll/cli/findings.h"
#include "plimsoll/cli/train_arguments.h"
#include "plimsoll/guards/doctor/case.h"
#include "plimsoll/train/model.h"

namespace plimsoll::cli {

// The arguments of the command that began the run. The folder in which it began becomes the current
// one, so that its paths are good. IoError if that cannot be entered.
TrainArguments arguments_of_run(const std::string& run);

// A model that is compiled, and its data as training reads it.
struct ModelAndData {
  Model model;
  Dataset data, validation;  // no source: it has no validation
};
ModelAndData open_model_and_data(const TrainArguments& arguments, Weights weights,
                                 Findings& findings);

// Before any training.
TrainingCase examine_model(const TrainArguments& arguments, Findings& findings);
// With what happened. Without the data, if that cannot be read any more. Sets the random seed to
// that of the run, and the current folder as above.
TrainingCase examine_run(const std::string& run, Findings& findings);

}  // namespace plimsoll::cli
