// Monitor: follows one number of the logs and decides whether it got better.
#pragma once

#include <optional>
#include <string>

#include "plimsoll/train/callbacks/training_state.h"

namespace plimsoll {

struct MonitorOptions {
  std::string owner;                 // the callback; its name begins every error
  std::string monitor = "val_loss";  // the name in the logs
  std::string mode = "auto";         // "min", "max", or by the name
  double min_delta = 0;              // a smaller change is no improvement
};

// True if the name says whether the number should rise or fall: a loss falls, and each metric of
// the model knows its direction, but for a few.
bool is_direction_known(const std::string& monitor, const Model& model);

// True if more is better: by the mode ("min", "max"), else by the name. What nothing is known of
// should fall.
bool is_more_better(const std::string& monitor, const std::string& mode, const Model& model);

class Monitor {
 public:
  // InvalidArgument where the mode is none of the three.
  explicit Monitor(MonitorOptions options);

  const std::string& name() const { return options_.monitor; }
  // The number now. None where the logs do not have it; then it warns, naming those that are
  // there.
  std::optional<double> value(TrainingState& state) const;
  // True if the value is better than the reference by more than min_delta, or if there is no
  // reference. InvalidArgument where the mode is "auto" and the name does not decide it.
  bool is_improvement(double value, std::optional<double> reference, const Model& model);

 private:
  MonitorOptions options_;
  std::optional<bool> rises_;  // known from the first comparison on
};

}  // namespace plimsoll
