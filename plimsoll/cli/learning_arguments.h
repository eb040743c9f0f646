// The options of train that steer how a model learns: the schedule of its learning rate, when to
// stop, and the weights of classes.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/cli/findings.h"
#include "plimsoll/train/callbacks/early_stopping.h"
#include "plimsoll/train/fit_options.h"
#include "plimsoll/train/model.h"

namespace plimsoll::cli {

struct LearningArguments {
  std::string schedule;
  std::string early_stopping;  // the metric; kUsualMetric if none is named; empty: not given
  std::optional<int64_t> patience;
  double min_delta = 0;
  std::string
      mode;  // of the metric that stops early or is the best's: "min", "max"; empty: by name
  std::string class_weight;  // "balanced", or a file
};
inline constexpr const char* kUsualMetric = "auto";

// --schedule, --early-stopping, --patience, --min-delta, --mode, --class-weight
void add_learning(CLI::App& app, LearningArguments& arguments);

// The mode of a metric that `flag` names: "min", "max", or "auto" if its name says it. WrongUsage
// where neither the name nor --mode does.
std::string mode_of(const LearningArguments& arguments, const char* flag, const std::string& metric,
                    const Model& model);

// Applies the schedule to the compiled model, and class weights and callbacks to the options, which
// have the data for validation, the epochs and the batch size already. Returns what stops early;
// null without --early-stopping. WrongUsage where an option would have no effect.
std::shared_ptr<EarlyStopping> set_up_learning(const LearningArguments& arguments, Model& model,
                                               const Dataset& data,
                                               const std::vector<std::string>& class_names,
                                               FitOptions& options, Findings& findings);

// "stopped early: val_loss was best in epoch 4 (0.312), whose weights are kept". `is_restored` is
// false if the run was ended in another way, with the weights of its last step.
std::string to_string(const EarlyStopping& stopping, bool is_restored);

}  // namespace plimsoll::cli
